import type { CommandValues, Question } from '../capabilities/capability.ts'
import { deviceType } from './registry.ts'

/** What screens ask before somebody gives this command by hand; undefined for one that is given at once. */
export function confirmationFor(type: string, values: CommandValues | undefined): Question | undefined {
  for (const { asksFirst } of deviceType(type)?.capabilities ?? []) {
    const question = values && asksFirst?.(values)
    if (question) return question
  }
  return undefined
}
