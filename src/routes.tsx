import type { ComponentType } from 'react'
import type { ResourceName } from '../contract/index.ts'
import { pathOf, paths, type PathName, type PathSpec } from './navigation/paths.ts'
import type { RecordPages } from './record-kit/define-record.tsx'
import { loadNamespaces } from './lib/i18n/i18n.ts'
import { withTimeout } from './lib/with-timeout.ts'
import { SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import type { Namespace } from './lib/i18n/words.ts'
import { directEntryRoutes, type DirectEntryRoute } from './direct-entry-routes.ts'
import { preloadLazyScreen, lazyScreen, type LazyScreen } from './shell/lazy-screen.ts'
import { setScreens } from './shell/offered-pages.ts'
import PermissionDenied from './shell/permission-denied.tsx'
import { fetchWithAntDesign } from './ui/page/lazy-part.tsx'

type Screen = ComponentType | LazyScreen

/** A screen that loads when it is first opened, with the words of `SCREEN_NAMESPACES`. */
const lazy = (load: () => Promise<{ default: ComponentType }>): Screen =>
  lazyScreen(() =>
    withTimeout(async () => {
      const [screen] = await Promise.all([fetchWithAntDesign(load), loadNamespaces(SCREEN_NAMESPACES)])
      return screen
    }),
  )

/** A screen without Ant Design, except in parts that load on demand. */
const plainScreen = ({ words, load }: DirectEntryRoute): Screen =>
  lazyScreen(() =>
    withTimeout(
      async () => (await Promise.all([load(), loadNamespaces([...SCREEN_NAMESPACES, ...words])]))[0],
    ),
  )

// The words of the first screen load with the application.
const dashboard: Screen = lazyScreen(directEntryRoutes.dashboard.load)
// One view for several paths keeps its state when the user goes from one to another.
const deviceList: Screen = plainScreen(directEntryRoutes.deviceList)

/** A screen with namespaces in addition to those of every screen. */
const withWords = (
  words: Namespace | readonly Namespace[],
  load: () => Promise<{ default: ComponentType }>,
): Screen => lazy(async () => (await Promise.all([load(), loadNamespaces([words].flat())]))[0])

// One view: its selections survive the navigation from a site to the company.
const reportPage: Screen = withWords(
  ['report', 'tariff', 'energy'],
  () => import('./custom-views/report/report-page.tsx'),
)

/** Namespaces of a record's pages in addition to those of every screen. */
const RECORD_WORDS: Partial<Record<ResourceName, Namespace>> = {
  user: 'people',
  group: 'automation',
  scene: 'automation',
  modbusTable: 'modbus',
  conferenceRoom: 'bookings',
  visitor: 'access',
  employee: 'access',
  scanner: 'access',
  notificationChannel: 'channels',
  utilityBill: 'tariff',
}

/** A function, because programs that read the routes without the build have no `import.meta.glob`. */
const recordFiles = () => import.meta.glob<{ default: RecordPages }>('./resources/*/record.tsx')
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Loads the pages of a record, from `src/resources/<name>/record.tsx`. */
export async function loadRecord(name: ResourceName): Promise<RecordPages> {
  const load = recordFiles()[`./resources/${kebab(name)}/record.tsx`]
  if (!load) throw new Error(`${name} has no record.tsx`)
  return (await load()).default
}

const pathSpecs = Object.entries(paths) as [PathName, PathSpec][]

const recordScreens: Partial<Record<PathName, Screen>> = Object.fromEntries(
  pathSpecs.flatMap(([path, { record }]) => {
    if (!record || record.as === 'own') return []
    const { name, as } = record
    const load = async () => ({ default: (await loadRecord(name))[as] })
    return [[path, withWords(RECORD_WORDS[name] ?? [], load)]]
  }),
)

/** Screen of each path. A path of §2 without a screen has no entry: it is no route, and the menu does not offer it. */
export const screens: Partial<Record<PathName, Screen>> = {
  ...recordScreens,
  Home: dashboard,
  Dashboard: dashboard,
  Building: plainScreen(directEntryRoutes.building),
  updateFloor: withWords('floorEditor', () => import('./custom-views/floor-editor/floor-page.tsx')),
  DeviceList: deviceList,
  DeviceCategory: deviceList,
  RoomDevice: deviceList,
  DeviceInfo: lazy(() => import('./custom-views/device-detail/device-page.tsx')),
  ModBusInfo: withWords('modbus', () => import('./custom-views/modbus/modbus-page.tsx')),
  GetStarted: withWords('setup', () => import('./custom-views/get-started/get-started-page.tsx')),
  AddDevices: withWords('setup', () => import('./custom-views/add-device/add-devices-page.tsx')),
  ScheduleListing: withWords('automation', () => import('./resources/automation/schedule-list-page.tsx')),
  updateSchedule: withWords('automation', () => import('./resources/automation/schedule-page.tsx')),
  SmartLinkListing: withWords('automation', () => import('./resources/automation/smart-link-list-page.tsx')),
  updateSmartLink: withWords('automation', () => import('./resources/automation/smart-link-page.tsx')),
  Alarm: withWords(['automation', 'alarms'], () => import('./resources/automation/alarm-page.tsx')),
  updateAlarm: withWords(
    ['automation', 'alarms'],
    () => import('./resources/automation/alarm-rule-page.tsx'),
  ),
  ConferenceRoomBooking: plainScreen(directEntryRoutes.bookings),
  ConferenceRoomAddBooking: withWords(
    'bookings',
    () => import('./custom-views/bookings/add-booking-page.tsx'),
  ),
  ConferenceRoomMyBooking: withWords(
    'bookings',
    () => import('./custom-views/bookings/my-bookings-page.tsx'),
  ),
  ChangePassword: lazy(() => import('./custom-views/personal/change-password.tsx')),
  ChangeNotificationSetting: withWords(
    'inbox',
    () => import('./custom-views/personal/notification-setting.tsx'),
  ),
  ChangeDecimalPrecisionSetting: lazy(() => import('./custom-views/personal/decimal-precision-setting.tsx')),
  MeterImport: withWords('meterImport', () => import('./custom-views/meter-import/import-page.tsx')),
  Export: withWords(['export', 'charts'], () => import('./custom-views/export/export-page.tsx')),
  Electricity: plainScreen(directEntryRoutes.electricity),
  Tariff: withWords(['tariff', 'energy'], () => import('./custom-views/tariff/tariff-page.tsx')),
  Report: reportPage,
  CompanyReport: reportPage,
  Insight: withWords(
    ['balance', 'charts', 'energy', 'history', 'insight', 'tariff'],
    () => import('./custom-views/insight/insight-page.tsx'),
  ),
  Meters: withWords(['balance', 'energy', 'meters'], () => import('./custom-views/meters/meters-page.tsx')),
  Firmware: withWords('ota', () => import('./custom-views/ota/firmware-page.tsx')),
  historyData: withWords(['charts', 'history'], () => import('./custom-views/history/history-page.tsx')),
  historyNotification: withWords(
    ['automation', 'inbox', 'notifications'],
    () => import('./custom-views/notifications/history-page.tsx'),
  ),
  AuditLog: withWords(['audit', 'access'], () => import('./custom-views/audit/audit-page.tsx')),
  CompanyProfile: lazy(() => import('./custom-views/company/company-profile.tsx')),
  DeviceQrcodeView: withWords('access', () => import('./resources/scanner/scanner-qrcode.tsx')),
  ScannerEmployeeList: withWords('access', () => import('./resources/scanner/scanner-employees.tsx')),
  AccessControl: withWords('access', () => import('./custom-views/access-control/access-page.tsx')),
  PermissionDenied,
}

setScreens(screens)

/** Preloads the screen of an address, so that its first paint is complete. */
export function preloadScreen(pathname: string): Promise<void> {
  const name = pathOf(pathname)?.name
  return preloadLazyScreen(name && screens[name])
}
