import { capabilityAt } from '../../device-kinds/capability-at.ts'
import { fieldShape } from '../../device-kinds/field-shape.ts'
import { type Condition, METER_SUMS } from './condition.ts'
import { verdictOf } from './truth.ts'

/** The values that a field can have: some of them, or all between two, steps apart; undefined bounds are open. */
export type Range =
  { values: readonly number[] } | { min: number | undefined; max: number | undefined; step: number }

const ANY: Range = { min: undefined, max: undefined, step: 0.01 }
const FROM_ZERO: Range = { ...ANY, min: 0 }
const ZERO_OR_ONE: Range = { values: [0, 1] }

/**
 * The values that a condition's field can have.
 *
 * type  of its device; undefined for a virtual meter and for the home
 */
export function rangeOf({ Field }: Pick<Condition, 'Field'>, type: string | undefined): Range {
  if (Field === 'SilentFor' || Field === 'DemandShare' || METER_SUMS.some((sum) => sum === Field))
    return FROM_ZERO
  const found = capabilityAt(type ?? null, Field)
  // What a command may set can be narrower than what a device reports.
  const shape = found && fieldShape({ ...found.capability, command: {} }, found.field)
  if (!shape || shape.as === 'other') return ANY
  if (shape.as === 'onOff') return ZERO_OR_ONE
  if (shape.as === 'choice') return { values: shape.choices.map(([value]) => value) }
  return { min: shape.min, max: shape.max, step: shape.step ?? 0.01 }
}

/** Whether no value of its field meets a condition, or all do; undefined when it depends, and of counters, whose changes count. */
export function alwaysOrNever(condition: Condition, range: Range): 'always' | 'never' | undefined {
  if (condition.Logical === 'changed') return undefined
  const verdicts = new Set(candidates(condition, range).map((value) => verdictOf(condition, value, false)))
  if (verdicts.size !== 1) return undefined
  return verdicts.has(true) ? 'always' : 'never'
}

/** A value of each stretch in which a comparison is the same, as far as the field can have it. */
function candidates({ Status }: Condition, range: Range): number[] {
  if ('values' in range) return [...range.values]
  const { min, max, step } = range
  const bounds = Array.isArray(Status) ? Status : [Status]
  const near = bounds.flatMap((bound) => {
    const below = Math.floor(bound / step) * step
    return [bound, below, below - step, below + step]
  })
  const ends = [min ?? Math.min(...bounds) - step, max ?? Math.max(...bounds) + step]
  return [...near, ...ends].filter(
    (value) => value >= (min ?? -Infinity) && value <= (max ?? Infinity) && isStep(value, step),
  )
}

const isStep = (value: number, step: number): boolean =>
  Math.abs(value / step - Math.round(value / step)) < 1e-6 * Math.max(1, Math.abs(value / step))
