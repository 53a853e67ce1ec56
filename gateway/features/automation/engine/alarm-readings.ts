import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { ComparedCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import type { CompiledRule } from './compile.ts'
import type { RecordedReadings } from './rule-state.ts'

/** Minimum interval between two recordings of an open alarm's readings, ms, unless a value has worsened by GROWTH of its peak. */
const RECORD_INTERVAL_MS = 60_000
const GROWTH = 0.01

type Watching = Pick<CompiledRule, 'watched'>
type Values = readonly (number | null)[]

/** Readings of an alarm's conditions as stored with the alarm. */
export const alarmReadingsOf = (
  { watched }: Watching,
  { values, peaks }: Pick<RecordedReadings, 'values' | 'peaks'>,
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

/** Severity of a value, for comparison; undefined if the operator has no worse direction. */
function badness({ Logical, Status }: ComparedCondition, value: number): number | undefined {
  if (Array.isArray(Status))
    return Logical === 'outside' ? Math.max(Status[0] - value, value - Status[1]) : undefined
  if (Logical === '>' || Logical === '>=') return value
  return Logical === '<' || Logical === '<=' ? -value : undefined
}

/** Worst value of each condition so far; the latest value if the operator has no worse direction. */
export const alarmPeaksOf = ({ watched }: Watching, before: Values, values: Values): (number | null)[] =>
  watched.map(({ condition }, i) => {
    const [peak = null, value = null] = [before[i], values[i]]
    if (peak === null || value === null) return value ?? peak
    const [was, is] = [badness(condition, peak), badness(condition, value)]
    return was !== undefined && is !== undefined && is <= was ? peak : value
  })

/** Whether to record the current readings of an open alarm: a changed value once a minute, a worse one immediately. */
export function isNotableChange(
  rule: Watching,
  recorded: RecordedReadings,
  values: Values,
  now: number,
): boolean {
  if (values.every((value, i) => value === (recorded.values[i] ?? null))) return false
  // A clock that was set back must not block recording.
  if (now - recorded.at >= RECORD_INTERVAL_MS || now < recorded.at) return true
  return rule.watched.some(({ condition }, i) => {
    const [peak = null, value = null] = [recorded.peaks[i], values[i]]
    if (peak === null || value === null) return peak !== value && value !== null
    const [was, is] = [badness(condition, peak), badness(condition, value)]
    return was !== undefined && is !== undefined && is - was >= Math.abs(peak) * GROWTH && is > was
  })
}
