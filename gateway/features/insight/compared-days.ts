import type { COMPARISON_BASES } from '../../../contract/energy/insight-calls.ts'
import { comparedWithDays } from '../../../contract/energy/compared-days.ts'
import type { DayWindow } from './days.ts'

/**
 * A period and the days it is compared with. Whole months are compared with whole months; of a current month only its
 * finished days, with as many days of the other month. Other periods are compared with as many days.
 *
 * asked    the requested period, `end` exclusive
 * today    the first day that is not over
 * returns  undefined if no day of the period is over
 */
export function comparedDays(
  asked: DayWindow,
  against: (typeof COMPARISON_BASES)[number],
  today: number,
): { now: DayWindow; base: DayWindow } | undefined {
  const end = Math.min(asked.end, today)
  if (end <= asked.from) return undefined
  const base = comparedWithDays(asked, against)
  // The last days of a longer month have no counterpart in a shorter one.
  const over = end < asked.end ? Math.min(base.from + (end - asked.from), base.end) : base.end
  return { now: { from: asked.from, end }, base: { from: base.from, end: over } }
}
