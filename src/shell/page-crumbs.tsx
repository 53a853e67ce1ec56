import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import type { Category } from '../../contract/devices/kinds/device-kind.ts'
import { useCurrentHome, useDevices } from '../data/homes.ts'
import { hasText, useT } from '../lib/i18n/i18n.ts'
import { useIsNotFound, useShownItem } from '../data/page-item.ts'
import { useCompany } from '../data/personal.ts'
import { pathOf } from '../navigation/paths.ts'
import { crumbsOf, type Crumb } from './breadcrumbs.ts'

/** Breadcrumbs of the page (§2), which also set the window's title. */
export function PageCrumbs() {
  const t = useT()
  const { pathname } = useLocation()
  const home = useCurrentHome()
  const devices = useDevices(home?.HomeID).data
  const item = useShownItem()
  const company = useCompany()
  const isNotFound = useIsNotFound()
  const here = isNotFound ? undefined : pathOf(pathname)
  const { RoomID, peripheralID, Category: category } = here?.params ?? {}
  const device = devices?.Peripherals.find((entry) => entry.PeripheralUID === peripheralID)
  const roomId = RoomID === undefined ? device?.RoomID : Number(RoomID)
  const categoryKey = `shell:categories.${category as Category}`
  const crumbs = here
    ? crumbsOf(here.name, here.params, {
        home,
        room: home?.RoomList.find((room) => room.RoomID === roomId),
        category: hasText(categoryKey) ? t(categoryKey) : category,
        item: item ?? device?.PeripheralName,
      })
    : []
  const textOf = (crumb: Crumb) => ('page' in crumb ? t(`shell:pages.${crumb.page}`) : crumb.text)
  const last = crumbs.at(-1)
  const product = company?.LogoName || t('shell:product')
  const said = last ? textOf(last) : isNotFound ? t('shell:notFound.title') : undefined
  const title = said ? `${said} · ${product}` : product
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
