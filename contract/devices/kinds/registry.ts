import { airQualitySensor } from './air-quality-sensor.ts'
import { applies, type Capability, type CapabilityName } from '../capabilities/capability.ts'
import { button } from './button.ts'
import { clampMeter } from './clamp-meter.ts'
import { cover } from './cover.ts'
import type { Category, DeviceKind } from './device-kind.ts'
import { dimmerSwitch } from './dimmer.ts'
import { doorSensor } from './door-sensor.ts'
import { dryContactOutput } from './dry-contact.ts'
import { gate } from './gate.ts'
import { hanModule } from './han-module.ts'
import { ioController } from './io-controller.ts'
import { ipCamera } from './ip-camera.ts'
import { infraredRemote } from './ir-remote.ts'
import { lightHouseSensor } from './light-house.ts'
import { lightSwitch } from './light-switch.ts'
import { meteredSwitch } from './metered-switch.ts'
import { modbusDevice } from './modbus.ts'
import { motionSensor } from './motion-sensor.ts'
import { presenceSensor } from './presence-sensor.ts'
import { sensor } from './sensor.ts'
import { shockSensor } from './shock-sensor.ts'
import { siren } from './siren.ts'
import { smartMeter } from './smart-meter.ts'
import { smokeSensor } from './smoke-sensor.ts'
import { taiseia } from './taiseia.ts'
import { thermostatPanel } from './thermostat.ts'

/** Every device kind there is, by its name. */
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

/** What a type code stands for. */
export interface DeviceType {
  type: string
  kind: KindName
  category: Category
  /** Not for lists: it belongs to its hub. */
  hidden: boolean
  /** Hours without a report after which it is silent, unless its device says otherwise; null for never. */
  silentAfter: number | null
  capabilities: readonly Capability[]
}

const byType = new Map<string, DeviceType>()
for (const [kind, { category, hidden = false, silentAfter = null, variants }] of Object.entries(
  deviceKinds,
) as [KindName, DeviceKind][])
  for (const [type, capabilities] of Object.entries(variants))
    byType.set(type, { type, kind, category, hidden, silentAfter, capabilities })

/** Every known type code. */
export const deviceTypes: readonly DeviceType[] = [...byType.values()]

/** The device type of a PeripheralType, or undefined for a code this version does not know. */
export const deviceType = (type: string): DeviceType | undefined => byType.get(type)

/** A capability of a type, or undefined when it has none of that name. */
export const capabilityOf = (type: string, name: CapabilityName): Capability | undefined =>
  byType.get(type)?.capabilities.find((capability) => capability.name === name)

/** Whether a meter of this type measures voltage; where it does not, power follows from what people say of its line. */
export const measuresVoltage = (type: string): boolean =>
  'Voltage' in (capabilityOf(type, 'meter')?.status ?? {})

/** Which appliance a device says it is, where its type code stands for several; undefined for others and before its report. */
export const applianceOf = (
  type: DeviceType | undefined,
  status: Readonly<Record<string, unknown>> | undefined,
): CapabilityName | undefined =>
  type?.capabilities.find((capability) => capability.when && applies(capability, status))?.name

/** Types that measure energy, as reports and charts list them (§3, meter types). */
export const METER_TYPES = ['513', '514', '518', '519', '520', '521', '522', '526', '528'] as const

/** Whether a device never reports anything, as a camera does: there is no state to miss. */
export const reportsNothing = (type: DeviceType | undefined): boolean =>
  type !== undefined &&
  type.capabilities.length > 0 &&
  type.capabilities.every(({ status }) => Object.keys(status).length === 0)
