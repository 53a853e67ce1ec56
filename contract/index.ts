import { dataChange, userPermission, userResponse } from './channels/data-change.ts'
import { alarmOfDevice, alarmOfRule, userNotification } from './channels/alarm.ts'
import { automationRun } from './channels/automation.ts'
import { controlAck, controlCommand, controlRequest, controlResponse } from './channels/control.ts'
import { meterReport } from './channels/meter.ts'
import { hubTrial } from './channels/hub-trial.ts'
import { modbusRequest, modbusTableOf } from './channels/modbus.ts'
import { unmappedReport } from './channels/unmapped.ts'
import {
  shadowGet,
  shadowGetAccepted,
  shadowGetRejected,
  shadowUpdate,
  shadowUpdateAccepted,
  shadowUpdateDelta,
  shadowUpdateRejected,
} from './channels/shadow.ts'
import { settingsOf, settingsRequest } from './channels/settings.ts'
import { accessDecision, accessPresence, accessScan } from './channels/scan.ts'
import { status, statusChange, statusReport, statusRequest } from './channels/status.ts'
import { otaCommand, otaReport, otaRequest, otaResponse } from './channels/ota.ts'
import { messageGap } from './channels/news-gap.ts'
import type { AnyChannel } from './kernel/define-channel.ts'
import type { AnyEndpoint } from './kernel/define-endpoint.ts'
import { accessControl } from './procedures/access-control.ts'
import { alarms } from './procedures/alarms.ts'
import { attention } from './procedures/devices/attention.ts'
import { bills } from './procedures/bills.ts'
import { automations } from './procedures/automations.ts'
import { audit } from './procedures/audit.ts'
import { cameraAndIr } from './procedures/camera-and-ir.ts'
import { commands } from './procedures/commands.ts'
import { company } from './procedures/company.ts'
import { deviceEvents } from './procedures/devices/device-events.ts'
import { findings } from './procedures/findings.ts'
import { history } from './procedures/history.ts'
import { homeTariff } from './procedures/home-tariff.ts'
import { hubCredentials } from './procedures/devices/hub-credentials.ts'
import { insight } from './procedures/insight.ts'
import { maintenances } from './procedures/maintenance.ts'
import { invitations } from './procedures/people/invitations.ts'
import { personData } from './procedures/people/person-data.ts'
import { meterCorrections } from './procedures/meter-corrections.ts'
import { meterFacts } from './procedures/meter-facts.ts'
import { meterData } from './procedures/meter-data.ts'
import { meterImports } from './procedures/meter-import.ts'
import { notificationChannelCalls } from './procedures/notification-channels.ts'
import { notifications } from './procedures/notifications.ts'
import { ota } from './procedures/ota.ts'
import { people } from './procedures/people.ts'
import { personal } from './procedures/personal.ts'
import { placeFacts } from './procedures/place-facts.ts'
import { bookings } from './procedures/bookings.ts'
import { reports } from './procedures/reports.ts'
import { runs } from './procedures/runs.ts'
import { push } from './procedures/push.ts'
import { session } from './procedures/session.ts'
import { setup } from './procedures/setup/calls.ts'
import { reportFaults } from './procedures/setup/report-faults.ts'
import { unmapped } from './procedures/setup/unmapped.ts'
import { sheddings } from './procedures/sheddings.ts'
import { uploads } from './procedures/uploads.ts'
import * as records from './resources.ts'
import { dashboardCalls } from './resources/dashboard.ts'
import { floorCalls } from './resources/floor.ts'
import { peripheralCalls } from './resources/peripheral.ts'
import { roomCalls } from './resources/room.ts'
import { utilityBillCalls } from './resources/utility-bill.ts'

/** Every record with its calls and events, by name. */
export const resources = { ...records }
export type ResourceName = keyof typeof resources

/** Calls with no record of their own, by family; those of a record's name are beyond the verbs. */
export const procedures = {
  audit,
  homeTariff,
  bills,
  session,
  personal,
  company,
  uploads,
  hubCredentials,
  commands,
  deviceEvents,
  alarms,
  attention,
  maintenances,
  meterData,
  meterCorrections,
  meterFacts,
  placeFacts,
  meterImports,
  history,
  accessControl,
  ota,
  cameraAndIr,
  peripheral: peripheralCalls,
  room: roomCalls,
  floor: floorCalls,
  people,
  invitations,
  personData,
  setup,
  reportFaults,
  unmapped,
  bookings,
  runs,
  automations,
  sheddings,
  insight,
  findings,
  notifications,
  push,
  notificationChannel: notificationChannelCalls,
  reports,
  utilityBill: utilityBillCalls,
  dashboard: dashboardCalls,
} as const
export type ProcedureFamily = keyof typeof procedures

/** Every call of the gateway. */
export const endpoints: readonly AnyEndpoint[] = [
  ...Object.values(resources).flatMap((resource) => Object.values(resource.operations) as AnyEndpoint[]),
  ...Object.values(procedures).flatMap((family) => Object.values(family) as AnyEndpoint[]),
]

/** Every topic family of the realtime channel, by name. */
export const channels = {
  dataChange,
  userPermission,
  userResponse,
  statusRequest,
  statusReport,
  status,
  statusChange,
  meterReport,
  controlRequest,
  controlCommand,
  controlAck,
  controlResponse,
  automationRun,
  alarmOfDevice,
  alarmOfRule,
  userNotification,
  newsGap: messageGap,
  otaRequest,
  otaCommand,
  otaReport,
  otaResponse,
  modbusRequest,
  modbusTableOf,
  unmappedReport,
  settingsRequest,
  settingsOf,
  hubTrial,
  accessScan,
  accessDecision,
  accessPresence,
  shadowGet,
  shadowGetAccepted,
  shadowGetRejected,
  shadowUpdate,
  shadowUpdateAccepted,
  shadowUpdateRejected,
  shadowUpdateDelta,
} as const satisfies Record<string, AnyChannel>
export type ChannelName = keyof typeof channels

export { deviceKinds } from './device-kinds/registry.ts'
export { FEATURES, OPERATIONS } from './features.ts'
