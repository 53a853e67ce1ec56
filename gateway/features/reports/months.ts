import type { ReportKind } from '../../../contract/reports/calls.ts'
import { dayOf, firstDayOf, monthOf } from '../../../contract/time/periods.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Day numbers (`dayOf`), `end` exclusive. */
export interface MonthDays {
  from: number
  end: number
}

/** Used if there is no home. */
const DEFAULT_ZONE = 'Asia/Taipei'

/**
 * First month (`monthOf`) and number of months of a report.
 *
 * zones   of its homes: the period must have begun in one of them
 * errors  INVALID with `Period`: `invalid` if it does not match the kind of report, `future` if it has not begun
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
 * Ended days of a month, and as many of the same month of the previous year; all of its days if the month is over.
 *
 * returns  empty ranges if no day of the month has ended
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
