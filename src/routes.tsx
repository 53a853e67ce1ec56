import { lazy as reactLazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { ResourceName } from '../contract/index.ts'
import type { PathName } from './paths.ts'
import type { RecordPages } from './record-kit/define-record.tsx'
import { loadNamespaces } from './lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import type { Namespace } from './lib/i18n/words.ts'
import { offerPages } from './shell/offered-pages.ts'

type Screen = LazyExoticComponent<ComponentType>

/** A screen that is fetched when it is first opened, with the words that the first screen does without. */
const lazy = (load: () => Promise<{ default: ComponentType }>): Screen =>
  reactLazy(async () => {
    const [screen, dialogs] = await Promise.all([
      load(),
      import('./ui/page/with-dialogs.tsx'),
      loadNamespaces(SCREEN_NAMESPACES),
    ])
    return { default: dialogs.withDialogs(screen.default) }
  })

// The words of the first screen come with the application.
const dashboard: Screen = reactLazy(() => import('./custom-views/dashboard/dashboard.tsx'))
// One view for several paths keeps its state when a person goes from one to the other.
const deviceList: Screen = lazy(() => import('./custom-views/device-list/device-list-page.tsx'))

/** A screen whose words are not among those that every screen may use. */
const withWords = (
  words: Namespace | readonly Namespace[],
  load: () => Promise<{ default: ComponentType }>,
): Screen => lazy(async () => (await Promise.all([load(), loadNamespaces([words].flat())]))[0])

/** Where the pages of a record are, and what shows them. */
interface RecordRoute {
  load: () => Promise<{ default: RecordPages }>
  words?: Namespace
  List: PathName
  Create?: PathName
  Edit?: PathName
  /** Pages about one record of its own kind. */
  more?: Partial<Record<PathName, () => Promise<{ default: ComponentType }>>>
}

/** The records that have pages of lists and forms. */
export const records: Partial<Record<ResourceName, RecordRoute>> = {
  home: { load: () => import('./resources/home/home.tsx'), List: 'HomeList', Create: 'CreateHome' },
  room: { load: () => import('./resources/room/room.tsx'), List: 'RoomList' },
  user: {
    load: () => import('./resources/user/user.tsx'),
    words: 'people',
    List: 'UserListing',
    Create: 'addUser',
    Edit: 'editUser',
  },
  department: { load: () => import('./resources/department/department.tsx'), List: 'deptSetting' },
  modbusTable: {
    load: () => import('./resources/modbus-table/modbus-table.tsx'),
    words: 'modbus',
    List: 'ModbusTableListing',
    Edit: 'updateModbusTable',
  },
  conferenceRoom: {
    load: () => import('./resources/conference-room/conference-room.tsx'),
    words: 'bookings',
    List: 'ConferenceRoomListing',
  },
  visitor: {
    load: () => import('./resources/visitor/visitor.tsx'),
    words: 'access',
    List: 'VisitorManagement',
    Create: 'VisitorRegister',
    Edit: 'VisitorEdit',
  },
  employee: {
    load: () => import('./resources/employee/employee.tsx'),
    words: 'access',
    List: 'EmployeeManagement',
    Create: 'CreateEmployee',
    Edit: 'EmployeeEdit',
  },
  scanner: {
    load: () => import('./resources/scanner/scanner.tsx'),
    words: 'access',
    List: 'ScannerManagement',
    Create: 'CreateScanner',
    Edit: 'ScannerEdit',
    more: {
      DeviceQrcodeView: () => import('./resources/scanner/scanner-qrcode.tsx'),
      ScannerEmployeeList: () => import('./resources/scanner/scanner-employees.tsx'),
    },
  },
}

/**
 * Records whose list is a page of its own, on the one data path and without the kit: who opens the devices or the energy
 * does not wait for it.
 */
export const ownLists = {
  peripheral: 'DeviceList',
  tariff: 'Tariff',
  virtualMeter: 'Meters',
} as const satisfies Partial<Record<ResourceName, PathName>>

const recordScreens: Partial<Record<PathName, Screen>> = Object.fromEntries(
  Object.values(records).flatMap(({ load, words = [], List, Create, Edit, more = {} }) => {
    const page = (path: PathName | undefined, name: keyof RecordPages) =>
      path ? [[path, withWords(words, async () => ({ default: (await load()).default[name] }))] as const] : []
    return [
      ...page(List, 'List'),
      ...page(Create, 'Create'),
      ...page(Edit, 'Edit'),
      ...Object.entries(more).map(([path, loadOne]) => [path, withWords(words, loadOne)] as const),
    ]
  }),
)

/** Pages of records, which use Refine's hooks. */
export const recordPages = Object.keys(recordScreens) as readonly PathName[]

/**
 * The screen of each path. A path of §2 without a screen has no line here: it is no route, and the menu does not offer it.
 */
export const screens: Partial<Record<PathName, Screen>> = {
  ...recordScreens,
  Home: dashboard,
  Dashboard: dashboard,
  DeviceList: deviceList,
  DeviceCategory: deviceList,
  RoomDevice: deviceList,
  DeviceInfo: lazy(() => import('./custom-views/device-detail/device-page.tsx')),
  ModBusInfo: withWords('modbus', () => import('./custom-views/modbus/modbus-page.tsx')),
  AddDevices: lazy(() => import('./custom-views/add-device/add-devices-page.tsx')),
  ConferenceRoomBooking: withWords('bookings', () => import('./custom-views/bookings/booking-page.tsx')),
  ConferenceRoomAddBooking: withWords(
    'bookings',
    () => import('./custom-views/bookings/add-booking-page.tsx'),
  ),
  ConferenceRoomMyBooking: withWords(
    'bookings',
    () => import('./custom-views/bookings/my-bookings-page.tsx'),
  ),
  ChangePassword: lazy(() => import('./custom-views/personal/change-password.tsx')),
  ChangeNotificationSetting: lazy(() => import('./custom-views/personal/notification-setting.tsx')),
  ChangeDecimalPrecisionSetting: lazy(() => import('./custom-views/personal/decimal-precision-setting.tsx')),
  MeterImport: withWords('meterImport', () => import('./custom-views/meter-import/import-page.tsx')),
  Export: withWords(['export', 'charts'], () => import('./custom-views/export/export-page.tsx')),
  Electricity: withWords(
    ['charts', 'energy'],
    () => import('./custom-views/electricity/electricity-page.tsx'),
  ),
  Tariff: withWords('tariff', () => import('./custom-views/tariff/tariff-page.tsx')),
  Meters: withWords(['energy', 'meters'], () => import('./custom-views/meters/meters-page.tsx')),
  Firmware: withWords('ota', () => import('./custom-views/ota/firmware-page.tsx')),
  historyData: withWords(['charts', 'history'], () => import('./custom-views/history/history-page.tsx')),
  AuditLog: withWords(['audit', 'access'], () => import('./custom-views/audit/audit-page.tsx')),
  CompanyProfile: lazy(() => import('./custom-views/company/company-profile.tsx')),
  AccessControl: withWords('access', () => import('./custom-views/access-control/access-page.tsx')),
  PermissionDenied: lazy(() => import('./shell/permission-denied.tsx')),
}

offerPages(Object.keys(screens) as PathName[])

export const hasScreen = (name: PathName): boolean => screens[name] !== undefined

/** Which view a path shows: paths of one view have the same, and the frame shows it loading only when it changes. */
export const viewOf = (name: PathName | undefined): number =>
  Object.values(screens).findIndex((screen) => name !== undefined && screen === screens[name])
