import type { AGAINST } from '../../../contract/procedures/insight.ts'
import { firstDayOf, monthOfDay, yearBefore } from '../../../contract/rules/energy/periods.ts'
import type { Days } from './days.ts'

/** Days of 52 weeks: the same day of the week about a year ago. */
const WEEKS_52 = 364

/**
 * With which days a period is compared. Whole months are compared with whole months, and of one that runs as many of its days as
 * are over with as many of the other; other days with as many days.
 *
 * asked    the period as it was asked for, `end` exclusive
 * today    the first day that is not over
 * returns  undefined where no day of the period is over
 */
export function comparedDays(
  asked: Days,
  against: (typeof AGAINST)[number],
  today: number,
): { now: Days; base: Days } | undefined {
  const end = Math.min(asked.end, today)
  if (end <= asked.from) return undefined
  const base = baseOf(asked, against)
  // Of the last days of a longer month nothing stands against the shorter one.
  const over = end < asked.end ? Math.min(base.from + (end - asked.from), base.end) : base.end
  return { now: { from: asked.from, end }, base: { from: base.from, end: over } }
}

function baseOf({ from, end }: Days, against: (typeof AGAINST)[number]): Days {
  const [first, next] = [monthOfDay(from), monthOfDay(end)]
  const months = next - first
  const isMonths = months > 0 && firstDayOf(first) === from && firstDayOf(next) === end
  if (against === 'lastYearWeekday') return { from: from - WEEKS_52, end: end - WEEKS_52 }
  if (isMonths) {
    const back = against === 'previous' ? months : 12
    return { from: firstDayOf(first - back), end: firstDayOf(next - back) }
  }
  const begin = against === 'previous' ? from - (end - from) : yearBefore(from)
  return { from: begin, end: begin + end - from }
}
