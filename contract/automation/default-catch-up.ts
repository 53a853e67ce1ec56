import { confirmationFor } from '../devices/kinds/command-checks.ts'
import type { CommandValues } from '../devices/capabilities/capability.ts'

/** Values that a rule's actions set at one device; type is undefined for a deleted device. */
export interface TypedValues {
  type: string | undefined
  values: CommandValues | undefined
}

/** Whether any of the values needs confirmation in manual control, because the output could injure someone. */
export const setsConfirmedValues = (sets: readonly TypedValues[]): boolean =>
  sets.some(({ type, values }) => type !== undefined && confirmationFor(type, values) !== undefined)

/**
 * Default handling of a rule's missed runs: `latest`, unless it sets a value that needs confirmation in manual control, such as a
 * gate, because nobody can confirm a late run.
 */
export const defaultCatchUp = (sets: readonly TypedValues[]): 'skip' | 'latest' =>
  setsConfirmedValues(sets) ? 'skip' : 'latest'
