import { applies, type Capability, type CapabilityName } from '../capabilities/capability.ts'
import { dimmer, dryContact, switches, sirenCapability } from '../capabilities/switches.ts'
import { camera, irRemote } from '../capabilities/camera-and-ir.ts'
import { thermostat } from '../capabilities/thermostat.ts'
import {
  airQuality,
  door,
  motion,
  presence,
  shock,
  smoke,
  buttonCapability,
  sensorCapability,
} from '../capabilities/sensors.ts'
import { lightHouse } from '../capabilities/light-house.ts'
import { meter } from '../capabilities/meter.ts'
import { airConditioner, dehumidifier, ventilation } from '../capabilities/taiseia.ts'
import { modbus } from '../capabilities/modbus.ts'
import { coverCapability } from '../capabilities/cover.ts'
import { type Category, type DeviceKind, HOURLY_REPORTS, DAILY_CHECK_IN } from './device-kind.ts'

const capabilities = [modbus, meter({ voltage: true, phases: 3 })]

/**
 * Modbus device: 758 over TCP, 530 behind its own hub (§3). Most are meters: if rows of its table are assigned to meter fields,
 * energy pages include the device.
 */
const modbusDevice = {
  kind: 'modbus',
  category: 'ModBus',
  variants: { 530: capabilities, 758: capabilities },
} as const satisfies DeviceKind

/** Smart meter: 520 single phase, 521 single phase three wire (two lines), 522 three phases (§3). */
const smartMeter = {
  kind: 'smartMeter',
  category: 'SmartMeter',
  variants: {
    520: [meter({ voltage: true })],
    521: [meter({ voltage: true, phases: 2 })],
    522: [meter({ voltage: true, phases: 3 })],
  },
} as const satisfies DeviceKind

/** Switch with meter: 518 has one switch, 519 two (§3). */
const meteredSwitch = {
  kind: 'meteredSwitch',
  category: 'IOController',
  variants: {
    518: [switches(1), meter({ voltage: true })],
    519: [switches(2), meter({ voltage: true })],
  },
} as const satisfies DeviceKind

/** Clamp-on meter: 513 measures current only and needs a configured voltage, 514 and 528 measure both (§3). */
const clampMeter = {
  kind: 'clampMeter',
  category: 'ClampMeter',
  variants: {
    513: [meter({ voltage: false })],
    514: [meter({ voltage: true })],
    528: [meter({ voltage: true })],
  },
} as const satisfies DeviceKind

/** Home appliances with TaiSEIA 101 (CNS 16014): one type code; the device reports which appliance it is. */
const taiseia = {
  kind: 'taiseia',
  category: 'TaiSEIA',
  variants: { 527: [airConditioner, dehumidifier, ventilation] },
} as const satisfies DeviceKind

/** I/O controller: three outputs with a meter (§3). */
const ioController = {
  kind: 'ioController',
  category: 'IOController',
  variants: { 526: [switches(3), meter({ voltage: true })] },
} as const satisfies DeviceKind

const smokeSensor = {
  kind: 'smokeSensor',
  category: 'Smoke',
  silentAfter: DAILY_CHECK_IN,
  variants: { 756: [smoke] },
} as const satisfies DeviceKind

const shockSensor = {
  kind: 'shockSensor',
  category: 'Shock',
  silentAfter: DAILY_CHECK_IN,
  variants: { 757: [shock] },
} as const satisfies DeviceKind

const presenceSensor = {
  kind: 'presenceSensor',
  category: 'Presence',
  silentAfter: DAILY_CHECK_IN,
  variants: { 529: [presence] },
} as const satisfies DeviceKind

const motionSensor = {
  kind: 'motionSensor',
  category: 'Motion',
  silentAfter: DAILY_CHECK_IN,
  variants: { 754: [motion] },
} as const satisfies DeviceKind

/** Wall light switch: 516 and 533 have one gang, 534 two, 535 three (§3). */
const lightSwitch = {
  kind: 'lightSwitch',
  category: 'LightSwitch',
  variants: { 516: [switches(1)], 533: [switches(1)], 534: [switches(2)], 535: [switches(3)] },
} as const satisfies DeviceKind

/** Five light sensors on a machine's signal tower (§3). */
const lightHouseSensor = {
  kind: 'lightHouse',
  category: 'LightHouse',
  variants: { 515: [lightHouse] },
} as const satisfies DeviceKind

/** Home-area-network module of a smart meter: part of its hub, hidden from lists (§3). */
const hanModule = {
  kind: 'hanModule',
  category: 'SmartMeter',
  hidden: true,
  variants: { 523: [], 524: [] },
} as const satisfies DeviceKind

const doorSensor = {
  kind: 'doorSensor',
  category: 'Door',
  silentAfter: DAILY_CHECK_IN,
  variants: { 755: [door] },
} as const satisfies DeviceKind

const airQualitySensor = {
  kind: 'airQualitySensor',
  category: 'PM25',
  silentAfter: HOURLY_REPORTS,
  variants: { 753: [airQuality] },
} as const satisfies DeviceKind

const thermostatPanel = {
  kind: 'thermostat',
  category: 'Thermostat',
  variants: { 525: [thermostat] },
} as const satisfies DeviceKind

const infraredRemote = {
  kind: 'irRemote',
  category: 'IRRemote',
  variants: { 760: [irRemote] },
} as const satisfies DeviceKind

const ipCamera = {
  kind: 'ipCamera',
  category: 'IPCamera',
  variants: { 752: [camera] },
} as const satisfies DeviceKind

const dryContactOutput = {
  kind: 'dryContact',
  category: 'DryContact',
  variants: { 517: [dryContact] },
} as const satisfies DeviceKind

const dimmerSwitch = {
  kind: 'dimmer',
  category: 'Dimmer',
  variants: { 532: [dimmer] },
} as const satisfies DeviceKind

/** Push button or remote whose presses are reported (decision 0018). */
const button = {
  kind: 'button',
  category: 'Button',
  variants: { 903: [buttonCapability] },
} as const satisfies DeviceKind

/** Motorized curtain, blind, awning or window (decision 0018). */
const cover = {
  kind: 'cover',
  category: 'Cover',
  variants: { 901: [coverCapability({ heavy: false })] },
} as const satisfies DeviceKind

/** Motorized roller shutter, garage door or gate, which may injure people below it (decision 0018). */
const gate = {
  kind: 'gate',
  category: 'Cover',
  variants: { 902: [coverCapability({ heavy: true })] },
} as const satisfies DeviceKind

/** Sensor of one quantity in any unit (decision 0018). */
const sensor = {
  kind: 'sensor',
  category: 'Sensor',
  variants: { 905: [sensorCapability] },
} as const satisfies DeviceKind

/** Siren or sounder (decision 0018). */
const siren = {
  kind: 'siren',
  category: 'Siren',
  variants: { 904: [sirenCapability] },
} as const satisfies DeviceKind

export const deviceKinds = {
  lightSwitch,
  dimmer: dimmerSwitch,
  clampMeter,
  smartMeter,
  hanModule,
  meteredSwitch,
  ioController,
  modbus: modbusDevice,
  dryContact: dryContactOutput,
  lightHouse: lightHouseSensor,
  thermostat: thermostatPanel,
  taiseia,
  motionSensor,
  presenceSensor,
  doorSensor,
  smokeSensor,
  shockSensor,
  airQualitySensor,
  ipCamera,
  irRemote: infraredRemote,
  cover,
  gate,
  button,
  siren,
  sensor,
} as const satisfies Record<string, DeviceKind>

export type KindName = keyof typeof deviceKinds

export interface DeviceType {
  type: string
  kind: KindName
  category: Category
  /** Not listed: it belongs to its hub. */
  hidden: boolean
  /** Hours without a report after which it is silent, unless the device is configured otherwise; null for never. */
  silentAfter: number | null
  capabilities: readonly Capability[]
}

const byType = new Map<string, DeviceType>()
for (const [kind, { category, hidden = false, silentAfter = null, variants }] of Object.entries(
  deviceKinds,
) as [KindName, DeviceKind][])
  for (const [type, capabilities] of Object.entries(variants))
    byType.set(type, { type, kind, category, hidden, silentAfter, capabilities })

export const deviceTypes: readonly DeviceType[] = [...byType.values()]

/** Device type of a PeripheralType; undefined for a code that this version does not know. */
export const deviceType = (type: string): DeviceType | undefined => byType.get(type)

export const capabilityOf = (type: string, name: CapabilityName): Capability | undefined =>
  byType.get(type)?.capabilities.find((capability) => capability.name === name)

/** Whether a meter of this type measures voltage; otherwise power is computed from the configured line. */
export const measuresVoltage = (type: string): boolean =>
  'Voltage' in (capabilityOf(type, 'meter')?.status ?? {})

/** Appliance that a device reports, if its type code covers several; undefined for other types and before the report. */
export const applianceOf = (
  type: DeviceType | undefined,
  status: Readonly<Record<string, unknown>> | undefined,
): CapabilityName | undefined =>
  type?.capabilities.find((capability) => capability.when && applies(capability, status))?.name

/** Types that measure energy, as reports and charts list them (§3, meter types). */
export const METER_TYPES = ['513', '514', '518', '519', '520', '521', '522', '526', '528'] as const

/** Whether a device never reports anything, e.g. a camera; it then has no state. */
export const reportsNothing = (type: DeviceType | undefined): boolean =>
  type !== undefined &&
  type.capabilities.length > 0 &&
  type.capabilities.every(({ status }) => Object.keys(status).length === 0)

/** Whether a device measures energy; a Modbus device does once it has reported a counter. */
export const isMeter = (
  { PeripheralType }: { PeripheralType: string },
  status: Readonly<Record<string, unknown>> | undefined,
): boolean =>
  capabilityOf(PeripheralType, 'meter') !== undefined &&
  (deviceType(PeripheralType)?.category !== 'ModBus' || status?.['AccumulatePower'] !== undefined)
