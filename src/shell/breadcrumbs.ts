import { pathTo, paths, type PathName } from '../navigation/paths.ts'

/** One step; the caller translates it, so that it follows a change of language. */
export type Crumb = { key: string; to?: string } & ({ page: PathName } | { text: string })

/** Names that the address does not contain. */
export interface CrumbFacts {
  home?: { HomeID: string; HomeName: string } | undefined
  /** Room of the page, or of the shown device. */
  room?: { RoomID: number; RoomName: string } | undefined
  /** Title of a category in the user's language. */
  category?: string | undefined
  /** Title of the item that a page shows: a device, a scene, a person. */
  item?: string | undefined
}

/**
 * Home > home name > (room, category, automation kind or feature) > item title; pages of the company are directly under Home (§2). The
 * last step is the current page and not a link.
 */
export function crumbsOf(
  name: PathName,
  params: Readonly<Record<string, string>>,
  facts: CrumbFacts,
): Crumb[] {
  if (name === 'Home') return []
  const { crumb } = paths[name]
  const HomeID = facts.home?.HomeID ?? params['HomeID']
  const steps: Crumb[] = [{ key: 'Home', page: 'Home', to: pathTo('Home') }]
  if (crumb.under === 'home' && facts.home)
    steps.push({ key: 'home', text: facts.home.HomeName, to: pathTo('DeviceList', { HomeID }) })
  const { room } = facts
  const inRoom = room && (name === 'RoomDevice' || name === 'DeviceInfo' || name === 'ModBusInfo')
  if (inRoom)
    steps.push({
      key: 'room',
      text: room.RoomName,
      to: pathTo('RoomDevice', { HomeID, RoomID: room.RoomID }),
    })
  else steps.push(...ancestors(name, HomeID))
  if (name === 'DeviceCategory')
    steps.push({ key: 'category', text: facts.category ?? params['Category'] ?? '' })
  else if ((name !== 'RoomDevice' || !inRoom) && (facts.item || !isNew(name, params)))
    steps.push(facts.item ? { key: 'item', text: facts.item } : { key: name, page: name })
  const last = steps.at(-1)
  if (last) delete last.to
  return steps
}

/** Whether a page creates a new item: its address would name it "Edit …", so its form provides the title. */
function isNew(name: PathName, params: Readonly<Record<string, string>>): boolean {
  const { crumb, patterns } = paths[name]
  const [, optional = ''] = /:(\w+)\?$/.exec(patterns[0]) ?? []
  return 'parent' in crumb && optional !== '' && params[optional] === undefined
}

function ancestors(name: PathName, HomeID: string | undefined): Crumb[] {
  const { crumb } = paths[name]
  if (!('parent' in crumb)) return []
  const parent = crumb.parent as PathName
  return [...ancestors(parent, HomeID), { key: parent, page: parent, to: pathTo(parent, { HomeID }) }]
}
