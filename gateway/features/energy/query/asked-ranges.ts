import { PERIOD_TYPES, type PeriodType } from '../../../../contract/procedures/meter-data.ts'
import {
  dayOf,
  monthOf,
  type Resolution,
  startOfDay,
  startOfMonth,
  yearBefore,
} from '../../../../contract/rules/energy/periods.ts'
import { GatewayError } from '../../../errors.ts'

/** Calls look at the time that clocks and tariffs are known for, in ms: 2000 to 2100. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 31)]

/** The refusal of a call that asks for more than an answer holds. */
export const tooMany = (most: number): GatewayError =>
  new GatewayError(
    'INVALID',
    `An answer has at most ${most} points: choose a shorter range or a coarser resolution`,
    { To: 'tooManyPoints' },
  )

/** A moment that a call names. Errors: INVALID. */
export function checkMoment(field: string, timestamp: number): number {
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

/**
 * The day, month or year that a moment lies in, and the one it is compared to: that before (true, previous) or the same a
 * year ago; 29 February is compared to 28 February.
 */
export function rangesOf(
  type: PeriodType,
  timestamp: number,
  compare: boolean | 'previous' | 'lastYear',
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
  const lastYear = compare === 'lastYear'
  const january = month - (month % 12)
  const before = there(lastYear ? yearBefore(day) : day - 1)
  const [asked, compared] =
    type === PERIOD_TYPES.hourly
      ? [days(day, day + 1), days(before, before + 1)]
      : type === PERIOD_TYPES.daily
        ? [months(month, 1), months(month - (lastYear ? 12 : 1), 1)]
        : [months(january, 12), months(january - 12, 12)]
  return compare === false ? [asked] : [asked, compared]
}
