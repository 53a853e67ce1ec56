import {
  type ComparedWith,
  PERIOD_TYPES,
  type PeriodType,
} from '../../../../contract/energy/meter-data-calls.ts'
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

/** Bounds of queries, 2000 to 2100 in epoch ms: the time for which clocks and tariffs are known. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 31)]

/** Error for a call that requests too many points. */
export const limitExceeded = (most: number): GatewayError =>
  new GatewayError(
    'INVALID',
    `An answer has at most ${most} points: choose a shorter range or a coarser resolution`,
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

/** Range to compare with if there is no data of a year ago. */
export const comparedInstead = (range: { From: number; To: number }, zone: string) =>
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

/**
 * Day, month or year that contains a timestamp, and the one to compare with; 29 February is compared with 28 February, or with the same
 * weekday 52 weeks ago.
 */
export function rangesOf(
  type: PeriodType,
  timestamp: number,
  compare: ComparedWith | null,
  zone: string,
): [from: number, to: number][] {
  const day = dayOf(timestamp, zone)
  const month = monthOf(timestamp, zone)
  const days = (first: number, next: number): [number, number] => [
    startOfDay(first, zone),
    startOfDay(next, zone),
  ]
  const months = (first: number, count: number): [number, number] => [
    startOfMonth(first, zone),
    startOfMonth(first + count, zone),
  ]
  // A zone that moved across the date line skipped a day.
  const there = (one: number): number => (startOfDay(one, zone) < startOfDay(one + 1, zone) ? one : one - 1)
  const january = month - (month % 12)
  const before = there(
    compare === 'previous'
      ? day - 1
      : compare === 'weekBefore'
        ? day - 7
        : compare === 'lastYear'
          ? yearBefore(day)
          : weekdayYearBefore(day),
  )
  const [asked, compared] =
    type === PERIOD_TYPES.hourly
      ? [days(day, day + 1), days(before, before + 1)]
      : type === PERIOD_TYPES.daily
        ? [months(month, 1), months(month - (compare === 'previous' || compare === 'weekBefore' ? 1 : 12), 1)]
        : [months(january, 12), months(january - 12, 12)]
  return compare === null ? [asked] : [asked, compared]
}
