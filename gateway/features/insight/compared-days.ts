import type { COMPARISON_BASES } from '../../../contract/energy/insight-calls.ts'
import { comparedWithDays } from '../../../contract/energy/compared-days.ts'
import type { DayWindow } from './days.ts'

/**
 * With which days a period is compared. Whole months are compared with whole months, and of one that runs as many of its days as
 * are over with as many of the other; other days with as many days.
 *
 * asked    the period as it was asked for, `end` exclusive
 * today    the first day that is not over
 * returns  undefined where no day of the period is over
 */
export function comparedDays(
  asked: DayWindow,
  against: (typeof COMPARISON_BASES)[number],
  today: number,
): { now: DayWindow; base: DayWindow } | undefined {
  const end = Math.min(asked.end, today)
  if (end <= asked.from) return undefined
  const base = comparedWithDays(asked, against)
  // Of the last days of a longer month nothing stands against the shorter one.
  const over = end < asked.end ? Math.min(base.from + (end - asked.from), base.end) : base.end
  return { now: { from: asked.from, end }, base: { from: base.from, end: over } }
}
