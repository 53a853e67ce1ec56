import { applies, type CommandValues } from '../capabilities/capability.ts'
import { deviceType } from './registry.ts'

/**
 * Why a device does not take values that its type has, as it last reported itself: `notApplicable` when another
 * appliance of the type would, `notNow` when the device is not at that point.
 *
 * status   what is known of it; undefined before its first report
 * returns  undefined when it takes them
 */
export function commandRefusalOf(
  type: string,
  values: CommandValues,
  status: CommandValues | undefined,
): 'notApplicable' | 'notNow' | undefined {
  const present = deviceType(type)?.capabilities.filter((capability) => applies(capability, status)) ?? []
  const fields = Object.keys(values)
  if (!fields.every((field) => present.some(({ command }) => field in command))) return 'notApplicable'
  return present.every(({ allows }) => !allows || allows(values, status)) ? undefined : 'notNow'
}
