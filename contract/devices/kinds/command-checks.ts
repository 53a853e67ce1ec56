import { type CommandValues, type Question, applies } from '../capabilities/capability.ts'
import { deviceType } from './registry.ts'

/** Confirmation question before a manual command; undefined if it needs none. */
export function confirmationFor(type: string, values: CommandValues | undefined): Question | undefined {
  for (const { needsConfirmation } of deviceType(type)?.capabilities ?? []) {
    const question = values && needsConfirmation?.(values)
    if (question) return question
  }
  return undefined
}

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
