import { isReadingField, ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import { HOME_SUBJECT, METER_SUMS, type Condition } from '../../../../contract/automation/condition.ts'
import type { Track } from '../logic/replay.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { QUARTER_MS, startOf } from '../../../../contract/time/periods.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { sourceOf } from '../engine/compile.ts'
import { STALE_AFTER_INTERVALS } from '../engine/evaluate-rule.ts'

/** A stored quantity, from when on, epoch ms. */
export interface Quantity {
  PeripheralUID: string
  Field: string
  from: number
}

/** The time before a range in which the value at its beginning is looked for, ms. */
const LOOKBACK_MS = 3_600_000
const DAY = 86_400_000
/** About how long periods are, ms: the middle of the next one is half of it later than the end. */
const LENGTHS = { HourlyKwh: 3_600_000, DailyKwh: DAY, MonthlyKwh: 31 * DAY } as const
const PERIODS = { HourlyKwh: 'hour', DailyKwh: 'day', MonthlyKwh: 'month' } as const
const isSum = (field: string): field is (typeof METER_SUMS)[number] => METER_SUMS.some((one) => one === field)

/**
 * The series that a condition is decided by, as the engine does: the counter of a meter for its sums. Undefined for what no
 * history holds: measures of a home, and silence, of which only the last report is known; and for virtual meters, which are tried
 * by the meters that they add.
 */
export function quantityOf(
  { PeripheralUID, Field }: Condition,
  from: number,
  zone: string,
): Quantity | undefined {
  if (PeripheralUID === HOME_SUBJECT || PeripheralUID.startsWith(VIRTUAL_PREFIX)) return undefined
  if (isSum(Field)) {
    // What was counted before the range began belongs to the sum.
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
 * What a stored series says of a condition's field.
 *
 * away   when the device could not be heard: nothing of it is known then, except that
 * pause  ms in which a meter is to report once
 */
export function valueTrackOf(
  condition: Condition,
  series: HistorySeries,
  { away, zone, pause }: { away: Track['unknown']; zone: string; pause: number },
): Track {
  const { Timestamps, Values, BucketMs, Field } = series
  if (isSum(condition.Field)) return sumsOf(condition.Field, series, zone)
  return {
    at: Timestamps,
    values: Values,
    // Sensors that are no meters tell what changes: what they told last is so. A meter's value is known when it is just so old.
    goodFor: isReadingField(Field) ? STALE_AFTER_INTERVALS * Math.max(pause, BucketMs) + 1 : null,
    unknown: condition.Field === ONLINE ? [] : away,
    isMeasured: sourceOf(condition) === 'figure',
  }
}

/**
 * What a counter has counted since its hour, day or month began, as the engine knows it: 0 as one begins whose forerunner was known,
 * then nothing until a reading in it tells more, and what that told until the period is over. What was counted between two readings
 * around the beginning is shared out over that time. Of the first period nothing is known unless the counter was read before or soon
 * after it began.
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
  /** Since when nothing is known. */
  let since: number | undefined
  const add = (at: number, value: number) => {
    if (since !== undefined && since < at) track.unknown.push({ from: since, to: at })
    since = undefined
    track.at.push(at)
    track.values.push(value)
  }
  /** The sum of a period that is over is not that of the next. */
  const endPeriod = () => {
    const told = track.at.at(-1)
    if (told === undefined || told < begin) return
    const end = startOf(PERIODS[field], begin + LENGTHS[field] * 1.5, zone)
    add(end, 0)
    since = end + 1
  }
  for (const [i, at] of Timestamps.entries()) {
    const counter = Values[i]!
    const start = startAt(at)
    if (start !== begin) {
      const isNear = last !== undefined && start - last.at <= gap
      // What is read as a period begins was counted before it.
      if (isNear && last && start < at && counter >= last.counter)
        first = last.counter + ((counter - last.counter) * (start - last.at)) / (at - last.at)
      else first = isNear && start < at ? last?.counter : at - start <= gap ? counter : undefined
      endPeriod()
      begin = start
    }
    // A counter that begins at zero again has counted at least what it shows.
    if (first !== undefined && last && counter < last.counter) first = Math.min(first, 0)
    last = { at, counter }
    if (first !== undefined && at > start) add(at, counter - first)
  }
  endPeriod()
  if (since !== undefined) track.unknown.push({ from: since, to: Infinity })
  return { ...track, goodFor: null, isMeasured: true }
}

/** Tells of moments in order when their period began, and computes it once a quarter of an hour: clocks change at none other. */
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

/** How much of a time is known of a track, ms. */
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
