import type { ComponentType } from 'react'
import type { HomeWithRooms } from '../contract/homes/home.ts'
import type { FirstCall } from './data/prefetch-calls.ts'
import { ENERGY_NAMESPACES } from './lib/i18n/namespaces.ts'
import type { Namespace } from './lib/i18n/words.ts'
import { pathOf, type PathName } from './navigation/paths.ts'

/** The first requests of a screen that users often open by its address. */
interface ScreenPrefetch {
  /** Calls that depend only on the address; they are sent before the application has loaded. */
  firstCalls: (params: Readonly<Record<string, string>>) => readonly FirstCall[]
  /** Loads the function that fetches the screen's first queries, so that they are cached when it renders. */
  queries?: () => Promise<{ prefetchQueries: (home: HomeWithRooms | undefined) => Promise<unknown> }>
}

/** A screen: its code, and what it needs before it renders. `paths` holds its addresses. */
export interface Route {
  /** Translation namespaces in addition to those of every screen; `app` if those of the application suffice. */
  words?: readonly Namespace[] | 'app'
  load: () => Promise<{ default: ComponentType }>
  /** Whether the screen renders without Ant Design, except in parts that load on demand. */
  plain?: true
  prefetch?: ScreenPrefetch
}

const dashboard: Route = {
  words: 'app',
  load: () => import('./custom-views/dashboard/dashboard.tsx'),
  plain: true,
}

// One route for several paths: its view keeps its state when the user goes from one to another.
const deviceList: Route = {
  load: () => import('./custom-views/device-list/device-list-page.tsx'),
  plain: true,
  prefetch: { firstCalls: ({ HomeID }) => [['/GetAllDeviceWithPeripheral', { HomeID }]] },
}

const report: Route = {
  words: ['report', 'tariff', 'energy'],
  load: () => import('./custom-views/report/report-page.tsx'),
}

/** Screen of each path, except pages of records. A path of §2 without a screen is no route, and the menu does not offer it. */
export const routes: Partial<Record<PathName, Route>> = {
  Home: dashboard,
  Dashboard: dashboard,
  Building: {
    words: ['automation', 'bookings', 'building'],
    load: () => import('./custom-views/building/building-page.tsx'),
    plain: true,
    prefetch: {
      firstCalls: ({ HomeID }) => [['/ListFloor', { HomeID }]],
      queries: () => import('./custom-views/building/prefetch-queries.ts'),
    },
  },
  updateFloor: {
    words: ['floorEditor'],
    load: () => import('./custom-views/floor-editor/floor-page.tsx'),
  },
  DeviceList: deviceList,
  DeviceCategory: deviceList,
  RoomDevice: deviceList,
  DeviceInfo: { load: () => import('./custom-views/device-detail/device-page.tsx') },
  ModBusInfo: { words: ['modbus'], load: () => import('./custom-views/modbus/modbus-page.tsx') },
  GetStarted: { words: ['setup'], load: () => import('./custom-views/get-started/get-started-page.tsx') },
  AddDevices: { words: ['setup'], load: () => import('./custom-views/add-device/add-devices-page.tsx') },
  ScheduleListing: {
    words: ['automation'],
    load: () => import('./resources/automation/schedule-list-page.tsx'),
  },
  updateSchedule: { words: ['automation'], load: () => import('./resources/automation/schedule-page.tsx') },
  SmartLinkListing: {
    words: ['automation'],
    load: () => import('./resources/automation/smart-link-list-page.tsx'),
  },
  updateSmartLink: {
    words: ['automation'],
    load: () => import('./resources/automation/smart-link-page.tsx'),
  },
  Alarm: { words: ['automation', 'alarms'], load: () => import('./resources/automation/alarm-page.tsx') },
  updateAlarm: {
    words: ['automation', 'alarms'],
    load: () => import('./resources/automation/alarm-rule-page.tsx'),
  },
  ConferenceRoomBooking: {
    words: ['bookings'],
    load: () => import('./custom-views/bookings/booking-page.tsx'),
    plain: true,
    prefetch: {
      firstCalls: () => [['/ListConferenceRoom', {}]],
      queries: () => import('./custom-views/bookings/prefetch-queries.ts'),
    },
  },
  ConferenceRoomAddBooking: {
    words: ['bookings'],
    load: () => import('./custom-views/bookings/add-booking-page.tsx'),
  },
  ConferenceRoomMyBooking: {
    words: ['bookings'],
    load: () => import('./custom-views/bookings/my-bookings-page.tsx'),
  },
  ChangePassword: { load: () => import('./custom-views/personal/change-password.tsx') },
  ChangeNotificationSetting: {
    words: ['inbox'],
    load: () => import('./custom-views/personal/notification-setting.tsx'),
  },
  ChangeDecimalPrecisionSetting: {
    load: () => import('./custom-views/personal/decimal-precision-setting.tsx'),
  },
  MeterImport: {
    words: ['charts', 'meterImport'],
    load: () => import('./custom-views/meter-import/import-page.tsx'),
  },
  Export: { words: ['export', 'charts'], load: () => import('./custom-views/export/export-page.tsx') },
  Electricity: {
    words: ENERGY_NAMESPACES,
    load: () => import('./custom-views/electricity/electricity-page.tsx'),
    plain: true,
    prefetch: {
      firstCalls: ({ HomeID }) => [['/GetAllMeterData', { HomeID }]],
      queries: () => import('./custom-views/electricity/prefetch-queries.ts'),
    },
  },
  Tariff: { words: ['tariff', 'energy'], load: () => import('./custom-views/tariff/tariff-page.tsx') },
  Report: report,
  CompanyReport: report,
  Insight: {
    words: ['balance', 'charts', 'energy', 'history', 'insight', 'tariff'],
    load: () => import('./custom-views/insight/insight-page.tsx'),
  },
  Meters: {
    words: ['balance', 'energy', 'meters'],
    load: () => import('./custom-views/meters/meters-page.tsx'),
  },
  Firmware: { words: ['ota'], load: () => import('./custom-views/ota/firmware-page.tsx') },
  historyData: {
    words: ['charts', 'history'],
    load: () => import('./custom-views/history/history-page.tsx'),
  },
  historyNotification: {
    words: ['automation', 'inbox', 'notifications'],
    load: () => import('./custom-views/notifications/history-page.tsx'),
  },
  AuditLog: { words: ['audit', 'access'], load: () => import('./custom-views/audit/audit-page.tsx') },
  CompanyProfile: { load: () => import('./custom-views/company/company-profile.tsx') },
  DeviceQrcodeView: { words: ['access'], load: () => import('./resources/scanner/scanner-qrcode.tsx') },
  ScannerEmployeeList: {
    words: ['access'],
    load: () => import('./resources/scanner/scanner-employees.tsx'),
  },
  AccessControl: { words: ['access'], load: () => import('./custom-views/access-control/access-page.tsx') },
  PermissionDenied: { words: 'app', load: () => import('./shell/permission-denied.tsx'), plain: true },
}

/** Route of an address with its parameters; undefined if there is none. */
export function routeOf(
  pathname: string,
): { name: PathName; route: Route; params: Readonly<Record<string, string>> } | undefined {
  const path = pathOf(pathname)
  const route = path && routes[path.name]
  return route && { ...path, route }
}
