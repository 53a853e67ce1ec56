import type { Conditions } from '../../../../contract/automation/condition.ts'
import type {
  ComparedCondition,
  ComparedConditions,
} from '../../../../contract/automation/evaluate-conditions.ts'

/** How far back from its limit a value must come before an alarm is over, as a share of the limit, where nobody has said. */
export const DEFAULT_HYSTERESIS = 0.02

/**
 * Conditions of an alarm as they are evaluated, by the engine, in a dry run and on screens alike: one that compares with > >= < <= or
 * outside, and has no Clear, gets one 2 % of the limit back from it, so that a value that trembles at its limit is one alarm.
 */
export const withDefaultClear = (conditions: Conditions): ComparedConditions => ({
  ...conditions,
  PeripheralUIDs: conditions.PeripheralUIDs.map(clearable),
})

function clearable(condition: ComparedCondition): ComparedCondition {
  const Clear = condition.Clear ?? defaultClear(condition)
  return Clear === undefined ? condition : { ...condition, Clear }
}

/** Where a condition that was true is false again, where nobody has said; undefined of one that needs no hysteresis. */
export function defaultClear({ Logical, Status }: ComparedCondition): ComparedCondition['Clear'] {
  if (Array.isArray(Status)) {
    if (Logical !== 'outside') return undefined
    const [lower, upper] = Status
    const middle = (lower + upper) / 2
    return [Math.min(lower + backFrom(lower), middle), Math.max(upper - backFrom(upper), middle)]
  }
  if (Logical === '>' || Logical === '>=') return Status - backFrom(Status)
  return Logical === '<' || Logical === '<=' ? Status + backFrom(Status) : undefined
}

const backFrom = (limit: number): number => Math.abs(limit) * DEFAULT_HYSTERESIS
