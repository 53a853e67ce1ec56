import { firstDayOf, monthOfDay, weekdayYearBefore, yearBefore } from '../time/periods.ts'

/** Range of days as `dayOf` numbers them, `end` exclusive. */
interface Days {
  from: number
  end: number
}

/** Fallback comparison if there is no data of a year ago: the previous month for a month, else the same weekdays. */
export function insteadOf({ from, end }: Days): 'previous' | 'weekBefore' {
  const [first, next] = [monthOfDay(from), monthOfDay(end)]
  return next > first && firstDayOf(first) === from && firstDayOf(next) === end ? 'previous' : 'weekBefore'
}

/**
 * Days to compare a range with: whole months with whole months, other ranges with as many days.
 *
 * against  the preceding period, the same dates a year ago, the same weekdays 364 days ago, or the same weekdays the smallest number
 *          of whole weeks earlier that does not overlap
 */
export function comparedWithDays(
  { from, end }: Days,
  against: 'previous' | 'lastYear' | 'lastYearWeekday' | 'weekBefore',
): Days {
  const [first, next] = [monthOfDay(from), monthOfDay(end)]
  const months = next - first
  const isMonths = months > 0 && firstDayOf(first) === from && firstDayOf(next) === end
  if (against === 'lastYearWeekday') return { from: weekdayYearBefore(from), end: weekdayYearBefore(end) }
  if (isMonths) {
    const back = against === 'lastYear' ? 12 : months
    return { from: firstDayOf(first - back), end: firstDayOf(next - back) }
  }
  if (against === 'weekBefore') {
    const days = Math.ceil((end - from) / 7) * 7
    return { from: from - days, end: end - days }
  }
  const begin = against === 'previous' ? from - (end - from) : yearBefore(from)
  return { from: begin, end: begin + end - from }
}
