import { deviceType, type KindName } from '../../contract/device-kinds/registry.ts'
import { clampMeter } from './clamp-meter.ts'
import { doorSensor } from './door-sensor.ts'
import { dryContact } from './dry-contact.ts'
import { lightSwitch } from './light-switch.ts'
import { motionSensor } from './motion-sensor.ts'
import type { Model } from './model.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds models of every state
type AnyModel = Model<any>

/** The model of every device kind; the compiler asks for a new kind's. */
export const models = {
  lightSwitch,
  clampMeter,
  motionSensor,
  doorSensor,
  dryContact,
} as const satisfies Record<KindName, AnyModel>

/**
 * The model that plays a type code, its state opaque.
 *
 * errors  a RangeError for a code the contract does not know
 */
export function modelOf(type: string): Model<unknown> {
  const known = deviceType(type)
  if (!known) throw new RangeError(`No device has the type code ${type}`)
  return models[known.kind] as AnyModel
}
