import type { FeatureKey } from '../../../contract/kernel/permissions.ts'
import type { PathName } from '../../../src/navigation/paths.ts'

/** One path of section 2, its page, and the features of section 6 of which any one opens it. */
export interface Route {
  path: string
  page: PathName
  features: readonly FeatureKey[]
}

const route = (path: string, page: PathName, ...features: FeatureKey[]): Route => ({ path, page, features })
/** Section 2, Routes, in its order; the features are those of section 6, Route to feature. */
export const ROUTES: readonly Route[] = [
  route('/', 'Home', 'dashboard'),
  route('/home', 'Home', 'dashboard'),
  route('/Dashboard', 'Dashboard', 'dashboard'),
  route('/HomeList', 'HomeList', 'home'),
  route('/CreateHome', 'CreateHome', 'home'),
  route('/DeviceList/{HomeID}', 'DeviceList', 'device'),
  route('/DeviceCategory/{HomeID}/{Category}', 'DeviceCategory', 'device'),
  route('/RoomDevice/{HomeID}/{RoomID}', 'RoomDevice', 'device'),
  route('/Rooms/{HomeID}', 'RoomList', 'room'),
  route('/DeviceInfo/{HomeID}/{peripheralID}', 'DeviceInfo', 'device'),
  route('/ModBusInfo/{HomeID}/{peripheralID}', 'ModBusInfo', 'device'),
  route('/addDevice/{HomeID}', 'AddDevices', 'device'),
  route('/GroupListing/{HomeID}', 'GroupListing', 'group'),
  route('/updateGroup/{HomeID}', 'updateGroup', 'group'),
  route('/updateGroup/{HomeID}/{GroupID}', 'updateGroup', 'group'),
  route('/SceneList/{HomeID}', 'SceneList', 'scene'),
  route('/updateScene/{HomeID}', 'updateScene', 'scene'),
  route('/updateScene/{HomeID}/{SceneID}', 'updateScene', 'scene'),
  route('/ScheduleListing/{HomeID}', 'ScheduleListing', 'schedule'),
  route('/updateSchedule/{HomeID}', 'updateSchedule', 'schedule'),
  route('/updateSchedule/{HomeID}/{automationID}', 'updateSchedule', 'schedule'),
  route('/SmartLink/{HomeID}', 'SmartLinkListing', 'smart_link'),
  route('/updateSmartLink/{HomeID}', 'updateSmartLink', 'smart_link'),
  route('/updateSmartLink/{HomeID}/{automationID}', 'updateSmartLink', 'smart_link'),
  route('/Alarm/{HomeID}', 'Alarm', 'power_meter_alarm', 'device'),
  route('/updateAlarm/{HomeID}', 'updateAlarm', 'power_meter_alarm'),
  route('/updateAlarm/{HomeID}/{automationID}', 'updateAlarm', 'power_meter_alarm'),
  route('/user/list', 'UserListing', 'user'),
  route('/user/add', 'addUser', 'user'),
  route('/user/{userID}', 'editUser', 'user'),
  route('/dept', 'deptSetting', 'user'),
  route('/ConferenceRoomListing', 'ConferenceRoomListing', 'conference_room'),
  route('/ConferenceRoomBooking', 'ConferenceRoomBooking', 'conference_room'),
  route('/ConferenceRoomAddBooking', 'ConferenceRoomAddBooking', 'conference_room'),
  route('/ConferenceRoomMyBooking', 'ConferenceRoomMyBooking', 'conference_room'),
  route('/ChangePassword', 'ChangePassword'),
  route('/ChangeNotificationSetting', 'ChangeNotificationSetting'),
  route('/ChangeDecimalPrecisionSetting', 'ChangeDecimalPrecisionSetting'),
  route('/export/{HomeID}', 'Export', 'history'),
  route('/history/{HomeID}', 'historyData', 'history'),
  route('/historyNotification/{HomeID}', 'historyNotification'),
  route('/electricity/{HomeID}', 'Electricity', 'electricity'),
  route('/CompanyProfile', 'CompanyProfile', 'company'),
  route(
    '/AccessControl',
    'AccessControl',
    'access_control_visitor',
    'access_control_employee',
    'access_control_scanner',
  ),
  route('/VisitorRegister', 'VisitorRegister', 'access_control_visitor'),
  route('/VisitorManagement', 'VisitorManagement', 'access_control_visitor'),
  route('/VisitorEdit/{visitorID}', 'VisitorEdit', 'access_control_visitor'),
  route('/EmployeeManagement', 'EmployeeManagement', 'access_control_employee'),
  route('/EmployeeEdit/{employeeID}', 'EmployeeEdit', 'access_control_employee'),
  route('/CreateEmployee', 'CreateEmployee', 'access_control_employee'),
  route('/ScannerManagement', 'ScannerManagement', 'access_control_scanner'),
  route('/CreateScanner', 'CreateScanner', 'access_control_scanner'),
  route('/ScannerEdit/{ThingName}', 'ScannerEdit', 'access_control_scanner'),
  route('/ScannerManagement/DeviceQrcodeView/{deviceName}', 'DeviceQrcodeView', 'access_control_scanner'),
  route('/ScannerEmployeeList/{deviceName}', 'ScannerEmployeeList', 'access_control_scanner'),
  route('/permission_denied', 'PermissionDenied'),
]

/** Section 2, pages for signed-out users: the view of each path. */
export const SIGNED_OUT_ROUTES = { '/forgetPassWord': 'forgot', '/resetPassWord': 'reset' } as const

/** Section 2, Side menu entries in order: pages, and groups with theirs. Additional menu entries come in between. */
export const MENU: readonly string[] = [
  'Dashboard',
  'DeviceList',
  'AddDevices',
  'alarm: Alarm, historyNotification',
  'automation: GroupListing, SceneList, ScheduleListing, SmartLinkListing',
  'history: historyData, Electricity',
  'categories',
  'RoomList',
  'rooms',
  'HomeList',
  'accounts: deptSetting, UserListing',
  'conference: ConferenceRoomListing, ConferenceRoomBooking',
  'CompanyProfile',
]
/** Section 2, Breadcrumbs: pages directly under Home. */
export const UNDER_HOME: readonly PathName[] = [
  'UserListing',
  'addUser',
  'editUser',
  'deptSetting',
  'ConferenceRoomListing',
  'ConferenceRoomBooking',
  'ConferenceRoomAddBooking',
  'ConferenceRoomMyBooking',
  'CompanyProfile',
  'VisitorRegister',
  'VisitorManagement',
  'VisitorEdit',
  'EmployeeManagement',
  'EmployeeEdit',
  'CreateEmployee',
  'ScannerManagement',
  'CreateScanner',
  'ScannerEdit',
]
