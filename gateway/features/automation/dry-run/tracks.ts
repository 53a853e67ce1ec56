import { isReadingField, ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import { HOME_SUBJECT, METER_SUMS, type Condition } from '../../../../contract/automation/condition.ts'
import type { Track } from '../logic/replay.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { QUARTER_MS, startOf, DAY_MS } from '../../../../contract/time/periods.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { sourceOf } from '../engine/compile.ts'
import { STALE_AFTER_INTERVALS } from '../engine/values.ts'

/** A stored quantity and the time from which it is read, epoch ms. */
export interface Quantity {
  PeripheralUID: string
  Field: string
  from: number
}

/** Time before a range in which the value at its start is searched for, ms. */
const LOOKBACK_MS = 3_600_000
/** Approximate length of periods, ms: half of it after the end of one lies inside the next. */
const LENGTHS = { HourlyKwh: 3_600_000, DailyKwh: DAY_MS, MonthlyKwh: 31 * DAY_MS } as const
const PERIODS = { HourlyKwh: 'hour', DailyKwh: 'day', MonthlyKwh: 'month' } as const
const isSum = (field: string): field is (typeof METER_SUMS)[number] => METER_SUMS.some((one) => one === field)

/**
 * Series by which a condition is evaluated, as in the engine: a meter's counter for its sums. Undefined for fields without a
 * history: measures of a home, and silence, of which only the last report is stored; and for virtual meters, which are tried by
 * the meters that they add.
 */
export function quantityOf(
  { PeripheralUID, Field }: Condition,
  from: number,
  zone: string,
): Quantity | undefined {
  if (PeripheralUID === HOME_SUBJECT || PeripheralUID.startsWith(VIRTUAL_PREFIX)) return undefined
  if (isSum(Field)) {
    // The sum includes what was counted before the range began.
    return {
      PeripheralUID,
      Field: 'AccumulatePower',
      from: startOf(PERIODS[Field], from, zone) - LOOKBACK_MS,
    }
  }
  const source = sourceOf({ PeripheralUID, Field })
  if (source === 'silence') return undefined
  return { PeripheralUID, Field, from: source === 'figure' ? from - LOOKBACK_MS : from }
}

/**
 * Track of a condition's field from a stored series.
 *
 * offlineSpans   times when the device was offline; its values are unknown then, except whether it is online
 * pauseMs  report interval of a meter, ms
 */
export function valueTrackOf(
  condition: Condition,
  series: HistorySeries,
  { away: offlineSpans, zone, pause: pauseMs }: { away: Track['unknown']; zone: string; pause: number },
): Track {
  const { Timestamps, Values, BucketMs, Field } = series
  if (isSum(condition.Field)) return sumsOf(condition.Field, series, zone)
  return {
    at: Timestamps,
    values: Values,
    // Sensors other than meters report changes, so their last value holds. A meter's value expires after some report intervals.
    goodFor: isReadingField(Field) ? STALE_AFTER_INTERVALS * Math.max(pauseMs, BucketMs) + 1 : null,
    unknown: condition.Field === ONLINE ? [] : offlineSpans,
    isMeasured: sourceOf(condition) === 'figure',
  }
}

/**
 * Energy counted since an hour, day or month began, as the engine computes it: 0 when a period begins and the previous one was
 * known, then unknown until the first reading in it; the last sum holds until the period ends. Energy counted between two readings
 * around the start is interpolated. The first period is unknown unless the counter was read shortly before or after it began.
 */
function sumsOf(
  field: (typeof METER_SUMS)[number],
  { Timestamps, Values, GapMs }: HistorySeries,
  zone: string,
): Track {
  const gap = GapMs ?? LOOKBACK_MS
  const startAt = createPeriods(field, zone)
  const track = { at: [] as number[], values: [] as number[], unknown: [] as { from: number; to: number }[] }
  let begin = -Infinity
  let first: number | undefined
  let last: { at: number; counter: number } | undefined
  /** Start of the present unknown span. */
  let since: number | undefined
  const add = (at: number, value: number) => {
    if (since !== undefined && since < at) track.unknown.push({ from: since, to: at })
    since = undefined
    track.at.push(at)
    track.values.push(value)
  }
  /** The sum of a period does not carry over to the next. */
  const endPeriod = () => {
    const lastAt = track.at.at(-1)
    if (lastAt === undefined || lastAt < begin) return
    const end = startOf(PERIODS[field], begin + LENGTHS[field] * 1.5, zone)
    add(end, 0)
    since = end + 1
  }
  for (const [i, at] of Timestamps.entries()) {
    const counter = Values[i]!
    const start = startAt(at)
    if (start !== begin) {
      const isNear = last !== undefined && start - last.at <= gap
      // Energy in a reading at the start of a period was counted before it.
      if (isNear && last && start < at && counter >= last.counter)
        first = last.counter + ((counter - last.counter) * (start - last.at)) / (at - last.at)
      else first = isNear && start < at ? last?.counter : at - start <= gap ? counter : undefined
      endPeriod()
      begin = start
    }
    // A counter that restarted at zero has counted at least what it shows.
    if (first !== undefined && last && counter < last.counter) first = Math.min(first, 0)
    last = { at, counter }
    if (first !== undefined && at > start) add(at, counter - first)
  }
  endPeriod()
  if (since !== undefined) track.unknown.push({ from: since, to: Infinity })
  return { ...track, goodFor: null, isMeasured: true }
}

/** Start of the period of each time; times come in order. Recomputed once per quarter of an hour, as clocks change at no other time. */
function createPeriods(field: (typeof METER_SUMS)[number], zone: string): (at: number) => number {
  let quarter = NaN
  let start = NaN
  return (at) => {
    const now = Math.floor(at / QUARTER_MS)
    if (now !== quarter) start = startOf(PERIODS[field], at, zone)
    quarter = now
    return start
  }
}

/** Duration in which a track is known, ms. */
export function knownDuration({ at, goodFor, unknown }: Track, from: number, to: number): number {
  let known = 0
  let span = 0
  for (const [i, since] of at.entries()) {
    const begin = Math.max(since, from)
    const end = Math.min(at[i + 1] ?? to, goodFor === null ? to : since + goodFor, to)
    if (end <= begin) continue
    known += end - begin
    while (span < unknown.length && unknown[span]!.to <= begin) span++
    for (let j = span; j < unknown.length && unknown[j]!.from < end; j++)
      known -= Math.min(unknown[j]!.to, end) - Math.max(unknown[j]!.from, begin)
  }
  return known
}
