import { lazy as reactLazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { PathName } from './paths.ts'
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

/**
 * The screen of each path. A path of §2 without a screen has no line here: it is no route, and the menu does not offer it.
 */
export const screens: Partial<Record<PathName, Screen>> = {
  Home: dashboard,
  Dashboard: dashboard,
  HomeList: lazy(() => import('./resources/home/home-list.tsx')),
  CreateHome: lazy(() => import('./resources/home/create-home.tsx')),
  DeviceList: deviceList,
  DeviceCategory: deviceList,
  RoomDevice: deviceList,
  RoomList: lazy(() => import('./resources/room/room-list.tsx')),
  DeviceInfo: lazy(() => import('./custom-views/device-detail/device-page.tsx')),
  ModBusInfo: withWords('modbus', () => import('./custom-views/modbus/modbus-page.tsx')),
  ModbusTableListing: lazy(() => import('./resources/modbus-table/modbus-table-list.tsx')),
  updateModbusTable: withWords('modbus', () => import('./resources/modbus-table/modbus-table-form.tsx')),
  AddDevices: lazy(() => import('./custom-views/add-device/add-devices-page.tsx')),
  UserListing: withWords('people', () => import('./resources/user/user-list.tsx')),
  addUser: withWords('people', () => import('./resources/user/user-form.tsx')),
  editUser: withWords('people', () => import('./resources/user/user-form.tsx')),
  deptSetting: lazy(() => import('./resources/department/department-list.tsx')),
  ConferenceRoomListing: withWords(
    'bookings',
    () => import('./resources/conference-room/conference-room-list.tsx'),
  ),
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
  VisitorRegister: withWords('access', () => import('./resources/visitor/visitor-register.tsx')),
  VisitorManagement: withWords('access', () => import('./resources/visitor/visitor-list.tsx')),
  VisitorEdit: withWords('access', () => import('./resources/visitor/visitor-edit.tsx')),
  EmployeeManagement: withWords('access', () => import('./resources/employee/employee-list.tsx')),
  EmployeeEdit: withWords('access', () => import('./resources/employee/employee-edit.tsx')),
  CreateEmployee: withWords('access', () => import('./resources/employee/create-employee.tsx')),
  ScannerManagement: withWords('access', () => import('./resources/scanner/scanner-list.tsx')),
  CreateScanner: withWords('access', () => import('./resources/scanner/create-scanner.tsx')),
  ScannerEdit: withWords('access', () => import('./resources/scanner/scanner-edit.tsx')),
  DeviceQrcodeView: withWords('access', () => import('./resources/scanner/scanner-qrcode.tsx')),
  ScannerEmployeeList: withWords('access', () => import('./resources/scanner/scanner-employees.tsx')),
  PermissionDenied: lazy(() => import('./shell/permission-denied.tsx')),
}

offerPages(Object.keys(screens) as PathName[])

export const hasScreen = (name: PathName): boolean => screens[name] !== undefined

/** Which view a path shows: paths of one view have the same, and the frame shows it loading only when it changes. */
export const viewOf = (name: PathName | undefined): number =>
  Object.values(screens).findIndex((screen) => name !== undefined && screen === screens[name])

/** Pages of plain records: lists and forms that may use Refine's hooks. */
export const recordPages: readonly PathName[] = [
  'HomeList',
  'CreateHome',
  'RoomList',
  'UserListing',
  'addUser',
  'editUser',
  'deptSetting',
  'ModbusTableListing',
  'updateModbusTable',
]
