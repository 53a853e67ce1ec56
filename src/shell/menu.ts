import type { Category } from '../../contract/devices/kinds/device-kind.ts'
import { CATEGORIES } from '../../contract/devices/kinds/device-kind.ts'
import { may, type PermissionSubject, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import type { HomeWithRooms } from '../../contract/homes/home.ts'
import type { DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import { deviceType } from '../../contract/devices/kinds/registry.ts'
import { mayOpen } from '../navigation/may-open.ts'
import { paths, pathTo, type PageGroup, type PathName } from '../navigation/paths.ts'

export type MenuGroup = PageGroup | 'categories' | 'rooms'
export type MenuIcon = PathName | MenuGroup

const MENU_CAPTIONS = ['daily', 'automation', 'energy', 'devices', 'office', 'management'] as const
export type MenuCaption = (typeof MENU_CAPTIONS)[number]

/** Caption of every entry on the first level; the specification defines the order of the entries. */
const CAPTION_OF: Readonly<Partial<Record<MenuIcon, MenuCaption>>> = {
  Dashboard: 'daily',
  Building: 'daily',
  DeviceList: 'daily',
  AddDevices: 'daily',
  alarm: 'daily',
  automation: 'automation',
  history: 'energy',
  categories: 'devices',
  RoomList: 'devices',
  ModbusTableListing: 'devices',
  rooms: 'devices',
  HomeList: 'devices',
  accounts: 'office',
  conference: 'office',
  AccessControl: 'office',
}

/** Entries by caption, in order. */
export function sectionsOf(
  entries: readonly MenuEntry[],
): { caption: MenuCaption; entries: readonly MenuEntry[] }[] {
  const captionOf = ({ key }: MenuEntry) => CAPTION_OF[key as MenuIcon] ?? 'management'
  return MENU_CAPTIONS.map((caption) => ({
    caption,
    entries: entries.filter((entry) => captionOf(entry) === caption),
  })).filter((section) => section.entries.length > 0)
}

/** A line of the side menu, labelled by a page's name, a group's, a category's, or a room's own. */
export interface MenuEntry {
  key: string
  label: { page: PathName } | { group: MenuGroup } | { category: Category } | { text: string }
  icon?: MenuIcon
  to?: string
  count?: number
  children?: MenuEntry[]
}

export interface MenuFacts {
  subject: PermissionSubject | undefined
  home: HomeWithRooms | undefined
  /** Home whose alarms are opened; the home itself if omitted. */
  alarmHomeId?: string | undefined
  /** Number of devices by category in the current home. */
  categories: ReadonlyMap<Category, number>
  hasScreen: (name: PathName) => boolean
}

/** Number of devices of a home by category, without hidden and unknown types. */
export function countCategories(devices: DeviceSnapshot | undefined): Map<Category, number> {
  const counts = new Map<Category, number>()
  for (const { PeripheralType } of devices?.Peripherals ?? []) {
    const type = deviceType(PeripheralType)
    const category = type?.hidden ? undefined : type?.category
    if (category) counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  return counts
}

/** Address of the first page of the menu that a right opens; undefined if there is none. */
export function firstPage(facts: MenuFacts): string | undefined {
  const lines = menuOf(facts).flatMap((entry) => [entry, ...(entry.children ?? [])])
  // The notification history is open to all users, so it is no start page.
  return lines.find(({ key, to }) => to !== undefined && key !== 'historyNotification')?.to
}

/**
 * Side menu of §2: an entry is shown if the user has Read on its feature (Add Device: Create), if it has a screen, and, if it belongs to
 * a home, if there is one. A group is shown with its entries. Modbus tables, which §2 does not list, are shown if the home has Modbus
 * devices.
 */
export function menuOf({ subject, home, alarmHomeId, categories, hasScreen }: MenuFacts): MenuEntry[] {
  const HomeID = home?.HomeID
  const reachable = (name: PathName) =>
    hasScreen(name) && mayOpen(name, subject) === true && (!paths[name].needsHome || HomeID !== undefined)
  const page = (name: PathName): MenuEntry[] =>
    reachable(name)
      ? [
          {
            ...{ key: name, label: { page: name }, icon: name },
            to: pathTo(name, { HomeID: name === 'Alarm' ? (alarmHomeId ?? HomeID) : HomeID }),
          },
        ]
      : []
  const group = (name: MenuGroup, children: MenuEntry[], isCounted = false): MenuEntry[] =>
    children.length > 0
      ? [
          {
            ...{ key: name, label: { group: name }, icon: name, children },
            ...(isCounted && { count: children.length }),
          },
        ]
      : []
  const pagesOf = (name: PageGroup) =>
    group(name, (Object.keys(paths) as PathName[]).filter((path) => paths[path].menu === name).flatMap(page))

  return [
    ...page('Dashboard'),
    ...page('Building'),
    ...page('DeviceList'),
    ...(subject && may(subject, 'device', 'Create', SOMEWHERE) ? page('AddDevices') : []),
    ...pagesOf('alarm'),
    ...pagesOf('automation'),
    ...pagesOf('history'),
    ...group(
      'categories',
      CATEGORIES.flatMap((category) => {
        const count = categories.get(category) ?? 0
        if (count === 0 || !reachable('DeviceCategory')) return []
        return [
          {
            key: `category-${category}`,
            label: { category },
            to: pathTo('DeviceCategory', { HomeID, Category: category }),
            count,
          },
        ]
      }),
      true,
    ),
    ...page('RoomList'),
    ...(categories.get('ModBus') ? page('ModbusTableListing') : []),
    ...group(
      'rooms',
      (reachable('RoomDevice') ? (home?.RoomList ?? []) : []).map((room) => ({
        key: `room-${room.RoomID}`,
        label: { text: room.RoomName },
        to: pathTo('RoomDevice', { HomeID, RoomID: room.RoomID }),
        count: room.PeripheralList.length,
      })),
      true,
    ),
    ...page('HomeList'),
    ...pagesOf('accounts'),
    ...pagesOf('conference'),
    ...page('AccessControl'),
    ...page('Firmware'),
    ...page('CompanyProfile'),
    ...page('NotificationChannels'),
    ...page('ReportPlans'),
    ...page('AuditLog'),
  ]
}
