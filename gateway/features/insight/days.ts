import { dayOf } from '../../../contract/time/periods.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { COMPARISON_BASES } from '../../../contract/energy/insight-calls.ts'
import { comparedWithDays } from '../../../contract/energy/compared-days.ts'

/** Range of timestamps that a call may name: 2000 to 2100. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)

/** Range of days as `dayOf` numbers them, the last exclusive. */
export interface DayWindow {
  from: number
  end: number
}

/**
 * The days of a home's time zone that a range touches.
 *
 * maxDays  maximum number of days
 * errors   INVALID
 */
export function daysTouched(From: number, To: number, zone: string, maxDays: number): DayWindow {
  for (const [field, at] of [
    ['From', From],
    ['To', To],
  ] as const)
    if (at < EARLIEST || at > LATEST)
      throw new GatewayError('INVALID', `${field} must lie between 2000 and 2100`, {
        [field]: at < EARLIEST ? 'tooSmall' : 'tooBig',
      })
  if (To <= From) throw new GatewayError('INVALID', 'To must be after From', { To: 'tooSmall' })
  const days = { from: dayOf(From, zone), end: dayOf(To - 1, zone) + 1 }
  if (days.end - days.from > maxDays)
    throw new GatewayError('INVALID', `At most ${maxDays} days are answered`, { To: 'tooManyPoints' })
  return days
}

/**
 * A period and the days it is compared with. Whole months are compared with whole months; of a current month only its
 * finished days, with as many days of the other month. Other periods are compared with as many days.
 *
 * requested    the requested period, `end` exclusive
 * today    the first day that is not over
 * returns  undefined if no day of the period is over
 */
export function comparedDays(
  requested: DayWindow,
  against: (typeof COMPARISON_BASES)[number],
  today: number,
): { now: DayWindow; base: DayWindow } | undefined {
  const end = Math.min(requested.end, today)
  if (end <= requested.from) return undefined
  const base = comparedWithDays(requested, against)
  // The last days of a longer month have no counterpart in a shorter one.
  const over = end < requested.end ? Math.min(base.from + (end - requested.from), base.end) : base.end
  return { now: { from: requested.from, end }, base: { from: base.from, end: over } }
}
