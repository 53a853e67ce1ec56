import type { Conditions } from '../../../../contract/automation/condition.ts'
import type {
  ComparedCondition,
  ComparedConditions,
} from '../../../../contract/automation/evaluate-conditions.ts'

/** Default hysteresis of an alarm, as a share of its limit. */
export const DEFAULT_HYSTERESIS = 0.02

/**
 * Conditions of an alarm as the engine, dry runs and screens evaluate them: a condition with > >= < <= or outside and without
 * Clear gets one 2 % of the limit back from it, so that a value that fluctuates around its limit raises one alarm.
 */
export const withDefaultClear = (conditions: Conditions): ComparedConditions => ({
  ...conditions,
  PeripheralUIDs: conditions.PeripheralUIDs.map(clearable),
})

function clearable(condition: ComparedCondition): ComparedCondition {
  const Clear = condition.Clear ?? defaultClear(condition)
  return Clear === undefined ? condition : { ...condition, Clear }
}

/** Default value at which a true condition becomes false; undefined for one that needs no hysteresis. */
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
