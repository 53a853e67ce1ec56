import { confirmationFor } from '../devices/kinds/command-confirmation.ts'
import type { CommandValues } from '../devices/capabilities/capability.ts'

/** What a rule's actions set at one device; type undefined for one that is gone. */
export interface TypedValues {
  type: string | undefined
  values: CommandValues | undefined
}

/** Whether any of it is asked about before it is done by hand: outputs that may hurt somebody. */
export const setsConfirmedValues = (sets: readonly TypedValues[]): boolean =>
  sets.some(({ type, values }) => type !== undefined && confirmationFor(type, values) !== undefined)

/**
 * What becomes of a missed run of a rule that does not say: the latest is caught up with, unless the rule sets what is asked about
 * by hand first, such as a gate: nobody is asked later.
 */
export const defaultCatchUp = (sets: readonly TypedValues[]): 'skip' | 'latest' =>
  setsConfirmedValues(sets) ? 'skip' : 'latest'
