import AlertOutlined from '@ant-design/icons-svg/es/asn/AlertOutlined.js'
import ApartmentOutlined from '@ant-design/icons-svg/es/asn/ApartmentOutlined.js'
import AppstoreOutlined from '@ant-design/icons-svg/es/asn/AppstoreOutlined.js'
import AuditOutlined from '@ant-design/icons-svg/es/asn/AuditOutlined.js'
import BankOutlined from '@ant-design/icons-svg/es/asn/BankOutlined.js'
import BranchesOutlined from '@ant-design/icons-svg/es/asn/BranchesOutlined.js'
import CalendarOutlined from '@ant-design/icons-svg/es/asn/CalendarOutlined.js'
import CloudUploadOutlined from '@ant-design/icons-svg/es/asn/CloudUploadOutlined.js'
import DashboardOutlined from '@ant-design/icons-svg/es/asn/DashboardOutlined.js'
import EnvironmentOutlined from '@ant-design/icons-svg/es/asn/EnvironmentOutlined.js'
import IdcardOutlined from '@ant-design/icons-svg/es/asn/IdcardOutlined.js'
import LineChartOutlined from '@ant-design/icons-svg/es/asn/LineChartOutlined.js'
import PlusCircleOutlined from '@ant-design/icons-svg/es/asn/PlusCircleOutlined.js'
import ProfileOutlined from '@ant-design/icons-svg/es/asn/ProfileOutlined.js'
import MailOutlined from '@ant-design/icons-svg/es/asn/MailOutlined.js'
import SendOutlined from '@ant-design/icons-svg/es/asn/SendOutlined.js'
import RightOutlined from '@ant-design/icons-svg/es/asn/RightOutlined.js'
import SettingOutlined from '@ant-design/icons-svg/es/asn/SettingOutlined.js'
import ShopOutlined from '@ant-design/icons-svg/es/asn/ShopOutlined.js'
import TagsOutlined from '@ant-design/icons-svg/es/asn/TagsOutlined.js'
import TeamOutlined from '@ant-design/icons-svg/es/asn/TeamOutlined.js'
import type { IconDefinition } from '@ant-design/icons-svg/es/types'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { useCurrentHome, useDevices } from '../data/homes.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { useCompany } from '../data/personal.ts'
import { useSubject } from '../data/session.ts'
import { pathOf } from '../navigation/paths.ts'
import { useAlarmHomeId } from './alarm-scope.ts'
import { hasScreen } from './offered-pages.ts'
import { Icon } from '../ui/plain/icon.tsx'
import { countCategories, menuOf, sectionsOf, type MenuEntry, type MenuIcon } from './menu.ts'
import { VERSION } from './version.ts'

const icons: Partial<Record<MenuIcon, IconDefinition>> = {
  Dashboard: DashboardOutlined,
  Building: ShopOutlined,
  DeviceList: AppstoreOutlined,
  AddDevices: PlusCircleOutlined,
  alarm: AlertOutlined,
  automation: BranchesOutlined,
  history: LineChartOutlined,
  categories: TagsOutlined,
  RoomList: SettingOutlined,
  ModbusTableListing: ProfileOutlined,
  rooms: ApartmentOutlined,
  HomeList: EnvironmentOutlined,
  accounts: TeamOutlined,
  conference: CalendarOutlined,
  AccessControl: IdcardOutlined,
  Firmware: CloudUploadOutlined,
  CompanyProfile: BankOutlined,
  NotificationChannels: SendOutlined,
  ReportPlans: MailOutlined,
  AuditLog: AuditOutlined,
}

/** Visible lines of the menu in order. */
const linesIn = (nav: HTMLElement): HTMLElement[] => [...nav.querySelectorAll<HTMLElement>('.entry')]

/** Line that a key moves the focus to: arrows, Home and End move within the menu, right and left open and close a group. */
function focusTarget(nav: HTMLElement, key: string): HTMLElement | undefined {
  const lines = linesIn(nav)
  const at = lines.findIndex((line) => line === document.activeElement)
  const line = lines[at]
  if (key === 'ArrowDown') return lines[Math.min(at + 1, lines.length - 1)]
  if (key === 'ArrowUp') return lines[Math.max(at - 1, 0)]
  if (key === 'Home') return lines[0]
  if (key === 'End') return lines.at(-1)
  const expanded = line?.getAttribute('aria-expanded')
  if ((key === 'ArrowRight' && expanded === 'false') || (key === 'ArrowLeft' && expanded === 'true')) {
    line?.click()
    return line
  }
  return undefined
}

/** Side menu with the company's logo and title above and the version below (§2): one tab stop, arrows inside. */
export function SideMenu({ onNavigate, alarmBadge }: Pick<EntryProps, 'onNavigate' | 'alarmBadge'>) {
  const t = useT()
  const company = useCompany()
  const entries = useMenu()
  const { pathname } = useLocation()
  const [open, setOpen] = useState<string>()
  const [focused, setFocused] = useState<string>()
  const [revealed, setRevealed] = useState<string>()
  const nav = useRef<HTMLElement>(null)
  // Only one group is open: that of the page, until the user opens another.
  const group = entries.find((entry) => holdsActive(entry, pathname))?.key
  const place = group && `${group} ${pathname}`
  if (place !== revealed) {
    setRevealed(place)
    if (group) setOpen(group)
  }
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView?.({ block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- on every navigation, and when the group has expanded
  }, [pathname, place])
  const title = company?.LogoName || company?.CompanyName || t('shell:product')
  const toggle = (key: string) => setOpen(open === key ? undefined : key)
  // Tab stop of the menu: the line focused last, that of the current page, or the first.
  const visibleKeys = entries.flatMap((entry) => [
    entry,
    ...(open === entry.key ? (entry.children ?? []) : []),
  ])
  const stop =
    visibleKeys.find(({ key }) => key === focused) ??
    visibleKeys.find((entry) => isActive(entry, pathname)) ??
    visibleKeys[0]
  return (
    <>
      <div className="brand">
        <img src={company?.LogoUrl ?? '/favicon.svg'} alt="" height="32" />
        <span title={title}>{title}</span>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of the lines in it */}
      <nav
        ref={nav}
        aria-label={t('shell:menu.label')}
        onFocus={({ target }) => setFocused(target.closest<HTMLElement>('.entry')?.dataset['key'])}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey) return
          const line = focusTarget(event.currentTarget, event.key)
          if (!line) return
          event.preventDefault()
          line.focus()
        }}
      >
        {sectionsOf(entries).map(({ caption, entries: lines }) => (
          <div key={caption}>
            <p className="menu-caption" id={`menu-${caption}`}>
              {t(`shell:captions.${caption}`)}
            </p>
            <ul aria-labelledby={`menu-${caption}`}>
              {lines.map((entry) => (
                <Entry
                  key={entry.key}
                  {...{ entry, open, toggle, onNavigate, alarmBadge }}
                  stop={stop?.key}
                />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <p className="version">{t('shell:version', { version: VERSION })}</p>
    </>
  )
}

/** Whether the entry is that of the current page; / and /home show the dashboard too. */
const isActive = ({ key, to }: MenuEntry, pathname: string): boolean =>
  to === pathname || (key === 'Dashboard' && pathOf(pathname)?.name === 'Home')

const holdsActive = ({ children }: MenuEntry, pathname: string): boolean =>
  children?.some((child) => isActive(child, pathname)) ?? false

/** Menu entries of the signed-in user in the current home. */
export function useMenu(): MenuEntry[] {
  const subject = useSubject()
  const home = useCurrentHome()
  const alarmHomeId = useAlarmHomeId()
  const devices = useDevices(home?.HomeID).data
  return useMemo(
    () => menuOf({ subject, home, alarmHomeId, categories: countCategories(devices), hasScreen }),
    [subject, home, alarmHomeId, devices],
  )
}

export function useEntryLabel(): (entry: MenuEntry) => string {
  const t = useT()
  return ({ label }) => {
    if ('page' in label) return t(`shell:pages.${label.page}`)
    if ('group' in label) return t(`shell:menu.${label.group}`)
    if ('category' in label) return t(`shell:categories.${label.category}`)
    return label.text
  }
}

interface EntryProps {
  entry: MenuEntry
  /** Key of the open group. */
  open: string | undefined
  toggle: (key: string) => void
  stop: string | undefined
  onNavigate: () => void
  /** Shown next to the entry of alarms. */
  alarmBadge: ReactNode
}

function Entry(props: EntryProps) {
  const { entry, toggle, stop, alarmBadge, onNavigate } = props
  const labelOf = useEntryLabel()
  const open = props.open === entry.key
  const { pathname } = useLocation()
  const active = isActive(entry, pathname)
  const common = { 'data-key': entry.key, tabIndex: entry.key === stop ? 0 : -1 }
  const hasAlarms = entry.children?.some(({ key }) => key === 'Alarm')
  const iconElement = entry.icon && icons[entry.icon]
  const icon = (
    <span className="entry-icon" aria-hidden="true">
      {iconElement && <Icon of={iconElement} />}
    </span>
  )
  if (!entry.children)
    return (
      <li>
        <Link
          {...common}
          to={entry.to ?? '/'}
          className={active ? 'entry active' : 'entry'}
          aria-current={active ? 'page' : undefined}
          onClick={onNavigate}
        >
          {icon}
          <span className="entry-label">{labelOf(entry)}</span>
          {entry.key === 'Alarm' && alarmBadge}
          {entry.count !== undefined && <span className="entry-count">{entry.count}</span>}
        </Link>
      </li>
    )
  return (
    <li>
      <button
        {...common}
        type="button"
        className={holdsActive(entry, pathname) ? 'entry holds-active' : 'entry'}
        aria-expanded={open}
        onClick={() => toggle(entry.key)}
      >
        {icon}
        <span className="entry-label">{labelOf(entry)}</span>
        {hasAlarms && !open && alarmBadge}
        {entry.count !== undefined && <span className="entry-count">{entry.count}</span>}
        <span className="entry-arrow">
          <Icon of={RightOutlined} />
        </span>
      </button>
      {open && (
        <ul className="entry-children">
          {entry.children.map((child) => (
            <Entry key={child.key} {...props} entry={{ ...child, icon: undefined }} />
          ))}
        </ul>
      )}
    </li>
  )
}
