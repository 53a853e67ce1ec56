import { nextStart, QUARTER_MS, type Resolution, startsBetween, DAY_MS } from '../time/periods.ts'
import type { BandSpan, TariffTier } from './tariff-terms.ts'

const HOUR = 3_600_000
/** Consecutive periods. */
export interface Periods {
  /** First ms of each, ascending; each period ends at the start of the next. */
  starts: number[]
  /** End of the last period. */
  end: number
}

/** Minimum duration of a period by resolution, ms; ignores zones whose clocks shift by half an hour. */
export const MIN_PERIOD_MS = {
  quarter: QUARTER_MS,
  hour: HOUR,
  day: DAY_MS - HOUR,
  month: 28 * DAY_MS - HOUR,
} as const

/**
 * Whole periods that a range touches; none spans two days, regardless of clock changes.
 *
 * from, to  epoch ms, `to` exclusive and after `from`
 */
export function periodsBetween(resolution: Resolution, from: number, to: number, zone: string): Periods {
  const starts = startsBetween(resolution, from, to, zone)
  return { starts, end: nextStart(resolution, starts.at(-1) as number, zone) }
}

/** Part of a day in 15-minute intervals since its beginning, `to` exclusive. */
export interface DaySpan {
  from: number
  to: number
}

/** Splits a day by periods, with each period's index. `start` and `next` bound the day, ms. */
export function partsOfDay(
  { starts, end }: Periods,
  start: number,
  next: number,
): (DaySpan & { period: number })[] {
  const parts: (DaySpan & { period: number })[] = []
  for (let i = indexAt(starts, start); i < starts.length; i++) {
    const [from, to] = [Math.max(starts[i] as number, start), Math.min(starts[i + 1] ?? end, next)]
    if (from >= next) break
    if (to > from) parts.push({ period: i, from: (from - start) / QUARTER_MS, to: (to - start) / QUARTER_MS })
  }
  return parts
}

/** Index of the last start at or before a timestamp; 0 if all are later. */
function indexAt(starts: readonly number[], moment: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= moment) low = middle
    else high = middle
  }
  return low
}

/**
 * Bands of a day in 15-minute intervals of local time: an hour that the clocks skip is in no band, a repeated one counts twice.
 *
 * minutes  local time in minutes at the beginning of each interval; undefined on a day of 24 hours
 */
export function bandParts<T extends Pick<BandSpan, 'FromMinute' | 'ThroughMinute'>>(
  spans: readonly T[],
  minutes?: readonly number[],
): (DaySpan & { span: T })[] {
  if (!minutes)
    return spans.map((span) => ({ span, from: span.FromMinute / 15, to: span.ThroughMinute / 15 }))
  const parts: (DaySpan & { span: T })[] = []
  for (const [quarter, minute] of minutes.entries()) {
    const span = spans.find(({ FromMinute, ThroughMinute }) => FromMinute <= minute && minute < ThroughMinute)
    const before = parts.at(-1)
    if (before && before.span === span) before.to = quarter + 1
    else if (span) parts.push({ span, from: quarter, to: quarter + 1 })
  }
  return parts
}

/**
 * Cost of energy under progressive tiers, for a month or a part of it; for a part, each tier's kWh are prorated.
 *
 * share    share of the month's days, 0 to 1
 */
export function tierCharge(kwh: number, tiers: readonly TariffTier[], share = 1): number {
  let [charge, below] = [0, 0]
  for (const { ThroughKwh, Price } of tiers) {
    const through = ThroughKwh === null ? Infinity : ThroughKwh * share
    charge += Math.max(0, Math.min(kwh, through) - below) * Price
    below = through
  }
  return charge
}
