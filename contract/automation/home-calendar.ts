import { weekdayOf, toEpoch } from '../time/periods.ts'
import type { DayKind, Moment } from './schedule.ts'

/** Sunrise and sunset of a day, epoch ms. */
export interface SunTimes {
  sunrise: number
  sunset: number
}

/**
 * Clock and calendar of a home.
 *
 * zone     an IANA time zone
 * offPeak  days that are off-peak as a whole, from `offPeakSet` and the company's own days
 * sun      sun times of a day, numbered as by `dayOf`; null if the sun does not rise or does not set
 */
export interface Place {
  zone: string
  offPeak: ReadonlySet<number>
  sun(day: number): SunTimes | null
}

const isWeekend = (day: number): boolean => weekdayOf(day) % 6 === 0

/** Whether a day is of a kind. Workdays are Monday to Friday, except days that are off-peak as a whole. */
export function isDayOf(kind: DayKind, day: number, { offPeak }: Pick<Place, 'offPeak'>): boolean {
  if (kind === 'all') return true
  return kind === 'offPeakDays' ? offPeak.has(day) : !isWeekend(day) && !offPeak.has(day)
}

/** Whether a day is excluded although its weekday matches: a holiday among the workdays. */
export const isHolidayFor = (kind: DayKind, day: number, { offPeak }: Pick<Place, 'offPeak'>): boolean =>
  kind === 'workdays' && !isWeekend(day) && offPeak.has(day)

/**
 * Time in epoch ms at which a moment occurs on a day.
 *
 * day  days since 1970-01-01 in local time
 * special  undefined if the sun does not rise or set; for clock changes see `toEpoch`
 */
export function timeOnDay(
  moment: Moment,
  day: number,
  place: Pick<Place, 'zone' | 'sun'>,
): number | undefined {
  if (typeof moment === 'number') return toEpoch(day, moment, place.zone)
  const sun = place.sun(day)
  return sun ? sun[moment.Sun] + moment.Offset * 60_000 : undefined
}
