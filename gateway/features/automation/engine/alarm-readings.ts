import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { ComparedCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import type { CompiledRule } from './compile.ts'
import type { AlarmNotified } from './rule-state.ts'

/** Between two times that what is measured of an open alarm is noted, ms, unless it has become worse by GROWTH of its peak. */
const RECORD_INTERVAL_MS = 60_000
const GROWTH = 0.01

type Watching = Pick<CompiledRule, 'watched'>
type Values = readonly (number | null)[]

/** What was measured of an alarm's conditions, as it is told. */
export const alarmReadingsOf = (
  { watched }: Watching,
  { values, peaks }: Pick<AlarmNotified, 'values' | 'peaks'>,
  crossesAt: number | null = null,
): AlarmReading[] =>
  watched.map(({ condition: { Field, Logical, Status } }, i) => ({
    Field,
    Logical,
    Limit: Status,
    Value: values[i] ?? null,
    Peak: peaks[i] ?? null,
    CrossesAt: crossesAt,
  }))

/** How bad a value is; undefined where none is worse than another. */
function badness({ Logical, Status }: ComparedCondition, value: number): number | undefined {
  if (Array.isArray(Status))
    return Logical === 'outside' ? Math.max(Status[0] - value, value - Status[1]) : undefined
  if (Logical === '>' || Logical === '>=') return value
  return Logical === '<' || Logical === '<=' ? -value : undefined
}

/** The worst of each condition so far; the last where none is worse than another. */
export const alarmPeaksOf = ({ watched }: Watching, before: Values, values: Values): (number | null)[] =>
  watched.map(({ condition }, i) => {
    const [peak = null, value = null] = [before[i], values[i]]
    if (peak === null || value === null) return value ?? peak
    const [was, is] = [badness(condition, peak), badness(condition, value)]
    return was !== undefined && is !== undefined && is <= was ? peak : value
  })

/** Whether what is measured now is to be noted of an open alarm: another value once a minute, a worse one at once. */
export function isNotableChange(rule: Watching, told: AlarmNotified, values: Values, now: number): boolean {
  if (values.every((value, i) => value === (told.values[i] ?? null))) return false
  // A clock that was set back holds nothing up.
  if (now - told.at >= RECORD_INTERVAL_MS || now < told.at) return true
  return rule.watched.some(({ condition }, i) => {
    const [peak = null, value = null] = [told.peaks[i], values[i]]
    if (peak === null || value === null) return peak !== value && value !== null
    const [was, is] = [badness(condition, peak), badness(condition, value)]
    return was !== undefined && is !== undefined && is - was >= Math.abs(peak) * GROWTH && is > was
  })
}
