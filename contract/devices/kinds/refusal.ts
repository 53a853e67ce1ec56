import { applies, type CommandValues } from '../capabilities/capability.ts'
import { deviceType } from './registry.ts'

/**
 * Reason for which a device cannot execute a command of its type, by its last status: `notApplicable` if only another appliance of
 * the type can, `notNow` if its present state does not allow it.
 *
 * status   last status; undefined before the first report
 * returns  undefined if the device can execute it
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
