import { expect, it } from 'vitest'
import type { z } from 'zod'
import { changeAccess } from '../../contract/channels/table.ts'
import type { Access } from '../../contract/kernel/permissions.ts'
import { channels, endpoints } from '../../contract/index.ts'
import { accessesOf, type AnyEndpoint, type SiteClass } from '../../contract/kernel/define-endpoint.ts'

/**
 * Right required by each call and topic, stated a second time (§6): a right that is loosened in its declaration is loosened everywhere, and
 * no other test would detect it.
 */
const CALLS: Readonly<Record<string, string>> = {
  public:
    'AcceptInvitation AcknowledgeAlarmByLink ConfirmForgotPassword ConfirmSignUp ForgotPassword GetCompanyPublicProfile ReadInvitation UserSignUp',
  'signed-in':
    'ChangePassword ConnectRealtime DeletePushSubscription ExportMyData GetCompanyProfile GetPersonalConfig GetPersonalPermissions GetSetupState InitializeUser ListAttention ListGrantors ListHome ListNotification ListPermissions ListPushSubscription ListSessions ListUsedBy ReadNotification RevokeSession TestWebPush UpdatePersonalConfig WebPushSubscriptionSetting',
  homes: 'GetAutomationPause',
  'dashboard Read': 'CreateDashboard DeleteDashboard GetDashboard ListDashboard UpdateDashboard',
  'dashboard Update': 'CheckDashboardSharing',
  'home Create': 'CreateHome',
  'home Update': 'UpdateHomeInfo',
  'home Delete': 'DeleteHome',
  'device Read':
    'CasaGetStreamFault CasaIpCamLiveStream ExplainDevice GetAllDeviceWithPeripheral GetDeviceWithPeripheralbyRoomId GetHubTrouble GetPeripheralById ListAutomationRun ListCommand ListDeviceEvent ListIRRemoteContainer ListLastChange ListMaintenance ListModbusTable ListReportFault ListUnmapped',
  'device Create':
    'AddPeripherals AddThing CasaAddPeripheralAdvanceInfo CasaDeviceSync CreateModbusTable GetHubAddress ListDiscoveredPeripheral',
  'device Update':
    'CasaGetPeripheralAdvanceInfo DeletePeripheralImage EndMaintenance ReplacePeripheral RotateThingSecret StartMaintenance UpdateIRRemoteContainerName UpdateModbusTable UpdatePeripheralAdvanceInfo UpdatePeripheralInfo UpdateThingInfo UploadPeripheralImage',
  'device Delete': 'CasaDeletePeripheral DeleteModbusTable RemovePeripheral RemoveThing',
  'room Read': 'GetRoombyHomeId ListFloor ListRoom',
  'room Create': 'CreateFloor CreateRoom',
  'room Update': 'DeleteFloorPlan UpdateFloor UpdateRoomInfo UploadFloorPlan',
  'room Delete': 'DeleteFloor DeleteRoom',
  'user Read': 'GetUser ListDepartment ListUser ListUserPage',
  'user Create': 'CheckUserImport CreateDepartment CreateUser InviteUser ResendInvitation RevokeInvitation',
  'user Update': 'ResetUserPassword UpdateDepartmentInfo UpdateUserInfo',
  'user Delete': 'DeleteDepartment DeleteUser EraseUserData',
  'user Export': 'ExportUserData',
  'conference_room Read':
    'AvailableSlots CheckInReservation CreateBookingLink DeleteReservation GetReservationByEmail GetReservationByStartTimestamp ListBookingLink ListConferenceRoom RevokeBookingLink UpdateReservation',
  'conference_room Create': 'AddConferenceRoom AddReservation SearchColleague',
  'conference_room Update': 'UpdateConferenceRoom',
  'conference_room Delete': 'RemoveConferenceRoom',
  'history Read': 'GetHistorySeries GetHistoryStatusData GetLastHistoryStatusData ListHistoryQuantity',
  'electricity Read':
    'CompareTariff CompareUtilityBill ExplainChange GetAggregationSummationData GetAllMeterData GetBill GetCarbonRule GetCompanyEnergy GetDailySummationData GetDemand GetEnergyBalance GetEnergySeries GetEnergyUseIntensity GetFindingEvidence GetForecast GetLoadProfile GetMeterImport GetMonthBesideYear GetOutdoorSensor GetReport GetSaving ListCarbonFactor ListDemand ListEndedRoom ListFinding ListHomeTariff ListImportProfile ListMeterCorrection ListMeterFact ListMeterImport ListOffPeakDay ListPeakDay ListPlaceFact ListQuarantinedReading ListTariff ListUtilityBill ListVirtualMeter',
  'electricity Create': 'CreateTariff CreateUtilityBill CreateVirtualMeter',
  'electricity Update':
    'AddMeterImportRows CheckMeterImport CloseReport CommitMeterImport CreateMeterCorrection CreateMeterImport DecideQuarantinedReading DeleteImportProfile RecordMeasure SaveImportProfile SetMeterFact SetMeterFacts SetPlaceFact UndoMeterCorrection UndoMeterImport UpdateBudget UpdateCarbonFactor UpdateFinding UpdateHomeTariff UpdateOffPeakDay UpdateOutdoorSensor UpdatePeakDay UpdateTariff UpdateUtilityBill UpdateVirtualMeter',
  'electricity Delete':
    'DeleteMeterFact DeletePlaceFact DeleteTariff DeleteUtilityBill DeleteVirtualMeter ReopenReport',
  'device_control Control': 'CasaControlIRRemote RetryRun RunScene UndoScene',
  'group Create': 'CreateGroup',
  'group Delete': 'DeleteGroup',
  'group Read': 'GetGroupByHomeId',
  'group Update': 'UpdateGroup',
  'power_meter_alarm Create': 'CreateAutomation:4',
  'power_meter_alarm Delete': 'DeleteAutomation:4',
  'power_meter_alarm Read':
    'CheckAutomation:4 GetAvoidedPeaks GetGuards ListAutomation:4 ListBlockedAutomation:4 ListShedding TryAutomation:4',
  'power_meter_alarm Update':
    'RunAutomation:4 SetAutomationEnabled:4 TakeOverAutomation:4 UpdateAutomation:4',
  'scene Create': 'CaptureScene CreateScene',
  'scene Delete': 'DeleteScene',
  'scene Read': 'GetSceneByHomeId',
  'scene Update': 'UpdateScene',
  'schedule Create': 'CreateAutomation:1 CreateAutomation:2',
  'schedule Delete': 'DeleteAutomation:1 DeleteAutomation:2',
  'schedule Read':
    'CheckAutomation:1 CheckAutomation:2 ListAutomation:1 ListAutomation:2 ListBlockedAutomation:1 ListBlockedAutomation:2 TryAutomation:1 TryAutomation:2',
  'schedule Update':
    'PauseAutomation ResumeAutomation RunAutomation:1 RunAutomation:2 SetAutomationEnabled:1 SetAutomationEnabled:2 TakeOverAutomation:1 TakeOverAutomation:2 UpdateAutomation:1 UpdateAutomation:2',
  'smart_link Create': 'CreateAutomation:3 CreateAutomation:5',
  'smart_link Delete': 'DeleteAutomation:3 DeleteAutomation:5',
  'smart_link Read':
    'CheckAutomation:3 CheckAutomation:5 ListAutomation:3 ListAutomation:5 ListBlockedAutomation:3 ListBlockedAutomation:5 TryAutomation:3 TryAutomation:5',
  'smart_link Update':
    'RunAutomation:3 RunAutomation:5 SetAutomationEnabled:3 SetAutomationEnabled:5 TakeOverAutomation:3 TakeOverAutomation:5 UpdateAutomation:3 UpdateAutomation:5',
  alarms: 'ListAlarm',
  alarmActs: 'AcknowledgeAlarm ClearAlarm CommentAlarm ShelveAlarm UnacknowledgeAlarm UnshelveAlarm',
  'company Read': 'ListNotificationChannel ListReportPlan',
  'company Create': 'CreateNotificationChannel CreateReportPlan',
  'company Update':
    'TestNotificationChannel UpdateCarbonRule UpdateCompanyProfile UpdateNotificationChannel UpdateReportPlan UploadCompanyLogo WebPushBroadcast',
  'company Delete': 'DeleteNotificationChannel DeleteReportPlan',
  'company Control': 'ListAuditChoice ListAuditLog',
  'access_control_visitor Read':
    'FindFormerVisitor GetVisitor GetVisitorOverview GetVisitorPass ListVisitor SearchHost',
  'access_control_visitor Create': 'RegisterVisitor',
  'access_control_visitor Update':
    'CheckInVisitor CheckOutVisitor MailVisitorPass RevokeVisitor UpdateVisitor',
  'access_control_visitor Delete': 'EraseVisitorData RemoveVisitor',
  'access_control_visitor Export': 'ExportVisitorData',
  'access_control_employee Read': 'GetEmployee GetEmployeePass ListEmployee',
  'access_control_employee Create': 'CreateEmployee',
  'access_control_employee Update':
    'DeleteEmployeePhoto RenewEmployeePass UpdateEmployee UploadEmployeePhoto',
  'access_control_employee Delete': 'EraseEmployeeData RemoveEmployee',
  'access_control_employee Export': 'ExportEmployeeData',
  'access_control_scanner Read': 'ListInside ListScanEvent ListScanner ListScannerEmployee',
  'access_control_scanner Create': 'CreateScanner',
  'access_control_scanner Update': 'AssignScannerEmployee RotateScannerSecret UpdateScanner',
  'access_control_scanner Delete': 'RemoveScanner',
  'ota Read': 'GetAllOTA ListOTAUpdate',
  'ota Create': 'UploadFirmware',
  'ota Delete': 'DeleteFirmware',
  'ota Control': 'CancelOTA ResumeOTA StartOTA',
  'electricity_download Export': 'SendReport',
}

const TOPICS: Readonly<Record<string, string>> = {
  'signed-in': 'dataChange newsGap userNotification userPermission userResponse',
  'power_meter_alarm Read': 'alarmOfRule',
  'device Read':
    'alarmOfDevice automationRun meterReport modbusRequest modbusTableOf settingsOf settingsRequest shadowGet shadowGetAccepted shadowGetRejected shadowUpdate shadowUpdateAccepted shadowUpdateDelta shadowUpdateRejected status statusChange statusReport statusRequest unmappedReport',
  'device Create': 'hubTrial',
  'access_control_scanner Read': 'accessDecision accessPresence accessScan',
  'ota Control': 'otaCommand otaReport otaRequest otaResponse',
  'device_control Control': 'controlAck controlCommand controlRequest controlResponse',
}

const CHANGES: Readonly<Record<string, string>> = {
  'signed-in': 'automation company',
  homes: 'automationPause home',
  rooms: 'room',
  alarms: 'alarm',
  'company Read': 'notificationChannel reportPlan',
  'dashboard Read': 'dashboard',
  'power_meter_alarm Read': 'shedding',
  'device Read': 'maintenance modbusTable peripheral thing',
  'device Create': 'discovery',
  'user Read': 'department user',
  'room Read': 'floor',
  'conference_room Read': 'conferenceRoom',
  'electricity Read': 'finding metering pricing quarantinedReading report tariff utilityBill virtualMeter',
  'access_control_visitor Read': 'visitor',
  'access_control_employee Read': 'employee',
  'access_control_scanner Read': 'scanEvent scanner',
  'ota Read': 'firmware',
  'group Read': 'group',
  'scene Read': 'scene',
}

/** Class of each call, also stated a second time: a changed class lets the gateway decide rights at other sites. */
const SITES: Readonly<Record<SiteClass, string>> = {
  input:
    'AcknowledgeAlarm AddMeterImportRows AddPeripherals AddThing CancelOTA CaptureScene CasaAddPeripheralAdvanceInfo CasaControlIRRemote CasaDeletePeripheral CasaDeviceSync CasaGetPeripheralAdvanceInfo CasaGetStreamFault CheckAutomation CheckMeterImport ClearAlarm CommentAlarm CommitMeterImport CompareTariff CompareUtilityBill CreateAutomation CreateFloor CreateGroup CreateMeterCorrection CreateMeterImport CreateRoom CreateScanner CreateScene CreateUtilityBill CreateVirtualMeter DecideQuarantinedReading DeleteFloor DeleteFloorPlan DeleteGroup DeleteHome DeleteImportProfile DeleteMeterFact DeletePeripheralImage DeletePlaceFact DeleteRoom DeleteScene DeleteUtilityBill DeleteVirtualMeter EndMaintenance ExplainChange ExplainDevice GetAggregationSummationData GetAutomationPause GetAvoidedPeaks GetBill GetDemand GetDeviceWithPeripheralbyRoomId GetEnergyBalance GetEnergySeries GetEnergyUseIntensity GetFindingEvidence GetForecast GetGroupByHomeId GetGuards GetHistorySeries GetHistoryStatusData GetHubTrouble GetLastHistoryStatusData GetLoadProfile GetMeterImport GetOutdoorSensor GetPeripheralById GetRoombyHomeId GetSceneByHomeId ListAutomationRun ListBlockedAutomation ListCommand ListDeviceEvent ListDiscoveredPeripheral ListEndedRoom ListFloor ListHistoryQuantity ListHomeTariff ListIRRemoteContainer ListImportProfile ListMeterCorrection ListMeterFact ListMeterImport ListOTAUpdate ListPlaceFact ListQuarantinedReading ListReportFault ListShedding ListUnmapped ListUtilityBill ListVirtualMeter PauseAutomation RecordMeasure RemovePeripheral RemoveThing ReplacePeripheral ResumeAutomation ResumeOTA RetryRun RotateThingSecret RunScene SaveImportProfile SetMeterFact SetMeterFacts SetPlaceFact ShelveAlarm StartMaintenance StartOTA TryAutomation UnacknowledgeAlarm UndoMeterCorrection UndoMeterImport UndoScene UnshelveAlarm UpdateBudget UpdateFinding UpdateFloor UpdateGroup UpdateHomeInfo UpdateHomeTariff UpdateIRRemoteContainerName UpdateOutdoorSensor UpdatePeripheralAdvanceInfo UpdatePeripheralInfo UpdateRoomInfo UpdateScene UpdateThingInfo UpdateUtilityBill UpdateVirtualMeter UploadFloorPlan UploadPeripheralImage',
  orCompany:
    'AddConferenceRoom CloseReport GetReport RegisterVisitor ReopenReport SendReport WebPushBroadcast',
  record:
    'AddReservation AssignScannerEmployee CasaIpCamLiveStream CheckInReservation CheckInVisitor CheckOutVisitor CreateBookingLink DeleteAutomation DeleteModbusTable DeleteReservation GetVisitor GetVisitorPass ListScannerEmployee MailVisitorPass RemoveConferenceRoom RemoveScanner RemoveVisitor RevokeBookingLink RevokeVisitor RotateScannerSecret RunAutomation SetAutomationEnabled TakeOverAutomation UpdateAutomation UpdateConferenceRoom UpdateModbusTable UpdateReservation UpdateScanner UpdateVisitor',
  mixed:
    'AvailableSlots CheckDashboardSharing CreateDashboard FindFormerVisitor GetAllDeviceWithPeripheral GetAllMeterData GetAllOTA GetCompanyEnergy GetDailySummationData GetDashboard GetMonthBesideYear GetReservationByEmail GetReservationByStartTimestamp GetSaving GetSetupState GetVisitorOverview ListAlarm ListAttention ListAutomation ListBookingLink ListConferenceRoom ListDemand ListFinding ListHome ListInside ListLastChange ListMaintenance ListNotification ListRoom ListScanEvent ListScanner ListUsedBy ListVisitor UpdateDashboard',
  company:
    'CheckUserImport CreateDepartment CreateEmployee CreateHome CreateModbusTable CreateNotificationChannel CreateReportPlan CreateTariff CreateUser DeleteDepartment DeleteEmployeePhoto DeleteFirmware DeleteNotificationChannel DeleteReportPlan DeleteTariff DeleteUser EraseEmployeeData EraseUserData EraseVisitorData ExportEmployeeData ExportUserData ExportVisitorData GetCarbonRule GetCompanyProfile GetEmployee GetEmployeePass GetHubAddress GetUser InviteUser ListAuditChoice ListAuditLog ListCarbonFactor ListDepartment ListEmployee ListGrantors ListModbusTable ListNotificationChannel ListOffPeakDay ListPeakDay ListReportPlan ListTariff ListUser ListUserPage RemoveEmployee RenewEmployeePass ResendInvitation ResetUserPassword RevokeInvitation SearchColleague SearchHost TestNotificationChannel UpdateCarbonFactor UpdateCarbonRule UpdateCompanyProfile UpdateDepartmentInfo UpdateEmployee UpdateNotificationChannel UpdateOffPeakDay UpdatePeakDay UpdateReportPlan UpdateTariff UpdateUserInfo UploadCompanyLogo UploadEmployeePhoto UploadFirmware',
  none: 'AcceptInvitation AcknowledgeAlarmByLink ChangePassword ConfirmForgotPassword ConfirmSignUp ConnectRealtime DeleteDashboard DeletePushSubscription ExportMyData ForgotPassword GetCompanyPublicProfile GetPersonalConfig GetPersonalPermissions InitializeUser ListDashboard ListPermissions ListPushSubscription ListSessions ReadInvitation ReadNotification RevokeSession TestWebPush UpdatePersonalConfig UserSignUp WebPushSubscriptionSetting',
}

const inWords = (access: Access) =>
  typeof access === 'object' ? `${access.feature} ${access.operation}` : access

/** Names by their group, sorted and separated by spaces. */
function byGroup(list: readonly (readonly [name: string, group: string])[]): Record<string, string> {
  const groups: Record<string, string[]> = {}
  for (const [name, group] of list) (groups[group] ??= []).push(name)
  return Object.fromEntries(
    Object.entries(groups).map(([group, names]) => [group, names.toSorted().join(' ')]),
  )
}

/** Names by the right that they require. */
const byRight = (list: readonly (readonly [name: string, access: Access])[]) =>
  byGroup(list.map(([name, access]) => [name, inWords(access)]))

const homeIdOf = ({ input }: AnyEndpoint): z.ZodType | undefined => input.shape.HomeID
const isRequired = (field: z.ZodType | undefined) =>
  field !== undefined && ![undefined, null].some((value) => field.safeParse(value).success)

it('requires the agreed right for each call', () => {
  const asked = endpoints.flatMap((endpoint) =>
    accessesOf(endpoint).map(({ access, input }) => {
      const values = Object.values(input).map((value) => `:${value}`)
      return [[endpoint.path.slice(1), ...values].join(''), access] as const
    }),
  )
  expect(byRight(asked)).toEqual(CALLS)
})

it('requires the agreed right for each topic', () => {
  expect(byRight(Object.entries(channels).map(([name, { access }]) => [name, access]))).toEqual(TOPICS)
})

it('publishes a change only to users who may read the record', () => {
  expect(byRight(Object.entries(changeAccess))).toEqual(CHANGES)
})

it('decides the sites of each call in the agreed way', () => {
  expect(byGroup(endpoints.map(({ path, sites }) => [path.slice(1), sites]))).toEqual(SITES)
})

it('takes the site from the input exactly if HomeID is required', () => {
  for (const endpoint of endpoints)
    expect(endpoint.sites === 'input', endpoint.path).toBe(isRequired(homeIdOf(endpoint)))
})

it('accepts no HomeID in calls that are independent of sites', () => {
  const independent = endpoints.filter(({ sites }) => sites === 'company' || sites === 'none')
  expect(independent.filter(homeIdOf).map(({ path }) => path)).toEqual([])
})
