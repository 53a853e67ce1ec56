import { capabilityAt } from '../../../../contract/devices/kinds/capability-at.ts'
import { fieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { type Condition, type Conditions, METER_SUMS } from '../../../../contract/automation/condition.ts'
import { joined, evaluateCondition } from '../../../../contract/automation/evaluate-conditions.ts'

/** Possible values of a field: a list, or a range with a step; an undefined bound is open. */
export type Range =
  { values: readonly number[] } | { min: number | undefined; max: number | undefined; step: number }

const ANY: Range = { min: undefined, max: undefined, step: 0.01 }
const FROM_ZERO: Range = { ...ANY, min: 0 }
const ZERO_OR_ONE: Range = { values: [0, 1] }

/**
 * Possible values of a condition's field.
 *
 * type  type of the device; undefined for a virtual meter and for the home
 */
export function rangeOf({ Field }: Pick<Condition, 'Field'>, type: string | undefined): Range {
  if (Field === 'SilentFor' || Field === 'DemandShare' || METER_SUMS.some((sum) => sum === Field))
    return FROM_ZERO
  const found = capabilityAt(type ?? null, Field)
  // The values that a command accepts can be narrower than those that a device reports.
  const shape = found && fieldShape({ ...found.capability, command: {} }, found.field)
  if (!shape || shape.as === 'other') return ANY
  if (shape.as === 'onOff') return ZERO_OR_ONE
  if (shape.as === 'choice') return { values: shape.choices.map(([value]) => value) }
  return { min: shape.min, max: shape.max, step: shape.step ?? 0.01 }
}

/** Whether no value of the field meets a condition, or every value does; undefined otherwise, and for counters, whose changes count. */
export function alwaysOrNever(condition: Condition, range: Range): 'always' | 'never' | undefined {
  if (condition.Logical === 'changed') return undefined
  const verdicts = new Set(
    candidates([condition], range).map((value) => evaluateCondition(condition, value, false)),
  )
  if (verdicts.size !== 1) return undefined
  return verdicts.has(true) ? 'always' : 'never'
}

/**
 * Whether conditions on one field contradict each other, so that no value meets them together, or complement each other, so that
 * every value does; undefined otherwise. A condition within its hysteresis may still hold.
 */
export function alwaysOrNeverTogether(
  conditions: readonly Condition[],
  logical: Conditions['Logical'],
  range: Range,
): 'always' | 'never' | undefined {
  if (conditions.some(({ Logical }) => Logical === 'changed')) return undefined
  const verdicts = (before: boolean) =>
    candidates(conditions, range).map((value) =>
      joined(
        logical,
        conditions.map((condition) => evaluateCondition(condition, value, before)),
      ),
    )
  if (verdicts(false).every((verdict) => verdict === true)) return 'always'
  return verdicts(true).every((verdict) => verdict === false) ? 'never' : undefined
}

/** One value of each interval in which the comparisons have the same result, among the possible values. */
function candidates(conditions: readonly Condition[], range: Range): number[] {
  if ('values' in range) return [...range.values]
  const { min, max, step } = range
  const bounds = conditions.flatMap(({ Status, Clear }) => [
    ...(Array.isArray(Status) ? Status : [Status]),
    ...(Clear === undefined ? [] : [Clear]),
  ])
  const near = bounds.flatMap((bound) => {
    const below = Math.floor(bound / step) * step
    return [bound, below, below - step, below + step]
  })
  const ends = [min ?? Math.min(...bounds) - step, max ?? Math.max(...bounds) + step]
  const isWithin = (value: number) => value >= (min ?? -Infinity) && value <= (max ?? Infinity)
  // A number with decimals may have values between any two bounds.
  const sorted = step < 1 ? bounds.toSorted((a, b) => a - b) : []
  const between = sorted.slice(1).map((bound, i) => (bound + (sorted[i] ?? bound)) / 2)
  return [...near, ...ends]
    .filter((value) => isWithin(value) && isStep(value, step))
    .concat(between.filter(isWithin))
}

const isStep = (value: number, step: number): boolean =>
  Math.abs(value / step - Math.round(value / step)) < 1e-6 * Math.max(1, Math.abs(value / step))
