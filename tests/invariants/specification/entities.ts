import { Automation } from '../../../contract/automation/automation.ts'
import { Condition, Conditions } from '../../../contract/automation/condition.ts'
import { Group } from '../../../contract/automation/group.ts'
import { Scene } from '../../../contract/automation/scene.ts'
import type { z } from 'zod'
import { InfoReported, RegistrationReported } from '../../../contract/devices/channels/shadow.ts'
import { IRContainer } from '../../../contract/devices/capabilities/camera-and-ir.ts'
import { ThermostatNode } from '../../../contract/devices/capabilities/thermostat.ts'
import type { Category } from '../../../contract/devices/kinds/device-kind.ts'
import type { KindName } from '../../../contract/devices/kinds/registry.ts'
import { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { Permission } from '../../../contract/kernel/permissions.ts'
import { Booking } from '../../../contract/bookings/calls.ts'
import { CompanyProfile, CompanyPublicProfile } from '../../../contract/people/company-calls.ts'
import {
  Aggregation,
  EnergyPoint,
  HistoryRow,
  HistoryStatus,
} from '../../../contract/energy/meter-data-calls.ts'
import { PersonalConfig } from '../../../contract/people/personal-calls.ts'
import { push } from '../../../contract/notifications/push-calls.ts'
import { Me } from '../../../contract/people/session-calls.ts'
import { ConferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { Department } from '../../../contract/people/department.ts'
import { HomeWithRooms } from '../../../contract/homes/home.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { RoomWithContents } from '../../../contract/homes/room.ts'
import { ThingWithState } from '../../../contract/devices/thing.ts'
import { user, User } from '../../../contract/people/user.ts'
import { Visitor } from '../../../contract/access-control/visitor.ts'

/** One entity of section 3: the fields that it names, and their location in code. */
export interface Entity {
  says: string
  fields: string
  where: z.ZodObject
}

const entity = (says: string, where: z.ZodObject, fields: string): Entity => ({ says, where, fields })

/** Section 3, Entities and their fields. */
export const ENTITIES: readonly Entity[] = [
  entity('Home', HomeWithRooms, 'HomeID HomeName TimeZone ThreadNetworkKey RoomList'),
  entity('Room', RoomWithContents, 'RoomID RoomName HomeID PeripheralList ThingNameList'),
  entity('Hub (thing)', ThingWithState, 'ThingName DeviceName HomeID RoomID'),
  entity('Hub shadow info: online flag, Timestamp', InfoReported, 'online Timestamp'),
  entity('Hub shadow: homeID', RegistrationReported, 'homeID'),
  entity(
    'Peripheral (device)',
    peripheral.operations.get.results.shape.Peripheral,
    `PeripheralUID PeripheralType Category PeripheralName HomeID RoomID Voltage PhaseElectricPower LightHouseGroup
     LightHouseThreshold AbnormalBlinkRate ParentMeter PowerMeterUpdateFrequency IndexName IndexColor ImageUrl
     PeripheralImageUrl ControlMode PulseDuration ModbusTable ModbusTableID PMACAddress`,
  ),
  entity('Device live status', DeviceStatus, 'PeripheralUID PeripheralType Timestamp updateAt'),
  entity('ThermostatTable: entries keyed by NodeID', ThermostatNode, 'NodeID'),
  entity('Web-push subscription', push.webPushSubscriptionSetting.input, 'Status SubscriptionInfo'),
  entity('User', User, 'Email FirstName LastName nickname DepartmentID enabled rank Permissions'),
  entity('User: password', user.operations.create.input, 'password'),
  entity('Department', Department, 'DepartmentID Department'),
  entity('Permission', Permission, 'FeatureKey OperationList'),
  entity('Conference room', ConferenceRoom, 'ConferenceRoomID ConferenceRoomName Capacity'),
  entity(
    'Booking: date and time are two timestamps',
    Booking,
    'RecordID ConferenceRoomID Host Subject Description Attendees StartTimestamp EndTimestamp',
  ),
  entity('Group', Group, 'GroupID GroupName PeripheralList HomeID'),
  entity('Scene', Scene, 'SceneID HomeID'),
  entity('Automation', Automation, 'AutomationID AutomationType Conditions'),
  entity('Automation: Conditions', Conditions, 'PeripheralUIDs Logical RetriggerInterval Period'),
  entity('Automation: an entry of PeripheralUIDs', Condition, 'PeripheralUID Status Logical'),
  entity('Visitor', Visitor, 'VisitorName Company Email Phone Ext ValidFrom ValidUntil'),
  entity('Company profile', CompanyProfile, 'CompanyName LogoName LogoUrl'),
  entity('Public company profile', CompanyPublicProfile, 'LogoName LogoUrl'),
  entity('Personal config', PersonalConfig, 'Notification CustomDashboard DecimalPrecision'),
  entity(
    'History status per meter',
    HistoryStatus,
    `PeripheralUID HomeID LastUpdateTimestamp HourlyKwh DailyKwh MonthlyKwh AccumulatePower AvgElectricCurrent
     PowerMeterUpdateFrequency`,
  ),
  entity('Aggregation data', Aggregation, 'TimeStart AggregationData'),
  entity('Aggregation data: items', EnergyPoint, 'Timestamp kWh'),
  entity('History log rows', HistoryRow, 'StartTime AccumulationTime Timestamp'),
  entity('IR remote', IRContainer, 'ContMID ContDID ContMName'),
  entity('Session result', Me, 'CognitoId RootCognitoId'),
]

/** Section 3, Device live status: fields that devices report, whatever their type. */
export const STATUS_FIELDS = `mmWaveConfig ThermostatTable Switch Switch1 Switch2 Switch3 MotionState DoorState SmokeState
  ShockState Sensor1 Sensor2 Sensor3 Sensor4 Sensor5`

/** Section 3, Device live status: fields that no device reports so far; ControlMode is a setting of its record. */
export const DEFERRED_STATUS_FIELDS: readonly string[] = ['ControlMode']

/** Section 3, Peripheral type codes with their kind, and the category by which menu and routes group them. */
export const TYPES: readonly (readonly [codes: readonly number[], kind: KindName, category: Category])[] = [
  [[513, 514, 528], 'clampMeter', 'ClampMeter'],
  [[515], 'lightHouse', 'LightHouse'],
  [[516, 533, 534, 535], 'lightSwitch', 'LightSwitch'],
  [[517], 'dryContact', 'DryContact'],
  [[518, 519], 'meteredSwitch', 'IOController'],
  [[526], 'ioController', 'IOController'],
  [[520, 521, 522], 'smartMeter', 'SmartMeter'],
  [[523, 524], 'hanModule', 'SmartMeter'],
  [[525], 'thermostat', 'Thermostat'],
  [[527], 'taiseia', 'TaiSEIA'],
  [[529], 'presenceSensor', 'Presence'],
  [[530, 758], 'modbus', 'ModBus'],
  [[532], 'dimmer', 'Dimmer'],
  [[752], 'ipCamera', 'IPCamera'],
  [[753], 'airQualitySensor', 'PM25'],
  [[754], 'motionSensor', 'Motion'],
  [[755], 'doorSensor', 'Door'],
  [[756], 'smokeSensor', 'Smoke'],
  [[757], 'shockSensor', 'Shock'],
  [[760], 'irRemote', 'IRRemote'],
]
/** Section 3: hidden from lists. */
export const HIDDEN_TYPES: readonly number[] = [523, 524]
/** Section 3: number of switches of a type. */
export const SWITCHES: Readonly<Record<number, number>> = { 518: 1, 519: 2 }
/** Section 3: clamp meters that measure no voltage. */
export const WITHOUT_VOLTAGE: readonly number[] = [513]
