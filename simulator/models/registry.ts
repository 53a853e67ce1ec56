import { deviceType, type KindName } from '../../contract/devices/kinds/registry.ts'
import { airQualitySensor } from './air-quality-sensor.ts'
import { button } from './button.ts'
import { clampMeter } from './clamp-meter.ts'
import { cover } from './cover.ts'
import { dimmer } from './dimmer.ts'
import { doorSensor } from './door-sensor.ts'
import { dryContact } from './dry-contact.ts'
import { irRemote } from './ir-remote.ts'
import { lightHouse } from './light-house.ts'
import { lightSwitch } from './light-switch.ts'
import { meteredSwitch } from './metered-switch.ts'
import { modbusMeter } from './modbus.ts'
import { motionSensor } from './motion-sensor.ts'
import { presenceSensor } from './presence-sensor.ts'
import { sensor } from './sensor.ts'
import { shockSensor } from './shock-sensor.ts'
import { silent } from './silent.ts'
import { siren } from './siren.ts'
import { smartMeter } from './smart-meter.ts'
import { smokeSensor } from './smoke-sensor.ts'
import { taiseia } from './taiseia.ts'
import { thermostat } from './thermostat.ts'
import type { Model } from './model.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds models of every state
type AnyModel = Model<any>

/** Models of all device kinds; the compiler requires one for each. */
export const models = {
  lightSwitch,
  dimmer,
  clampMeter,
  smartMeter,
  hanModule: silent,
  meteredSwitch,
  ioController: meteredSwitch,
  modbus: modbusMeter,
  dryContact,
  lightHouse,
  thermostat,
  taiseia,
  motionSensor,
  presenceSensor,
  doorSensor,
  smokeSensor,
  shockSensor,
  airQualitySensor,
  ipCamera: silent,
  irRemote,
  cover,
  gate: cover,
  button,
  siren,
  sensor,
} as const satisfies Record<KindName, AnyModel>

/**
 * The model of a type code, with an opaque state.
 *
 * errors  RangeError for a code that is not in the contract
 */
export function modelOf(type: string): Model<unknown> {
  const known = deviceType(type)
  if (!known) throw new RangeError(`No device has the type code ${type}`)
  return models[known.kind] as AnyModel
}
