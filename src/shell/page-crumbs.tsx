import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import type { Category } from '../../contract/devices/kinds/device-kind.ts'
import { useCurrentHome, useDevices } from '../data/homes.ts'
import { hasText, useT } from '../lib/i18n/i18n.ts'
import { useIsNotFound, useShownItem } from '../data/page-item.ts'
import { useCompany } from '../data/personal.ts'
import { pathOf, pathTo, paths, type PathName } from '../navigation/paths.ts'

/** Breadcrumbs of the page (§2), which also set the window's title. */
export function PageCrumbs() {
  const t = useT()
  const { pathname } = useLocation()
  const home = useCurrentHome()
  const devices = useDevices(home?.HomeID).data
  const item = useShownItem()
  const company = useCompany()
  const isNotFound = useIsNotFound()
  const currentPath = isNotFound ? undefined : pathOf(pathname)
  const { RoomID, peripheralID, Category: category } = currentPath?.params ?? {}
  const device = devices?.Peripherals.find((entry) => entry.PeripheralUID === peripheralID)
  const roomId = RoomID === undefined ? device?.RoomID : Number(RoomID)
  const categoryKey = `shell:categories.${category as Category}`
  const crumbs = currentPath
    ? crumbsOf(currentPath.name, currentPath.params, {
        home,
        room: home?.RoomList.find((room) => room.RoomID === roomId),
        category: hasText(categoryKey) ? t(categoryKey) : category,
        item: item ?? device?.PeripheralName,
      })
    : []
  const textOf = (crumb: Crumb) => ('page' in crumb ? t(`shell:pages.${crumb.page}`) : crumb.text)
  const last = crumbs.at(-1)
  const product = company?.LogoName || t('shell:product')
  const pageTitle = last ? textOf(last) : isNotFound ? t('shell:notFound.title') : undefined
  const title = pageTitle ? `${pageTitle} · ${product}` : product
  useEffect(() => {
    document.title = title
  }, [title])
  if (crumbs.length === 0) return null
  return (
    <nav aria-label={t('shell:breadcrumbs')} className="crumbs">
      <ol>
        {crumbs.map((crumb) => (
          <li key={crumb.key}>
            {crumb.to ? (
              <Link to={crumb.to}>{textOf(crumb)}</Link>
            ) : (
              <span aria-current="page">{textOf(crumb)}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** One step; the caller translates it, so that it follows a change of language. */
type Crumb = { key: string; to?: string } & ({ page: PathName } | { text: string })

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
