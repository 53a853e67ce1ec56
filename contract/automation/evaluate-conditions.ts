import type { Condition, Conditions } from './condition.ts'

/**
 * Condition as it is evaluated.
 *
 * Clear  for `outside` two values: once true, it is false only within them
 */
export type ComparedCondition = Omit<Condition, 'Clear'> & {
  Clear?: number | readonly [number, number] | undefined
}
export type ComparedConditions = Omit<Conditions, 'PeripheralUIDs'> & {
  PeripheralUIDs: readonly ComparedCondition[]
}

/** Result of one or several conditions; undefined if unknown. */
export type TruthValue = boolean | undefined

/**
 * Evaluates one condition.
 *
 * value   known value of its field; undefined if unknown
 * before  last known result, for hysteresis: once true, the condition is false only past Clear
 * special `changed` is true only at a change, which `evaluateConditions` receives; here it is false
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

/** Combines results by Kleene's three-valued logic. The combination of none is true for AND, false for OR. */
export function joined(logical: Conditions['Logical'], verdicts: readonly TruthValue[]): TruthValue {
  const deciding = logical === 'OR'
  if (verdicts.includes(deciding)) return deciding
  return verdicts.includes(undefined) ? undefined : !deciding
}

/** Input at one time: a value for each condition, in order, and indexes of the counters that just changed. */
export interface KnownValues {
  values: readonly (number | undefined)[]
  changed?: readonly number[]
}

/** Results at one time: `verdicts` of each condition include counter changes, the combined `truth` does not. */
export interface EvaluatedConditions {
  verdicts: TruthValue[]
  truth: TruthValue
  /** Whether a counter change makes the combined conditions true at this time. */
  pulse: boolean
}

/**
 * Evaluates conditions.
 *
 * before  last known result of each condition, in order
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
 * Next time at which a condition on SilentFor can change without a report.
 *
 * lastReport, now  epoch ms
 * returns          epoch ms; undefined if silence alone no longer changes the result
 */
export function silenceChangesAt(
  { Status, Clear }: ComparedCondition,
  lastReport: number,
  now: number,
): number | undefined {
  const seconds = [Status, Clear ?? []].flat()
  // A comparison that excludes its limit changes 1 ms after it.
  const moments = seconds.flatMap((limit) => [lastReport + limit * 1000, lastReport + limit * 1000 + 1])
  return moments.filter((at) => at > now).toSorted((a, b) => a - b)[0]
}
