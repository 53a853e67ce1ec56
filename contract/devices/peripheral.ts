import { z } from 'zod'
import { CATEGORIES } from './kinds/device-kind.ts'
import { HistoryField } from './kinds/history-fields.ts'
import { deviceType } from './kinds/registry.ts'
import { DeviceStatus } from './kinds/status.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import {
  HomeID,
  Millis,
  ModbusTableID,
  Name,
  PeripheralType,
  PeripheralUID,
  RoomID,
  ThingName,
} from '../kernel/scalars.ts'
import { LightHouseGroup } from './capabilities/light-house.ts'
import { METER_ROLES } from './meter-roles.ts'
import { ModbusTable } from './modbus/modbus-table.ts'
import { ThingWithState } from './thing.ts'

/** Seconds after which a meter's reading is no longer current, unless configured otherwise (§9). */
export const DEFAULT_UPDATE_FREQUENCY = 900

/** Limits outside which a meter warns (§5): current in A, voltage in V; all required, upper not below lower. */
export const WarningThreshold = z
  .object({
    CurrentLower: z.number().min(0).max(655_350),
    CurrentUpper: z.number().min(0).max(655_350),
    VoltageLower: z.number().min(90).max(400),
    VoltageUpper: z.number().min(90).max(400),
  })
  .refine(({ CurrentLower, CurrentUpper }) => CurrentLower <= CurrentUpper, {
    path: ['CurrentUpper'],
    message: 'upperBelowLower',
  })
  .refine(({ VoltageLower, VoltageUpper }) => VoltageLower <= VoltageUpper, {
    path: ['VoltageUpper'],
    message: 'upperBelowLower',
  })
export type WarningThreshold = z.infer<typeof WarningThreshold>

export const MAX_VALUE_LIMITS = 32

const Limit = z.number().min(-1e12).max(1e12).nullable()

/** Limits of one measured quantity, in its unit. Either side may be null (open), but not both; upper not below lower. */
export const ValueLimit = z
  .object({ Lower: Limit, Upper: Limit })
  .refine(({ Lower, Upper }) => Lower !== null || Upper !== null, { path: ['Lower'], message: 'required' })
  .refine(({ Lower, Upper }) => Lower === null || Upper === null || Lower <= Upper, {
    path: ['Upper'],
    message: 'upperBelowLower',
  })
export type ValueLimit = z.infer<typeof ValueLimit>

/** Limits of other measured quantities, by path (`HistoryField`); current and voltage are in WarningThreshold. */
export const ValueLimits = z
  .record(HistoryField, ValueLimit)
  .refine((limits) => Object.keys(limits).length > 0, 'required')
  .refine((limits) => Object.keys(limits).length <= MAX_VALUE_LIMITS, 'tooManyRows')
export type ValueLimits = z.infer<typeof ValueLimits>

/** Seconds that a dry contact may stay closed in pulse mode (§9). */
export const PULSE_DURATIONS = [60, 300, 600, 900] as const

/** ControlMode in which a device's switches are hidden (§2). */
export const SWITCHES_HIDDEN = 2

/** End device of a hub (§3). PowerMeterUpdateFrequency in seconds; ControlMode 2 hides the switches. */
export const Peripheral = z.object({
  PeripheralUID,
  PeripheralType,
  PeripheralName: Name,
  HomeID,
  RoomID,
  /** Hub of the device; null for a camera that the gateway reaches itself. */
  ThingName: ThingName.nullable(),
  PowerMeterUpdateFrequency: z.number().int().min(1).max(86_400),
  /**
   * Minutes without a report after which it is silent although its hub is online; null for the default of its kind. Meters use
   * their update frequency.
   */
  SilentAfter: z.number().int().min(5).max(525_600).nullable(),
  ControlMode: z.number().int().min(0).max(2),
  /** Seconds a dry contact stays closed in pulse mode (§9); null if not set. */
  PulseDuration: z.literal(PULSE_DURATIONS).nullable(),
  PeripheralImageUrl: z.string().max(512).nullable(),
  /** Meter whose load includes this one's, so that no sum counts it twice (§3); null at the top level. */
  ParentMeter: PeripheralUID.nullable(),
  /** Present role of a meter's first register (`meter-roles.ts`); null if not configured (§3). */
  Role: z.enum(METER_ROLES).nullable(),
  /** Line voltage in V of a meter that does not measure it; null if it does, or if not configured (§3). */
  Voltage: z.number().min(90).max(400).nullable(),
  /** Phases of the meter's line: 1 or 3; null if not configured (§3). */
  PhaseElectricPower: z.union([z.literal(1), z.literal(3)]).nullable(),
  /** Rated current in A; null if not configured. Readings that imply much more are quarantined. */
  RatedCurrent: z.number().min(0.1, 'tooSmall').max(100_000, 'tooBig').nullable(),
  /** Name of its series in charts and exports, and color as #rrggbb; null for the device's name and the next free color (§3). */
  IndexName: Name.nullable(),
  IndexColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/, 'color')
    .nullable(),
  WarningThreshold: WarningThreshold.nullable(),
  /** Limits outside which other measured values warn; null for none. */
  ValueLimits: ValueLimits.nullable(),
  /** Lamps of a signal tower; null for one per sensor, in the colors of its calibration (§3). */
  LightHouseGroup: LightHouseGroup.nullable(),
  /** Percent of a lamp's full brightness from which a sensor reports it as lit; null for the device's own (§3). */
  LightHouseThreshold: z.number().int().min(1).max(99).nullable(),
  /** Flashes per minute from which flashing is an alarm (§3); null for never. */
  AbnormalBlinkRate: z.number().int().min(1).max(6000).nullable(),
  /** Table by which a Modbus device's registers are read (§3); null if not configured. */
  ModbusTableID: ModbusTableID.nullable(),
  /** Hardware address of a third-party device (§3); null if not configured. */
  PMACAddress: z
    .string()
    .regex(/^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$/, 'invalid')
    .nullable(),
})
export type Peripheral = z.infer<typeof Peripheral>

/** Device in an answer: its record with derived fields. */
export const AnsweredPeripheral = Peripheral.extend({
  /** Category of its type (§3); null for a type that this version does not know. */
  Category: z.enum(CATEGORIES).nullable(),
  /** Copy of PeripheralImageUrl; §3 uses both names. */
  ImageUrl: Peripheral.shape.PeripheralImageUrl,
})
export type AnsweredPeripheral = z.infer<typeof AnsweredPeripheral>

export const answeredPeripheral = (record: Peripheral): AnsweredPeripheral => ({
  ...record,
  Category: deviceType(record.PeripheralType)?.category ?? null,
  ImageUrl: record.PeripheralImageUrl,
})

export const PeripheralKey = Peripheral.pick({ HomeID: true, PeripheralUID: true })
export type PeripheralKey = z.infer<typeof PeripheralKey>

/** Device that a hub announced and that has not been added yet. */
export const DiscoveredPeripheral = Peripheral.pick({
  PeripheralUID: true,
  PeripheralType: true,
  PeripheralName: true,
  HomeID: true,
}).extend({ ThingName, DiscoveredAt: Millis })
export type DiscoveredPeripheral = z.infer<typeof DiscoveredPeripheral>

/** Hubs, devices and last statuses: the data of a device list in one call. */
export const DeviceSnapshot = z.object({
  Things: z.array(ThingWithState),
  Peripherals: z.array(AnsweredPeripheral),
  Statuses: z.array(DeviceStatus),
})
export type DeviceSnapshot = z.infer<typeof DeviceSnapshot>

/**
 * Device with its last status. ModbusTable is the table with ModbusTableID, or null; lists omit it, because they would repeat it
 * for each device that uses it.
 */
const PeripheralWithStatus = z.object({
  Peripheral: AnsweredPeripheral.extend({ ModbusTable: ModbusTable.nullable() }),
  Status: DeviceStatus.nullable(),
})
type PeripheralWithStatus = z.infer<typeof PeripheralWithStatus>

const Basics = Peripheral.pick({ PeripheralName: true, RoomID: true }).partial()

/** Maximum devices that are added in one call (§5). */
export const MAX_ADDED_AT_ONCE = 8

/** Device to add. ParentMeter may be another device of the same call; null or omitted for none. */
const NewPeripheral = Peripheral.pick({ PeripheralUID: true, PeripheralName: true }).extend({
  ParentMeter: Peripheral.shape.ParentMeter.optional(),
})

export const peripheral = defineResource({
  name: 'peripheral',
  scope: 'home',
  feature: 'device',
  record: Peripheral,
  key: ['PeripheralUID'],
  events: eventsOf(PeripheralKey, Peripheral),
  operations: {
    list: {
      path: '/GetAllDeviceWithPeripheral',
      summary:
        'Hubs, devices and last statuses of one home, or of all homes of the company if HomeID is absent.',
      sites: 'mixed',
      input: Peripheral.pick({ HomeID: true }).partial(),
      results: DeviceSnapshot,
      errors: ['NOT_FOUND'],
      shows: ['thing', 'room', 'home'],
      inPlace: true,
      rows: ({ Peripherals }: DeviceSnapshot) => Peripherals,
    },
    get: {
      path: '/GetPeripheralById',
      summary: 'One device with its last status (null before its first report) and its Modbus table.',
      input: PeripheralKey,
      results: PeripheralWithStatus,
      errors: ['NOT_FOUND'],
      shows: ['thing', 'room', 'home', 'modbusTable'],
      rows: (answer: PeripheralWithStatus) => [answer.Peripheral],
    },
    create: {
      path: '/AddPeripherals',
      summary:
        'Adds up to 8 discovered devices to a room; ParentMeter is the meter whose load includes that of the new one. A light or climate device also requires device_control Control if scenes or automations set the room.',
      input: z.object({
        HomeID,
        RoomID: RoomID.default(0),
        Peripherals: z.array(NewPeripheral).min(1, 'required').max(MAX_ADDED_AT_ONCE, 'tooManyDevices'),
      }),
      results: z.array(AnsweredPeripheral),
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
      // Scenes and automations that reference a re-added device are no longer broken.
      changes: ['scene', 'automation'],
    },
    update: {
      path: '/UpdatePeripheralInfo',
      summary:
        'Renames a device or moves it to another room of its home. Moving a light or climate device also requires device_control Control if scenes or automations set one of the two rooms. Rejected if a field differs from its value in Seen.',
      input: PeripheralKey.extend(Basics.shape).extend({ Seen: Basics.optional() }),
      results: AnsweredPeripheral,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    },
    remove: {
      path: '/RemovePeripheral',
      summary: 'Deletes a device; its hub announces it again as discovered.',
      input: PeripheralKey,
      results: PeripheralKey,
      errors: ['NOT_FOUND'],
      changes: ['discovery', 'group', 'scene', 'automation'],
    },
  },
})

const Settings = Peripheral.pick({
  PowerMeterUpdateFrequency: true,
  SilentAfter: true,
  ControlMode: true,
  PulseDuration: true,
  ParentMeter: true,
  Voltage: true,
  PhaseElectricPower: true,
  RatedCurrent: true,
  IndexName: true,
  IndexColor: true,
  WarningThreshold: true,
  ValueLimits: true,
  LightHouseGroup: true,
  LightHouseThreshold: true,
  AbnormalBlinkRate: true,
  ModbusTableID: true,
  PMACAddress: true,
}).partial()

export const peripheralCalls = {
  listByRoom: defineEndpoint({
    path: '/GetDeviceWithPeripheralbyRoomId',
    summary: 'Hubs, devices and last statuses of one room.',
    access: right('device', 'Read'),
    input: Peripheral.pick({ HomeID: true, RoomID: true }),
    results: DeviceSnapshot,
    errors: ['NOT_FOUND'],
    shows: ['peripheral', 'thing', 'room', 'home'],
    rows: ({ Peripherals }) => Peripherals,
  }),
  updateAdvance: defineEndpoint({
    path: '/UpdatePeripheralAdvanceInfo',
    summary:
      "Changes a device's settings; omitted fields keep their values. Rejected if a field differs from its value in Seen.",
    access: right('device', 'Update'),
    input: PeripheralKey.extend(Settings.shape).extend({ Seen: Settings.optional() }),
    results: AnsweredPeripheral,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    // Another Modbus table has other values, which automations may use.
    changes: ['peripheral', 'automation'],
  }),
  listDiscovered: defineEndpoint({
    path: '/ListDiscoveredPeripheral',
    summary: 'Devices that hubs of this home announced and that were not added.',
    access: right('device', 'Create'),
    input: Peripheral.pick({ HomeID: true }),
    results: z.array(DiscoveredPeripheral),
    errors: ['NOT_FOUND'],
    shows: ['discovery', 'peripheral', 'thing'],
    freshFor: 0,
  }),
}
