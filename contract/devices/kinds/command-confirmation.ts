import type { CommandValues, Question } from '../capabilities/capability.ts'
import { deviceType } from './registry.ts'

/** Confirmation question before a manual command; undefined if it needs none. */
export function confirmationFor(type: string, values: CommandValues | undefined): Question | undefined {
  for (const { needsConfirmation } of deviceType(type)?.capabilities ?? []) {
    const question = values && needsConfirmation?.(values)
    if (question) return question
  }
  return undefined
}
