import type { ReportKind } from '../../../contract/reports/calls.ts'
import { firstDayOf, formatDay, monthOf, offsetAt } from '../../../contract/time/periods.ts'

/** When a plan sends. */
export interface Rhythm {
  Kind: ReportKind
  /** Of the month, 1 to 28. */
  Day: number
  /** IANA, of its first home. */
  zone: string
}

/** Of the clock on which letters go out. */
const HOUR_OF_DAY = 8
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** 08:00 of the day of a month by a zone's clock, epoch ms. */
function dueIn(month: number, { Day, zone }: Rhythm): number {
  const wall = (firstDayOf(month) + Day - 1) * DAY + HOUR_OF_DAY * HOUR
  return wall - offsetAt(wall - offsetAt(wall, zone), zone)
}

/** Months between two letters. */
const stepOf = ({ Kind }: Rhythm): number => (Kind === 'monthly' ? 1 : 12)

/** The month of the last letter that is due by now: of a carbon report a January. */
function lastMonth(rhythm: Rhythm, now: number): number {
  const month = monthOf(now, rhythm.zone)
  const latest = rhythm.Kind === 'monthly' ? month : Math.floor(month / 12) * 12
  return dueIn(latest, rhythm) <= now ? latest : latest - stepOf(rhythm)
}

/** When the last letter was due, and of which period: the month before, or the year before. */
export function lastDue(rhythm: Rhythm, now: number): { at: number; Period: string } {
  const month = lastMonth(rhythm, now)
  const period = formatDay(firstDayOf(month - 1))
  return { at: dueIn(month, rhythm), Period: period.slice(0, rhythm.Kind === 'monthly' ? 7 : 4) }
}

/** When the next letter is due, epoch ms. */
export const nextDue = (rhythm: Rhythm, now: number): number =>
  dueIn(lastMonth(rhythm, now) + stepOf(rhythm), rhythm)
