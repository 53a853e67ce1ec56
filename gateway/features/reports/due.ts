import type { ReportKind } from '../../../contract/reports/calls.ts'
import { firstDayOf, formatDay, monthOf, offsetAt } from '../../../contract/time/periods.ts'

/** Schedule of a report plan. */
export interface Rhythm {
  Kind: ReportKind
  /** Day of the month, 1 to 28. */
  Day: number
  /** IANA zone of its first home. */
  zone: string
}

/** Hour of the day at which emails are sent. */
const HOUR_OF_DAY = 8
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** 08:00 on the plan's day of a month in its zone, epoch ms. */
function dueIn(month: number, { Day, zone }: Rhythm): number {
  const wall = (firstDayOf(month) + Day - 1) * DAY + HOUR_OF_DAY * HOUR
  return wall - offsetAt(wall - offsetAt(wall, zone), zone)
}

/** Months between two emails. */
const stepOf = ({ Kind }: Rhythm): number => (Kind === 'monthly' ? 1 : 12)

/** Month of the last email that is due by now; January for carbon reports. */
function lastMonth(rhythm: Rhythm, now: number): number {
  const month = monthOf(now, rhythm.zone)
  const latest = rhythm.Kind === 'monthly' ? month : Math.floor(month / 12) * 12
  return dueIn(latest, rhythm) <= now ? latest : latest - stepOf(rhythm)
}

/** Due time and period of the last email: the previous month, or the previous year. */
export function lastDue(rhythm: Rhythm, now: number): { at: number; Period: string } {
  const month = lastMonth(rhythm, now)
  const period = formatDay(firstDayOf(month - 1))
  return { at: dueIn(month, rhythm), Period: period.slice(0, rhythm.Kind === 'monthly' ? 7 : 4) }
}

/** Due time of the next email, epoch ms. */
export const nextDue = (rhythm: Rhythm, now: number): number =>
  dueIn(lastMonth(rhythm, now) + stepOf(rhythm), rhythm)
