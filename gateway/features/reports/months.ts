import type { ReportKind } from '../../../contract/reports/calls.ts'
import { dayOf, firstDayOf, monthOf } from '../../../contract/time/periods.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Days as `dayOf` numbers them, `end` exclusive. */
export interface MonthDays {
  from: number
  end: number
}

/** Where nothing says whose clock counts. */
const DEFAULT_ZONE = 'Asia/Taipei'

/**
 * The month or the year of a report, as `monthOf` numbers months.
 *
 * zones   of its homes: it must have begun by one of their clocks
 * errors  INVALID with `Period`: `invalid` where it is not of its kind, `future` where it has not begun
 */
export function monthsOf(
  kind: ReportKind,
  period: string,
  now: number,
  zones: readonly string[],
): { first: number; count: number } {
  const [year = 0, month] = period.split('-').map(Number)
  if ((kind === 'monthly') !== (month !== undefined))
    throw new GatewayError(
      'INVALID',
      'The period is a month of a monthly report, and a year of a carbon report',
      {
        Period: 'invalid',
      },
    )
  const first = year * 12 + (month ?? 1) - 1
  const latest = Math.max(
    ...[...zones, ...(zones.length ? [] : [DEFAULT_ZONE])].map((zone) => monthOf(now, zone)),
  )
  if (first > latest) throw new GatewayError('INVALID', 'The period has not begun', { Period: 'future' })
  return { first, count: kind === 'monthly' ? 1 : 12 }
}

/**
 * The days of a month that are over, and as many of the same month of the year before: of a whole month the whole one.
 *
 * returns  of a month of which no day is over, no days
 */
export function daysOfMonth(
  month: number,
  now: number,
  zone: string,
): { days: MonthDays; before: MonthDays; isOver: boolean } {
  const today = dayOf(now, zone)
  const days = { from: firstDayOf(month), end: Math.min(firstDayOf(month + 1), today) }
  const isOver = today >= firstDayOf(month + 1)
  const [from, whole] = [firstDayOf(month - 12), firstDayOf(month - 11)]
  const end = isOver ? whole : Math.min(whole, from + days.end - days.from)
  return {
    days: { from: days.from, end: Math.max(days.from, days.end) },
    before: { from, end: Math.max(from, end) },
    isOver,
  }
}
