/** One call of section 7: its path, the input fields that the section names, and special properties. */
export interface Call {
  path: string
  fields: readonly string[]
  method: 'POST' | 'GET'
  /** Authentication: the id token, the access token as well, or the key of the public auth API. */
  by: 'id token' | 'access token' | 'api key'
}

const call = (path: string, ...fields: string[]): Call => ({ path, fields, method: 'POST', by: 'id token' })
const by = (how: Call['by'], ...described: Parameters<typeof call>): Call => ({
  ...call(...described),
  by: how,
})

/** Section 7, its calls, in order. */
export const CALLS: readonly Call[] = [
  // Personal and push
  { ...call('/GetPersonalConfig'), method: 'GET' },
  call('/UpdatePersonalConfig', 'Notification', 'CustomDashboard', 'DecimalPrecision'),
  call('/WebPushSubscriptionSetting', 'Status', 'SubscriptionInfo'),
  call('/WebPushBroadcast'),
  // Company
  call('/UpdateCompanyProfile', 'CompanyName', 'LogoName'),
  call('/GetCompanyProfile'),
  by('api key', '/GetCompanyPublicProfile'),
  // Home
  call('/CreateHome', 'HomeName', 'TimeZone', 'timezone'),
  call('/ListHome'),
  call('/UpdateHomeInfo', 'HomeID', 'HomeName', 'TimeZone', 'timezone', 'ThreadNetworkKey'),
  call('/DeleteHome', 'HomeID'),
  // Room
  call('/ListRoom'),
  call('/GetRoombyHomeId', 'HomeID'),
  call('/CreateRoom', 'HomeID', 'RoomName'),
  call('/UpdateRoomInfo', 'HomeID', 'RoomID', 'RoomName'),
  call('/DeleteRoom', 'HomeID', 'RoomID'),
  call('/CreateAutomation', 'HomeID', 'AutomationType'),
  call('/ListAutomation', 'AutomationType'),
  call('/UpdateAutomation', 'AutomationType', 'AutomationID'),
  call('/DeleteAutomation', 'AutomationType', 'AutomationID'),
  // Device
  call('/GetAllDeviceWithPeripheral'),
  call('/GetDeviceWithPeripheralbyRoomId', 'HomeID', 'RoomID'),
  call('/UpdatePeripheralInfo', 'HomeID', 'PeripheralUID', 'RoomID', 'PeripheralName'),
  call('/UpdatePeripheralAdvanceInfo', 'HomeID', 'PeripheralUID', 'PowerMeterUpdateFrequency', 'ControlMode'),
  call('/UpdateThingInfo', 'HomeID', 'ThingName', 'DeviceName', 'RoomID'),
  call('/RemoveThing', 'HomeID', 'ThingName'),
  call('/GetPeripheralById', 'PeripheralUID', 'HomeID'),
  // Third-party camera and IR integration
  call('/CasaDeviceSync', 'HomeID', 'RoomID'),
  call('/CasaIpCamLiveStream', 'CasaPeripheralUIDList'),
  call('/CasaDeletePeripheral', 'HomeID', 'PeripheralUID'),
  call('/CasaAddPeripheralAdvanceInfo', 'HomeID', 'PeripheralUID'),
  call('/CasaControlIRRemote', 'HomeID', 'PeripheralUID', 'PMACAddress', 'ContMID', 'ContDID'),
  call('/UpdateIRRemoteContainerName', 'HomeID', 'PeripheralUID', 'ContMID', 'ContMName'),
  // Charts and data
  call('/GetAggregationSummationData', 'PeriodType', 'Compare'),
  call('/GetDailySummationData'),
  call('/GetAllMeterData'),
  call('/GetHistoryStatusData'),
  call('/GetLastHistoryStatusData'),
  // Users
  call('/ListUser'),
  call('/ListDepartment'),
  call('/CreateDepartment', 'Department'),
  call('/UpdateDepartmentInfo', 'DepartmentID', 'Department'),
  call('/DeleteDepartment', 'DepartmentID'),
  call(
    '/CreateUser',
    'Email',
    'FirstName',
    'LastName',
    'nickname',
    'DepartmentID',
    'enabled',
    'rank',
    'password',
  ),
  call('/UpdateUserInfo', 'Email', 'FirstName', 'LastName', 'DepartmentID', 'enabled', 'rank', 'Permissions'),
  call('/DeleteUser', 'Email'),
  call('/ListPermissions'),
  call('/GetPersonalPermissions'),
  // OTA
  call('/GetAllOTA'),
  // Conference
  call('/ListConferenceRoom'),
  call('/GetReservationByEmail', 'Email'),
  call('/GetReservationByStartTimestamp'),
  call('/AvailableSlots'),
  call('/AddConferenceRoom', 'ConferenceRoomName', 'Capacity'),
  call('/UpdateConferenceRoom', 'ConferenceRoomID', 'ConferenceRoomName', 'Capacity'),
  call('/DeleteReservation', 'RecordID'),
  call('/AddReservation', 'ConferenceRoomID', 'Subject', 'Attendees', 'Host', 'Description'),
  // Group
  call('/CreateGroup', 'HomeID', 'GroupName', 'PeripheralList'),
  call('/GetGroupByHomeId', 'HomeID'),
  call('/UpdateGroup', 'HomeID', 'GroupID', 'GroupName', 'PeripheralList'),
  call('/DeleteGroup', 'HomeID', 'GroupID'),
  // Scene
  call('/CreateScene', 'HomeID'),
  call('/GetSceneByHomeId', 'HomeID'),
  call('/UpdateScene', 'HomeID', 'SceneID'),
  call('/DeleteScene', 'HomeID', 'SceneID'),
  // Upload
  call('/UploadPeripheralImage', 'HomeID', 'PeripheralUID', 'ContentType'),
  call('/UploadCompanyLogo', 'ContentType'),
  call('/DeletePeripheralImage', 'HomeID', 'PeripheralUID'),
  // Auth
  by('access token', '/ChangePassword'),
  by('access token', '/InitializeUser'),
  by('api key', '/ForgotPassword', 'Email'),
  by('api key', '/UserSignUp', 'Email', 'Password', 'FirstName', 'LastName'),
  by('api key', '/ConfirmForgotPassword', 'Email', 'ConfirmationCode', 'NewPassword'),
]
