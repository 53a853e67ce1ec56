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

/** Calls look at the time that clocks and tariffs are known for, in ms: 2000 to 2100. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 31)]

/** The refusal of a call that asks for more than an answer holds. */
export const limitExceeded = (most: number): GatewayError =>
  new GatewayError(
    'INVALID',
    `An answer has at most ${most} points: choose a shorter range or a coarser resolution`,
    { To: 'tooManyPoints' },
  )

/** A moment that a call names. Errors: INVALID. */
export function assertTimestamp(field: string, timestamp: number): number {
  if (timestamp < EARLIEST || timestamp > LATEST)
    throw new GatewayError('INVALID', `${field} must lie between 2000 and 2100`, {
      [field]: timestamp < EARLIEST ? 'tooSmall' : 'tooBig',
    })
  return timestamp
}

/** What one bar of each kind of period stands for. */
export const RESOLUTIONS = {
  [PERIOD_TYPES.hourly]: 'hour',
  [PERIOD_TYPES.daily]: 'day',
  [PERIOD_TYPES.monthly]: 'month',
} as const satisfies Record<PeriodType, Resolution>

/** With what a period is compared: null with nothing; true a day with the same day of the week a year ago, the others with the one before. */
export function comparedWith(type: PeriodType, compare: boolean | ComparedWith): ComparedWith | null {
  if (compare === false) return null
  if (compare !== true) return compare
  return type === PERIOD_TYPES.hourly ? 'lastYearWeekday' : 'previous'
}

/** Range to compare with if there is no data of a year ago. */
export const comparedInstead = (range: { From: number; To: number }, zone: string) =>
  insteadOf({ from: dayOf(range.From, zone), end: dayOf(range.To - 1, zone) + 1 })

/** The range with which another is compared; what lies within a day stays where it is on its day. */
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
 * The day, month or year that a moment lies in, and the one it is compared to; 29 February is compared to 28 February, or to
 * the same day of the week 52 weeks ago.
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
  // A zone that moved over the date line has left a day out.
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
