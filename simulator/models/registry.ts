import { deviceType, type KindName } from '../../contract/devices/kinds/registry.ts'
import {
  airQualitySensor,
  button,
  doorSensor,
  motionSensor,
  presenceSensor,
  sensor,
  shockSensor,
  smokeSensor,
} from './sensors.ts'
import { clampMeter, meteredSwitch, modbusMeter, smartMeter } from './meters.ts'
import { cover, irRemote, siren } from './actuators.ts'
import { dimmer, dryContact, lightSwitch } from './switches.ts'
import { lightHouse } from './light-house.ts'
import { taiseia } from './taiseia.ts'
import { thermostat } from './thermostat.ts'
import type { Model } from './model.ts'

const silent: Model<null> = {
  make: () => null,
  step: (state) => state,
  report: () => ({}),
  command: (state) => state,
  draws: () => 0,
}

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds models of every state
type AnyModel = Model<any>

/** Models of all device kinds; the compiler requires one for each. */
const models = {
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
