import {
  type ComparedWith,
  MAX_SERIES_POINTS,
  PERIOD_TYPES,
  type PeriodType,
} from '../../../../contract/energy/meter-data-calls.ts'
import { MIN_PERIOD_MS, type Periods, periodsBetween } from '../../../../contract/tariffs/energy-totals.ts'
import { comparedWithDays, insteadOf } from '../../../../contract/energy/compared-days.ts'
import {
  dayOf,
  monthOf,
  type Resolution,
  startOfDay,
  startOfMonth,
  weekdayYearBefore,
  yearBefore,
} from '../../../../contract/time/periods.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import type { Series } from './series.ts'

/** Bounds of queries, 2000 to 2100 in epoch ms: the time for which clocks and tariffs are known. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 31)]

/** Error for a call that requests too many points. */
export const limitExceeded = (limit: number): GatewayError =>
  new GatewayError(
    'INVALID',
    `An answer has at most ${limit} points: choose a shorter range or a coarser resolution`,
    { To: 'tooManyPoints' },
  )

/** Validates a timestamp of a call. Errors: INVALID. */
export function assertTimestamp(field: string, timestamp: number): number {
  if (timestamp < EARLIEST || timestamp > LATEST)
    throw new GatewayError('INVALID', `${field} must lie between 2000 and 2100`, {
      [field]: timestamp < EARLIEST ? 'tooSmall' : 'tooBig',
    })
  return timestamp
}

/** Divides a range into whole periods. Errors: INVALID. */
export function wholePeriods(
  { From, To, Resolution: resolution }: { From: number; To: number; Resolution: Resolution },
  zone: string,
): Periods {
  const [from, to] = [assertTimestamp('From', From), assertTimestamp('To', To)]
  if (to <= from) throw new GatewayError('INVALID', 'To must be after From', { To: 'tooSmall' })
  if ((to - from) / MIN_PERIOD_MS[resolution] > MAX_SERIES_POINTS) throw limitExceeded(MAX_SERIES_POINTS)
  const periods = periodsBetween(resolution, from, to, zone)
  if (periods.starts.length > MAX_SERIES_POINTS) throw limitExceeded(MAX_SERIES_POINTS)
  return periods
}

/** Range that some periods cover. */
export const extentOf = ({ starts, end }: Periods): { From: number; To: number } => ({
  From: starts[0] as number,
  To: end,
})

/** Resolution of one bar in each kind of period. */
export const RESOLUTIONS = {
  [PERIOD_TYPES.hourly]: 'hour',
  [PERIOD_TYPES.daily]: 'day',
  [PERIOD_TYPES.monthly]: 'month',
} as const satisfies Record<PeriodType, Resolution>

/** Comparison of a period: null for none; `true` compares a day with the same weekday a year ago, other periods with the previous one. */
export function comparedWith(type: PeriodType, compare: boolean | ComparedWith): ComparedWith | null {
  if (compare === false) return null
  if (compare !== true) return compare
  return type === PERIOD_TYPES.hourly ? 'lastYearWeekday' : 'previous'
}

/** Comparison to fall back to if nothing is known of a year ago. */
export const fallbackOf = (range: { From: number; To: number }, zone: string) =>
  insteadOf({ from: dayOf(range.From, zone), end: dayOf(range.To - 1, zone) + 1 })

/** Range to compare another with; times of day are preserved. */
export function comparedRange<Range extends { From: number; To: number }>(
  range: Range,
  compare: ComparedWith,
  zone: string,
): Range {
  const days = { from: dayOf(range.From, zone), end: dayOf(range.To - 1, zone) + 1 }
  const { from, end } = comparedWithDays(days, compare)
  return {
    ...range,
    From: startOfDay(from, zone) + range.From - startOfDay(days.from, zone),
    To: startOfDay(end, zone) - (startOfDay(days.end, zone) - range.To),
  }
}

/** Day, month or year that contains a timestamp, epoch ms. */
export function periodOf(type: PeriodType, timestamp: number, zone: string): [from: number, to: number] {
  const [day, month] = [dayOf(timestamp, zone), monthOf(timestamp, zone)]
  if (type === PERIOD_TYPES.hourly) return [startOfDay(day, zone), startOfDay(day + 1, zone)]
  return type === PERIOD_TYPES.daily ? monthsFrom(month, 1, zone) : monthsFrom(month - (month % 12), 12, zone)
}

/**
 * Day, month or year to compare with that of a timestamp; 29 February is compared with 28 February, or with the same weekday 52 weeks ago.
 */
export function comparedPeriodOf(
  type: PeriodType,
  timestamp: number,
  compare: ComparedWith,
  zone: string,
): [from: number, to: number] {
  const month = monthOf(timestamp, zone)
  const isRecent = compare === 'previous' || compare === 'weekBefore'
  if (type === PERIOD_TYPES.daily) return monthsFrom(month - (isRecent ? 1 : 12), 1, zone)
  if (type === PERIOD_TYPES.monthly) return monthsFrom(month - (month % 12) - 12, 12, zone)
  const before = dayBefore(dayOf(timestamp, zone), compare)
  // A zone that moved across the date line skipped a day.
  const day = startOfDay(before, zone) < startOfDay(before + 1, zone) ? before : before - 1
  return [startOfDay(day, zone), startOfDay(day + 1, zone)]
}

const monthsFrom = (first: number, count: number, zone: string): [from: number, to: number] => [
  startOfMonth(first, zone),
  startOfMonth(first + count, zone),
]

function dayBefore(day: number, compare: ComparedWith): number {
  if (compare === 'previous') return day - 1
  if (compare === 'weekBefore') return day - 7
  return compare === 'lastYear' ? yearBefore(day) : weekdayYearBefore(day)
}

/** Whether any energy is known. */
const isKnown = (series: readonly Series[]): boolean =>
  series.some(({ Points }) => Points.some(({ kWh }) => kWh !== null))

/**
 * Reads the range to compare with. Data of a year ago is often unknown: the fallback replaces it if that is known.
 *
 * readCompared  reads the series of the range that a comparison leads to
 */
export async function compareWithFallback<Read extends { series: readonly Series[] }>(
  compare: ComparedWith,
  fallback: ComparedWith,
  readCompared: (compare: ComparedWith) => Promise<Read>,
): Promise<Read & { With: ComparedWith }> {
  const requested = await readCompared(compare)
  if (compare.startsWith('lastYear') && !isKnown(requested.series)) {
    const other = await readCompared(fallback)
    if (isKnown(other.series)) return { ...other, With: fallback }
  }
  return { ...requested, With: compare }
}

/** Comparisons that `compareWithFallback` may read. */
export const comparisonsOf = (compare: ComparedWith, fallback: ComparedWith): ComparedWith[] =>
  compare.startsWith('lastYear') ? [compare, fallback] : [compare]
