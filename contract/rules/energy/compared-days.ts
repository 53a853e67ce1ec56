import { firstDayOf, monthOfDay, weekdayYearBefore, yearBefore } from './periods.ts'

/** Days as `dayOf` numbers them, `end` exclusive. */
interface Days {
  from: number
  end: number
}

/**
 * The days with which others are compared: whole months with whole months, other days with as many days.
 *
 * against  the period before, the same dates a year ago, or the same days of the week 364 days ago
 */
export function comparedWithDays(
  { from, end }: Days,
  against: 'previous' | 'lastYear' | 'lastYearWeekday',
): Days {
  const [first, next] = [monthOfDay(from), monthOfDay(end)]
  const months = next - first
  const isMonths = months > 0 && firstDayOf(first) === from && firstDayOf(next) === end
  if (against === 'lastYearWeekday') return { from: weekdayYearBefore(from), end: weekdayYearBefore(end) }
  if (isMonths) {
    const back = against === 'previous' ? months : 12
    return { from: firstDayOf(first - back), end: firstDayOf(next - back) }
  }
  const begin = against === 'previous' ? from - (end - from) : yearBefore(from)
  return { from: begin, end: begin + end - from }
}
