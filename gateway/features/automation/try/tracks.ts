import { HOME_SUBJECT, METER_SUMS, type Condition } from '../../../../contract/rules/automation/condition.ts'
import type { Track } from '../../../../contract/rules/automation/replay.ts'
import type { HistorySeries } from '../../../../contract/procedures/history.ts'
import { startOf } from '../../../../contract/rules/energy/periods.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/resources/virtual-meter.ts'

/** The series that a condition is decided by: a sum of a meter by its counter; undefined for what no history holds. */
export function seriesFor({
  PeripheralUID,
  Field,
}: Condition): { PeripheralUID: string; Field: string } | undefined {
  if (PeripheralUID === HOME_SUBJECT || PeripheralUID.startsWith(VIRTUAL_PREFIX)) return undefined
  // Of devices without samples only the last report is known.
  if (Field === 'SilentFor') return undefined
  return { PeripheralUID, Field: isSum(Field) ? 'AccumulatePower' : Field }
}

const isSum = (field: string): field is (typeof METER_SUMS)[number] => METER_SUMS.some((one) => one === field)

/** What a stored series says of a condition's field. */
export function trackOf(condition: Condition, series: HistorySeries, to: number, zone: string): Track {
  const { Timestamps, Values, GapMs, Unknown } = series
  const values = isSum(condition.Field) ? sumsOf(condition.Field, Timestamps, Values, zone) : Values
  return {
    at: Timestamps,
    values,
    goodFor: GapMs,
    unknown: Unknown.map(({ From, To }) => ({ from: From, to: To ?? to })),
  }
}

const PERIODS = { HourlyKwh: 'hour', DailyKwh: 'day', MonthlyKwh: 'month' } as const

/** What a counter has counted since its hour, day or month began; the first, of which the beginning is not known, from its first value. */
function sumsOf(
  field: (typeof METER_SUMS)[number],
  at: readonly number[],
  counters: readonly number[],
  zone: string,
): number[] {
  let begin: number | undefined
  let first = 0
  let last = counters[0] ?? 0
  return counters.map((counter, i) => {
    const start = startOf(PERIODS[field], at[i]!, zone)
    if (start !== begin) {
      begin = start
      first = last
    }
    // A counter that begins anew has counted at least what it shows.
    if (counter < last) first = 0
    last = counter
    return counter - first
  })
}

/** How much of a time is known of a track, ms. */
export function knownTime({ at, goodFor, unknown }: Track, from: number, to: number): number {
  let known = 0
  for (const [i, since] of at.entries()) {
    const until = Math.min(at[i + 1] ?? to, goodFor === null ? to : since + goodFor, to)
    known += Math.max(0, until - Math.max(since, from))
  }
  const unheard = unknown.reduce((sum, span) => sum + Math.min(span.to, to) - Math.max(span.from, from), 0)
  return Math.max(0, known - Math.max(0, unheard))
}
