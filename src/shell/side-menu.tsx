import {
  AlertOutlined,
  ApartmentOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  BranchesOutlined,
  CalendarOutlined,
  CloudUploadOutlined,
  DashboardOutlined,
  EnvironmentOutlined,
  IdcardOutlined,
  LineChartOutlined,
  PlusCircleOutlined,
  ProfileOutlined,
  MailOutlined,
  SendOutlined,
  RightOutlined,
  SettingOutlined,
  TagsOutlined,
  TeamOutlined,
} from '@ant-design/icons'
import { useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { useCurrentHome, useDevices } from '../data/homes.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { useCompany } from '../data/personal.ts'
import { useSubject } from '../data/session.ts'
import { pathOf } from '../paths.ts'
import { hasScreen } from '../routes.tsx'
import { countCategories, menuOf, type MenuEntry, type MenuIcon } from './menu.ts'
import { VERSION } from './version.ts'

const icons: Partial<Record<MenuIcon, ComponentType>> = {
  Dashboard: DashboardOutlined,
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

/** The side menu with the company's logo and title above and the version below (§2). */
export function SideMenu({ onNavigate, alarmBadge }: Omit<EntryProps, 'entry'>) {
  const t = useT()
  const company = useCompany()
  const entries = useMenu()
  const title = company?.LogoName || company?.CompanyName || t('shell:product')
  return (
    <>
      <div className="brand">
        <img src={company?.LogoUrl ?? '/favicon.svg'} alt="" height="32" />
        <span title={title}>{title}</span>
      </div>
      <nav aria-label={t('shell:menu.label')}>
        <ul>
          {entries.map((entry) => (
            <Entry key={entry.key} entry={entry} onNavigate={onNavigate} alarmBadge={alarmBadge} />
          ))}
        </ul>
      </nav>
      <p className="version">{t('shell:version', { version: VERSION })}</p>
    </>
  )
}

/** The menu's entries for who is signed in, in the current home. */
export function useMenu(): MenuEntry[] {
  const subject = useSubject()
  const home = useCurrentHome()
  const devices = useDevices(home?.HomeID).data
  return useMemo(
    () => menuOf({ subject, home, categories: countCategories(devices), hasScreen }),
    [subject, home, devices],
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
  onNavigate: () => void
  /** Stands beside the alarms. */
  alarmBadge: ReactNode
}

function Entry({ entry, onNavigate, alarmBadge }: EntryProps) {
  const labelOf = useEntryLabel()
  const [open, setOpen] = useState(entry.key === 'categories' || entry.key === 'accounts')
  const { pathname } = useLocation()
  // The dashboard is also what / and /home show.
  const active = entry.to === pathname || (entry.key === 'Dashboard' && pathOf(pathname)?.name === 'Home')
  const hasAlarms = entry.children?.some(({ key }) => key === 'Alarm')
  const Icon = entry.icon && icons[entry.icon]
  const icon = (
    <span className="entry-icon" aria-hidden="true">
      {Icon && <Icon />}
    </span>
  )
  if (!entry.children)
    return (
      <li>
        <Link
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
      <button type="button" className="entry" aria-expanded={open} onClick={() => setOpen(!open)}>
        {icon}
        <span className="entry-label">{labelOf(entry)}</span>
        {hasAlarms && !open && alarmBadge}
        <RightOutlined className="entry-arrow" aria-hidden="true" rotate={open ? 90 : 0} />
      </button>
      {open && (
        <ul className="entry-children">
          {entry.children.map((child) => (
            <Entry
              key={child.key}
              entry={{ ...child, icon: undefined }}
              onNavigate={onNavigate}
              alarmBadge={alarmBadge}
            />
          ))}
        </ul>
      )}
    </li>
  )
}
