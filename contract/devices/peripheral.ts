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
import { LightHouseGroup } from './light-house.ts'
import { METER_ROLES } from './meter-roles.ts'
import { ModbusTable } from './modbus/modbus-table.ts'
import { ThingWithState } from './thing.ts'

/** Seconds after which a meter's reading is no longer current, unless the device says otherwise (§9). */
export const DEFAULT_UPDATE_FREQUENCY = 900

/**
 * Limits outside of which a meter warns (§5): current in A, voltage in V, every value required, upper not below lower.
 */
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

/** Most quantities of one device that may have limits. */
export const MAX_VALUE_LIMITS = 32

const Limit = z.number().min(-1e12).max(1e12).nullable()

/**
 * Limits of one measured quantity, in its unit: either side may be left open (null), not both; upper not below lower.
 */
export const ValueLimit = z
  .object({ Lower: Limit, Upper: Limit })
  .refine(({ Lower, Upper }) => Lower !== null || Upper !== null, { path: ['Lower'], message: 'required' })
  .refine(({ Lower, Upper }) => Lower === null || Upper === null || Lower <= Upper, {
    path: ['Upper'],
    message: 'upperBelowLower',
  })
export type ValueLimit = z.infer<typeof ValueLimit>

/** Limits of whatever else a device measures, by the quantity's path (`HistoryField`): current and voltage stay in WarningThreshold. */
export const ValueLimits = z
  .record(HistoryField, ValueLimit)
  .refine((limits) => Object.keys(limits).length > 0, 'required')
  .refine((limits) => Object.keys(limits).length <= MAX_VALUE_LIMITS, 'tooManyRows')
export type ValueLimits = z.infer<typeof ValueLimits>

/** Seconds that a dry contact may stay closed in pulse mode (§9). */
export const PULSE_DURATIONS = [60, 300, 600, 900] as const

/** ControlMode in which a device's switches are hidden (§2). */
export const SWITCHES_HIDDEN = 2

/** An end device of a hub (§3). PowerMeterUpdateFrequency in seconds; ControlMode 2 hides the switches. */
export const Peripheral = z.object({
  PeripheralUID,
  PeripheralType,
  PeripheralName: Name,
  HomeID,
  RoomID,
  /** The hub that speaks for it: null for a camera that the gateway reaches itself. */
  ThingName: ThingName.nullable(),
  PowerMeterUpdateFrequency: z.number().int().min(1).max(86_400),
  /** Minutes without a report after which it is silent although its hub is there: null for as its kind does. A meter has its frequency. */
  SilentAfter: z.number().int().min(5).max(525_600).nullable(),
  ControlMode: z.number().int().min(0).max(2),
  /** Seconds a dry contact stays closed in pulse mode (§9): null when none is set. */
  PulseDuration: z.literal(PULSE_DURATIONS).nullable(),
  PeripheralImageUrl: z.string().max(512).nullable(),
  /** The meter whose load includes this one's, so that no sum counts it twice (§3): null at the top. */
  ParentMeter: PeripheralUID.nullable(),
  /** What a meter's first register measures of its site today (`meter-roles.ts`): null where nobody has said (§3). */
  Role: z.enum(METER_ROLES).nullable(),
  /** V of the line a meter without voltage sits on: null when it measures, or nobody has said (§3). */
  Voltage: z.number().min(90).max(400).nullable(),
  /** Phases of the line a meter sits on: 1 or 3, null when nobody has said (§3). */
  PhaseElectricPower: z.union([z.literal(1), z.literal(3)]).nullable(),
  /** A that a meter is rated for: null when nobody has said. Readings that imply much more are quarantined. */
  RatedCurrent: z.number().min(0.1, 'tooSmall').max(100_000, 'tooBig').nullable(),
  /** What its series is called in charts and exports, and its colour as #rrggbb: null for the device's name, the next free colour (§3). */
  IndexName: Name.nullable(),
  IndexColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/, 'color')
    .nullable(),
  WarningThreshold: WarningThreshold.nullable(),
  /** Limits outside of which any other measured value warns: null for none. */
  ValueLimits: ValueLimits.nullable(),
  /** Lamps of a signal tower: null for one to each sensor, in the colours of its calibration (§3). */
  LightHouseGroup: LightHouseGroup.nullable(),
  /** Per cent of a lamp's full light from which a sensor calls it lit: null for the device's own (§3). */
  LightHouseThreshold: z.number().int().min(1).max(99).nullable(),
  /** Flashes per minute from which a lamp's flashing is an alarm (§3): null for never. */
  AbnormalBlinkRate: z.number().int().min(1).max(6000).nullable(),
  /** How the registers of a Modbus device are read (§3): null while nobody has said. */
  ModbusTableID: ModbusTableID.nullable(),
  /** Hardware address of a third-party device (§3): null when nobody has said. */
  PMACAddress: z
    .string()
    .regex(/^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$/, 'invalid')
    .nullable(),
})
export type Peripheral = z.infer<typeof Peripheral>

/** A device as answers say it: with what follows from its record. */
export const AnsweredPeripheral = Peripheral.extend({
  /** The group of devices that its type belongs to (§3): null for a type that this version does not know. */
  Category: z.enum(CATEGORIES).nullable(),
  /** PeripheralImageUrl, as §3 also writes it. */
  ImageUrl: Peripheral.shape.PeripheralImageUrl,
})
export type AnsweredPeripheral = z.infer<typeof AnsweredPeripheral>

/** The record of a device with what follows from it. */
export const answeredPeripheral = (record: Peripheral): AnsweredPeripheral => ({
  ...record,
  Category: deviceType(record.PeripheralType)?.category ?? null,
  ImageUrl: record.PeripheralImageUrl,
})

export const PeripheralKey = Peripheral.pick({ HomeID: true, PeripheralUID: true })
export type PeripheralKey = z.infer<typeof PeripheralKey>

/** A device that a hub announced and nobody has added yet. */
export const DiscoveredPeripheral = Peripheral.pick({
  PeripheralUID: true,
  PeripheralType: true,
  PeripheralName: true,
  HomeID: true,
}).extend({ ThingName, DiscoveredAt: Millis })
export type DiscoveredPeripheral = z.infer<typeof DiscoveredPeripheral>

/** Hubs, devices and last statuses: what a device list needs in one call. */
export const DeviceSnapshot = z.object({
  Things: z.array(ThingWithState),
  Peripherals: z.array(AnsweredPeripheral),
  Statuses: z.array(DeviceStatus),
})
export type DeviceSnapshot = z.infer<typeof DeviceSnapshot>

/**
 * One device with its last status. ModbusTable is the table that ModbusTableID names, null where it names none; lists leave
 * it out, since it would come once for each device that is read by it.
 */
const PeripheralWithStatus = z.object({
  Peripheral: AnsweredPeripheral.extend({ ModbusTable: ModbusTable.nullable() }),
  Status: DeviceStatus.nullable(),
})
type PeripheralWithStatus = z.infer<typeof PeripheralWithStatus>

const Basics = Peripheral.pick({ PeripheralName: true, RoomID: true }).partial()

/** At most 8 devices are added at once (§5). */
export const MAX_ADDED_AT_ONCE = 8

/** A device to be added. ParentMeter may be another one that is added with it; null or left out, none stands above. */
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
        "Hubs, devices and last statuses of one home, or of all the company's homes when HomeID is left out.",
      input: Peripheral.pick({ HomeID: true }).partial(),
      results: DeviceSnapshot,
      errors: ['NOT_FOUND'],
      shows: ['thing', 'room', 'home'],
      inPlace: true,
      rows: ({ Peripherals }: DeviceSnapshot) => Peripherals,
    },
    get: {
      path: '/GetPeripheralById',
      summary:
        'One device with its last status (null before its first report) and the table its registers are read by.',
      input: PeripheralKey,
      results: PeripheralWithStatus,
      errors: ['NOT_FOUND'],
      shows: ['thing', 'room', 'home', 'modbusTable'],
      rows: (answer: PeripheralWithStatus) => [answer.Peripheral],
    },
    create: {
      path: '/AddPeripherals',
      summary:
        'Adds up to 8 discovered devices to a room; a meter below the one whose load includes its own. A light or climate device needs device_control Control as well where scenes or automations set the room.',
      input: z.object({
        HomeID,
        RoomID: RoomID.default(0),
        Peripherals: z.array(NewPeripheral).min(1, 'required').max(MAX_ADDED_AT_ONCE, 'tooManyDevices'),
      }),
      results: z.array(AnsweredPeripheral),
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
      // What names a device that is there again is broken no more.
      changes: ['scene', 'automation'],
    },
    update: {
      path: '/UpdatePeripheralInfo',
      summary:
        'Renames a device or moves it to another room of its home. Moving a light or climate device needs device_control Control as well where scenes or automations set one of the two rooms. Refused if a field says something else than in Seen.',
      input: PeripheralKey.extend(Basics.shape).extend({ Seen: Basics.optional() }),
      results: AnsweredPeripheral,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    },
    remove: {
      path: '/RemovePeripheral',
      summary: 'Removes a device; its hub announces it again as discovered.',
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

/** Device calls beyond the five verbs. */
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
      "Changes a device's settings; fields left out stay. Refused if a field says something else than in Seen.",
    access: right('device', 'Update'),
    input: PeripheralKey.extend(Settings.shape).extend({ Seen: Settings.optional() }),
    results: AnsweredPeripheral,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    // Another Modbus table has other values.
    changes: ['peripheral', 'automation'],
  }),
  listDiscovered: defineEndpoint({
    path: '/ListDiscoveredPeripheral',
    summary: 'Devices that hubs of this home announced and nobody has added.',
    access: right('device', 'Create'),
    input: Peripheral.pick({ HomeID: true }),
    results: z.array(DiscoveredPeripheral),
    errors: ['NOT_FOUND'],
    shows: ['discovery', 'peripheral', 'thing'],
    freshFor: 0,
  }),
}
