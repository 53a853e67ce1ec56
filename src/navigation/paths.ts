import {
  decide,
  may,
  type Access,
  type FeatureKey,
  type Operation,
  type PermissionSubject,
} from '../../contract/kernel/permissions.ts'
import type { ResourceName } from '../../contract/index.ts'

/** Where a page hangs in the breadcrumbs (§2): under the current home, or directly under Home, as all of people, bookings and doors do. */
export type PathCrumb =
  | { under: 'root' }
  | { under: 'home' }
  /** Beneath a list page of the home, e.g. "updateScene" beneath "SceneList". */
  | { under: 'home'; parent: string }
  | { under: 'root'; parent: string }

/** Groups of the side menu (§2) whose lines are pages. */
export type PageGroup = 'alarm' | 'automation' | 'history' | 'accounts' | 'conference'

/** What a page is to the record it is about. */
export interface RecordPath {
  name: ResourceName
  /** Which page of `src/resources/<name>/record.tsx` it is; `own`: a screen of its own about one record. */
  as: 'List' | 'Create' | 'Edit' | 'own'
}

/** One page of §2. */
export interface PathSpec {
  /** Patterns of the router; the first one is the one we link to. */
  patterns: readonly [string, ...string[]]
  /** Read on one of these features opens it (§6); none = every signed-in person. */
  features: readonly FeatureKey[]
  /** Where another operation than Read opens it: pages beyond §2. */
  operation?: Operation
  /** Reachable only with a home in hand: its pattern carries {HomeID}. */
  needsHome: boolean
  crumb: PathCrumb
  /** Its group in the side menu, where it stands in the order of this table. */
  menu?: PageGroup
  /** Of a page that the record kit draws, or that uses its hooks. */
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

/** Every page of §2, and those beyond it, by name, with the feature of §6 that opens it. */
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
  // Who may read devices sees the alarms that these raise; what is set needs power_meter_alarm.
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

/** The address of a page. An optional parameter left out drops its segment; a missing required one throws. */
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

/** The page of an address with its parameters, or undefined where no page is. Fixed words win over parameters. */
export function pathOf(pathname: string): { name: PathName; params: Record<string, string> } | undefined {
  let loose: { name: PathName; params: Record<string, string> } | undefined
  for (const [name, { patterns }] of Object.entries(paths) as [PathName, PathSpec][])
    for (const pattern of patterns) {
      const params = match(pattern, pathname)
      if (!params) continue
      if (Object.keys(params).length === 0) return { name, params }
      loose ??= { name, params }
    }
  return loose
}

function match(pattern: string, pathname: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').filter(Boolean)
  const given = pathname.split('/').filter(Boolean)
  if (given.length > wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of wanted.entries()) {
    const parameter = /^:(\w+)(\?)?$/.exec(segment)
    const part = given[i]
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

/** What is missing to open a page, or true (§6: Read on one of the route's features; none asked = open to all). */
export function mayOpen(name: PathName, subject: PermissionSubject | undefined): ReturnType<typeof decide> {
  const { features, operation = 'Read' } = paths[name]
  const [first] = features
  if (!first) return decide('signed-in', subject)
  const asked: Access = { feature: first, operation }
  if (subject && features.some((feature) => may(subject, feature, operation))) return true
  return decide(asked, subject)
}
