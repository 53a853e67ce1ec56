import { pathTo, paths, type PathName } from '../navigation/paths.ts'

/** One step: the words are looked up by the caller, so that a language switch reaches them. */
export type Crumb = { key: string; to?: string } & ({ page: PathName } | { text: string })

/** What the address alone does not say. */
export interface CrumbFacts {
  home?: { HomeID: string; HomeName: string } | undefined
  /** The room of the page, or the room that the shown device stands in. */
  room?: { RoomID: number; RoomName: string } | undefined
  /** Title of a category in the person's language. */
  category?: string | undefined
  /** Title of the one thing a page is about: a device, a scene, a person. */
  item?: string | undefined
}

/**
 * Home > home name > (room, category, automation kind or feature) > item title; pages of the company hang directly under
 * Home (§2). The last step is where the person is and is no link.
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

/** A page that makes something new is called "Edit …" by its address; it says its title once its form is there. */
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
