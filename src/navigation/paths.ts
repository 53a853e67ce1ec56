import type { FeatureKey, Operation } from '../../contract/kernel/permissions.ts'
import type { ResourceName } from '../../contract/index.ts'

/** Position of a page in the breadcrumbs (§2): under the current home, or directly under Home, as pages of people, bookings and doors. */
export type PathCrumb =
  | { under: 'root' }
  | { under: 'home' }
  /** Below a list page of the home, e.g. "updateScene" below "SceneList". */
  | { under: 'home'; parent: string }
  | { under: 'root'; parent: string }

/** Groups of the side menu (§2) that contain pages. */
export type PageGroup = 'alarm' | 'automation' | 'history' | 'accounts' | 'conference'

/** Relation of a page to its record. */
export interface RecordPath {
  name: ResourceName
  /** Page of `src/resources/<name>/record.tsx`; `own`: a separate screen about one record. */
  as: 'List' | 'Create' | 'Edit' | 'own'
}

/** One page of §2. */
export interface PathSpec {
  /** Patterns of the router; the first one is used for links. */
  patterns: readonly [string, ...string[]]
  /** Read on any of these features opens it (§6); if empty, it is open to all signed-in users. */
  features: readonly FeatureKey[]
  /** Required operation if it is not Read, for pages that §2 does not list. */
  operation?: Operation
  /** Whether the pattern contains {HomeID}. */
  needsHome: boolean
  crumb: PathCrumb
  /** Group in the side menu; pages are in the order of this table. */
  menu?: PageGroup
  /** Set if the record kit renders the page, or the page uses its hooks. */
  record?: RecordPath
}

const page = (
  patterns: string | readonly [string, ...string[]],
  features: readonly FeatureKey[],
  crumb: PathCrumb = { under: 'root' },
): PathSpec => {
  const list = typeof patterns === 'string' ? ([patterns] as const) : patterns
  return { patterns: list, features, crumb, needsHome: list[0].includes(':HomeID') }
}

const inMenu = (menu: PageGroup, spec: PathSpec): PathSpec => ({ ...spec, menu })
const recordPage = (
  name: ResourceName,
  as: RecordPath['as'],
  ...described: Parameters<typeof page>
): PathSpec => ({ ...page(...described), record: { name, as } })

const inHome = (parent?: string): PathCrumb => (parent ? { under: 'home', parent } : { under: 'home' })
const visitors = ['access_control_visitor'] as const
const employees = ['access_control_employee'] as const
const scanners = ['access_control_scanner'] as const
const below = (parent: string): PathCrumb => ({ under: 'root', parent })

/** Every page of §2 and further ones, by name, with the features of §6 that open it. */
const pages = {
  Home: page(['/', '/home'], ['dashboard']),
  Dashboard: page('/Dashboard', ['dashboard']),
  GetStarted: page('/GetStarted', ['room', 'device', 'electricity', 'user', 'power_meter_alarm']),
  HomeList: recordPage('home', 'List', '/HomeList', ['home']),
  CreateHome: recordPage('home', 'Create', '/CreateHome', ['home'], below('HomeList')),
  Building: page('/Building/:HomeID', ['device'], inHome()),
  updateFloor: {
    ...page('/updateFloor/:HomeID/:FloorID', ['room'], inHome('Building')),
    operation: 'Update',
  },
  DeviceList: page('/DeviceList/:HomeID', ['device'], inHome()),
  DeviceCategory: page('/DeviceCategory/:HomeID/:Category', ['device'], inHome()),
  RoomDevice: page('/RoomDevice/:HomeID/:RoomID', ['device'], inHome()),
  RoomList: recordPage('room', 'List', '/Rooms/:HomeID', ['room'], inHome()),
  ModbusTableListing: recordPage('modbusTable', 'List', '/ModbusTable', ['device']),
  updateModbusTable: recordPage(
    'modbusTable',
    'Edit',
    '/updateModbusTable/:ModbusTableID?',
    ['device'],
    below('ModbusTableListing'),
  ),
  DeviceInfo: page('/DeviceInfo/:HomeID/:peripheralID', ['device'], inHome('DeviceList')),
  ModBusInfo: page('/ModBusInfo/:HomeID/:peripheralID', ['device'], inHome('DeviceList')),
  AddDevices: page('/addDevice/:HomeID', ['device'], inHome()),
  GroupListing: inMenu(
    'automation',
    recordPage('group', 'List', '/GroupListing/:HomeID', ['group'], inHome()),
  ),
  updateGroup: recordPage(
    'group',
    'Edit',
    '/updateGroup/:HomeID/:GroupID?',
    ['group'],
    inHome('GroupListing'),
  ),
  SceneList: inMenu('automation', recordPage('scene', 'List', '/SceneList/:HomeID', ['scene'], inHome())),
  updateScene: recordPage('scene', 'Edit', '/updateScene/:HomeID/:SceneID?', ['scene'], inHome('SceneList')),
  ScheduleListing: inMenu('automation', page('/ScheduleListing/:HomeID', ['schedule'], inHome())),
  updateSchedule: page('/updateSchedule/:HomeID/:automationID?', ['schedule'], inHome('ScheduleListing')),
  SmartLinkListing: inMenu('automation', page('/SmartLink/:HomeID', ['smart_link'], inHome())),
  updateSmartLink: page(
    '/updateSmartLink/:HomeID/:automationID?',
    ['smart_link'],
    inHome('SmartLinkListing'),
  ),
  // Users who may read devices see the alarms of devices; settings need power_meter_alarm.
  Alarm: inMenu('alarm', page('/Alarm/:HomeID', ['power_meter_alarm', 'device'], inHome())),
  updateAlarm: page('/updateAlarm/:HomeID/:automationID?', ['power_meter_alarm'], inHome('Alarm')),
  deptSetting: inMenu('accounts', recordPage('department', 'List', '/dept', ['user'])),
  UserListing: inMenu('accounts', recordPage('user', 'List', '/user/list', ['user'])),
  addUser: recordPage('user', 'Create', '/user/add', ['user']),
  editUser: recordPage('user', 'Edit', '/user/:userID', ['user']),
  ConferenceRoomListing: inMenu(
    'conference',
    recordPage('conferenceRoom', 'List', '/ConferenceRoomListing', ['conference_room']),
  ),
  ConferenceRoomBooking: inMenu('conference', page('/ConferenceRoomBooking', ['conference_room'])),
  ConferenceRoomAddBooking: page('/ConferenceRoomAddBooking', ['conference_room']),
  ConferenceRoomMyBooking: page('/ConferenceRoomMyBooking', ['conference_room']),
  ChangePassword: page('/ChangePassword', []),
  ChangeNotificationSetting: page('/ChangeNotificationSetting', []),
  ChangeDecimalPrecisionSetting: page('/ChangeDecimalPrecisionSetting', []),
  Export: page('/export/:HomeID/:kind?', ['history'], inHome()),
  MeterImport: page('/import/:HomeID', ['electricity'], inHome('Electricity')),
  historyData: inMenu('history', page('/history/:HomeID', ['history'], inHome())),
  historyNotification: inMenu('alarm', page('/historyNotification/:HomeID', [], inHome())),
  Electricity: inMenu('history', page('/electricity/:HomeID', ['electricity'], inHome())),
  Insight: inMenu('history', page('/insight/:HomeID', ['electricity'], inHome())),
  Report: inMenu('history', page('/report/:HomeID/:Kind?/:Period?', ['electricity'], inHome())),
  CompanyReport: page('/CompanyReport/:Kind?/:Period?', ['electricity']),
  Tariff: inMenu('history', page('/tariff/:HomeID', ['electricity'], inHome())),
  UtilityBills: recordPage('utilityBill', 'List', '/UtilityBills/:HomeID', ['electricity'], inHome('Tariff')),
  Meters: inMenu('history', page('/meters/:HomeID', ['electricity'], inHome())),
  Firmware: page('/Firmware/:HomeID', ['ota'], inHome()),
  CompanyProfile: page('/CompanyProfile', ['company']),
  NotificationChannels: recordPage('notificationChannel', 'List', '/NotificationChannels', ['company']),
  ReportPlans: recordPage('reportPlan', 'List', '/ReportPlans', ['company']),
  AuditLog: { ...page('/AuditLog', ['company']), operation: 'Control' },
  AccessControl: page('/AccessControl', [...visitors, ...employees, ...scanners]),
  VisitorRegister: recordPage('visitor', 'Create', '/VisitorRegister', visitors),
  VisitorManagement: recordPage('visitor', 'List', '/VisitorManagement', visitors),
  VisitorEdit: recordPage('visitor', 'Edit', '/VisitorEdit/:visitorID', visitors),
  EmployeeManagement: recordPage('employee', 'List', '/EmployeeManagement', employees),
  EmployeeEdit: recordPage('employee', 'Edit', '/EmployeeEdit/:employeeID', employees),
  CreateEmployee: recordPage('employee', 'Create', '/CreateEmployee', employees),
  ScannerManagement: recordPage('scanner', 'List', '/ScannerManagement', scanners),
  CreateScanner: recordPage('scanner', 'Create', '/CreateScanner', scanners),
  ScannerEdit: recordPage('scanner', 'Edit', '/ScannerEdit/:ThingName', scanners),
  DeviceQrcodeView: recordPage('scanner', 'own', '/ScannerManagement/DeviceQrcodeView/:deviceName', scanners),
  ScannerEmployeeList: recordPage('scanner', 'own', '/ScannerEmployeeList/:deviceName', scanners),
  PermissionDenied: page('/permission_denied', []),
} satisfies Record<string, PathSpec>

export type PathName = keyof typeof pages
export const paths: Record<PathName, PathSpec> = pages

export type PathParams = Readonly<Record<string, string | number | undefined>>

/** Address of a page. Omits the segment of an absent optional parameter; throws if a required one is missing. */
export function pathTo(name: PathName, params: PathParams = {}): string {
  const filled = paths[name].patterns[0].split('/').flatMap((segment) => {
    const parameter = /^:(\w+)(\?)?$/.exec(segment)
    if (!parameter) return [segment]
    const value = params[parameter[1] as string]
    if (value !== undefined && value !== '') return [encodeURIComponent(value)]
    if (parameter[2]) return []
    throw new Error(`${name} needs ${parameter[1]}`)
  })
  return filled.join('/') || '/'
}

/** Page of an address with its parameters; undefined if there is none. Fixed segments take precedence over parameters. */
export function pathOf(pathname: string): { name: PathName; params: Record<string, string> } | undefined {
  let fallback: { name: PathName; params: Record<string, string> } | undefined
  for (const [name, { patterns }] of Object.entries(paths) as [PathName, PathSpec][])
    for (const pattern of patterns) {
      const params = match(pattern, pathname)
      if (!params) continue
      if (Object.keys(params).length === 0) return { name, params }
      fallback ??= { name, params }
    }
  return fallback
}

function match(pattern: string, pathname: string): Record<string, string> | undefined {
  const patternParts = pattern.split('/').filter(Boolean)
  const pathParts = pathname.split('/').filter(Boolean)
  if (pathParts.length > patternParts.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of patternParts.entries()) {
    const parameter = /^:(\w+)(\?)?$/.exec(segment)
    const part = pathParts[i]
    if (part === undefined) {
      if (!parameter?.[2]) return undefined
    } else if (parameter) params[parameter[1] as string] = decode(part)
    else if (segment.toLowerCase() !== part.toLowerCase()) return undefined
  }
  return params
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Paths of record pages, which use Refine's hooks. */
export const recordPages = (Object.entries(paths) as [PathName, PathSpec][])
  .filter(([, { record }]) => record)
  .map(([name]) => name)

/** Records whose list is a page without the record kit, so that e.g. the device list does not wait for the kit. */
export const listPages = {
  peripheral: 'DeviceList',
  tariff: 'Tariff',
  virtualMeter: 'Meters',
  automation: 'SmartLinkListing',
  floor: 'Building',
  dashboard: 'Dashboard',
} as const satisfies Partial<Record<ResourceName, PathName>>
