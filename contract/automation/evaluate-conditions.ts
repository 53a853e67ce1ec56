import type { Condition, Conditions } from './condition.ts'

/**
 * A condition as it is evaluated.
 *
 * Clear  of `outside` two values: once true, it is false only within them
 */
export type ComparedCondition = Omit<Condition, 'Clear'> & {
  Clear?: number | readonly [number, number] | undefined
}
/** Conditions as they are evaluated. */
export type ComparedConditions = Omit<Conditions, 'PeripheralUIDs'> & {
  PeripheralUIDs: readonly ComparedCondition[]
}

/** What a condition, or conditions together, are found to be; undefined while that is not known. */
export type TruthValue = boolean | undefined

/**
 * Whether a condition holds.
 *
 * value   what is known of its field; undefined when nothing is
 * before  the last verdict that was known, for hysteresis: once true, it is false only past Clear
 * special `changed` holds only in the moment of a change, which `evaluate` is told: here it is false
 */
export function evaluateCondition(
  condition: Pick<ComparedCondition, 'Logical' | 'Status' | 'Clear'>,
  value: number | undefined,
  before: TruthValue,
): TruthValue {
  if (value === undefined) return undefined
  const { Logical, Status, Clear } = condition
  if (Logical === 'changed') return false
  if (Array.isArray(Status)) {
    const isBetween = value >= Status[0] && value <= Status[1]
    if (Logical === 'between') return isBetween
    if (!isBetween || !before || !Array.isArray(Clear)) return !isBetween
    return value < Clear[0] || value > Clear[1]
  }
  if (compares[Logical as keyof typeof compares](value, Status)) return true
  if (!before || typeof Clear !== 'number') return false
  return Logical === '>' || Logical === '>=' ? value >= Clear : value <= Clear
}

const compares = {
  '=': (value: number, status: number) => value === status,
  '!=': (value: number, status: number) => value !== status,
  '>': (value: number, status: number) => value > status,
  '>=': (value: number, status: number) => value >= status,
  '<': (value: number, status: number) => value < status,
  '<=': (value: number, status: number) => value <= status,
}

/** Verdicts together, by Kleene's logic: what is unknown counts only where it could decide. None together are true by AND, false by OR. */
export function joined(logical: Conditions['Logical'], verdicts: readonly TruthValue[]): TruthValue {
  const deciding = logical === 'OR'
  if (verdicts.includes(deciding)) return deciding
  return verdicts.includes(undefined) ? undefined : !deciding
}

/** What is known at a moment: a value for each condition, in order, and which counters changed just now. */
export interface KnownValues {
  values: readonly (number | undefined)[]
  changed?: readonly number[]
}

/** Conditions as they are found: each verdict with the changes of this moment, all together without them, and with them. */
export interface EvaluatedConditions {
  verdicts: TruthValue[]
  truth: TruthValue
  /** True when a counter's change makes them true in this moment. */
  pulse: boolean
}

/**
 * Evaluates conditions.
 *
 * before  the last known verdict of each condition, in order
 */
export function evaluateConditions(
  { PeripheralUIDs, Logical }: Pick<ComparedConditions, 'PeripheralUIDs' | 'Logical'>,
  { values, changed = [] }: KnownValues,
  before: readonly (boolean | null | undefined)[] = [],
): EvaluatedConditions {
  const lasting = PeripheralUIDs.map((condition, i) =>
    evaluateCondition(condition, values[i], before[i] ?? undefined),
  )
  const isChange = (i: number) => PeripheralUIDs[i]?.Logical === 'changed' && changed.includes(i)
  const verdicts = lasting.map((verdict, i) => (isChange(i) ? true : verdict))
  return {
    verdicts,
    truth: joined(Logical, lasting),
    pulse: verdicts.some((_, i) => isChange(i)) && joined(Logical, verdicts) === true,
  }
}

/**
 * When a condition on SilentFor can turn next because nothing is reported.
 *
 * lastReport, now  epoch ms
 * returns          epoch ms, or undefined when silence alone does not turn it any more
 */
export function silenceChangesAt(
  { Status, Clear }: ComparedCondition,
  lastReport: number,
  now: number,
): number | undefined {
  const seconds = [Status, Clear ?? []].flat()
  // A comparison without its own bound turns one ms past it.
  const moments = seconds.flatMap((limit) => [lastReport + limit * 1000, lastReport + limit * 1000 + 1])
  return moments.filter((at) => at > now).toSorted((a, b) => a - b)[0]
}
