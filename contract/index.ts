import { dataChange, userPermission, userResponse } from './data-change.ts'
import { alarmOfDevice, alarmOfRule, userNotification } from './alarms/channels.ts'
import { automationRun } from './automation/channels.ts'
import {
  controlAck,
  controlCommand,
  controlRequest,
  controlResponse,
  status,
  statusChange,
  statusReport,
  statusRequest,
} from './devices/channels/control.ts'
import { meterReport } from './meters/channels.ts'
import { hubTrial, unmappedReport } from './devices/channels/hub-setup.ts'
import { modbusRequest, modbusTableOf, settingsOf, settingsRequest } from './devices/channels/settings.ts'
import {
  shadowGet,
  shadowGetAccepted,
  shadowGetRejected,
  shadowUpdate,
  shadowUpdateAccepted,
  shadowUpdateDelta,
  shadowUpdateRejected,
} from './devices/channels/shadow.ts'
import { accessDecision, accessPresence, accessScan } from './access-control/channels.ts'
import { otaCommand, otaReport, otaRequest, otaResponse } from './devices/channels/ota.ts'
import { messageGap } from './message-gap.ts'
import type { AnyChannel } from './kernel/define-channel.ts'
import type { AnyEndpoint } from './kernel/define-endpoint.ts'
import { accessControl } from './access-control/calls.ts'
import { alarms, maintenances } from './alarms/calls.ts'
import { attention } from './attention/calls.ts'
import { bills } from './tariffs/bill-calls.ts'
import { automations } from './automation/calls.ts'
import { audit } from './people/audit-calls.ts'
import { cameraAndIr } from './devices/camera-and-ir-calls.ts'
import { commands } from './devices/command-calls.ts'
import { company } from './people/company-calls.ts'
import { deviceEvents } from './devices/event-calls.ts'
import { findings } from './findings/calls.ts'
import { history } from './devices/history-calls.ts'
import { homeTariff } from './tariffs/home-tariff-calls.ts'
import { hubCredentials } from './devices/hub-credential-calls.ts'
import { insight } from './energy/insight-calls.ts'
import { invitations } from './people/invitation-calls.ts'
import { personData } from './people/person-data-calls.ts'
import { meterCorrections } from './meters/correction-calls.ts'
import { meterFacts } from './meters/fact-calls.ts'
import { meterData } from './energy/meter-data-calls.ts'
import { importProfiles } from './meters/import-profiles.ts'
import { meterImports } from './meters/import-calls.ts'
import { notificationChannelCalls } from './notifications/notification-channel.ts'
import { notifications } from './notifications/calls.ts'
import { ota } from './devices/ota-calls.ts'
import { people } from './people/calls.ts'
import { personal } from './people/personal-calls.ts'
import { placeFacts } from './homes/place-facts-calls.ts'
import { bookings } from './bookings/calls.ts'
import { reports } from './reports/calls.ts'
import { runs } from './automation/run-calls.ts'
import { push } from './notifications/push-calls.ts'
import { session } from './people/session-calls.ts'
import { setup, unmapped, reportFaults } from './setup/calls.ts'
import { sheddings } from './automation/shedding-calls.ts'
import { uploads } from './homes/upload-calls.ts'
import * as records from './resources.ts'
import { dashboardCalls } from './dashboards/dashboard.ts'
import { floorCalls } from './homes/floor.ts'
import { peripheralCalls } from './devices/peripheral.ts'
import { roomCalls } from './homes/room.ts'
import { utilityBillCalls } from './tariffs/utility-bill.ts'

export const resources = { ...records }
export type ResourceName = keyof typeof resources

/** Calls that are not a verb of a record, by family. A family with a record's name holds that record's additional calls. */
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
  importProfiles,
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

export const endpoints: readonly AnyEndpoint[] = [
  ...Object.values(resources).flatMap((resource) => Object.values(resource.operations) as AnyEndpoint[]),
  ...Object.values(procedures).flatMap((family) => Object.values(family) as AnyEndpoint[]),
]

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

export { deviceKinds } from './devices/kinds/registry.ts'
export { FEATURES, OPERATIONS } from './kernel/permissions.ts'
