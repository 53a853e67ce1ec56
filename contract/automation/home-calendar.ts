import { weekdayOf } from '../time/periods.ts'
import { toEpoch } from '../time/wall-time.ts'
import type { DayKind, Moment } from './schedule.ts'

/** When the sun rises and sets on a day, epoch ms. */
export interface SunTimes {
  sunrise: number
  sunset: number
}

/**
 * What a home's clock and calendar say.
 *
 * zone     an IANA time zone
 * offPeak  days that are off-peak as a whole, as `offPeakSet` answers them with the company's own days
 * sun      of a day, as `dayOf` numbers days; null where the sun does not rise or does not set on it
 */
export interface Place {
  zone: string
  offPeak: ReadonlySet<number>
  sun(day: number): SunTimes | null
}

/** Whether a day is one of a weekend by the week alone. */
const isWeekend = (day: number): boolean => weekdayOf(day) % 6 === 0

/** Whether a day is of a kind. People work from Monday to Friday, but not on a day that is off-peak as a whole. */
export function isDayOf(kind: DayKind, day: number, { offPeak }: Pick<Place, 'offPeak'>): boolean {
  if (kind === 'all') return true
  return kind === 'offPeakDays' ? offPeak.has(day) : !isWeekend(day) && !offPeak.has(day)
}

/** Whether a day is left out although its weekday is of the kind: a holiday among the workdays. */
export const isHolidayFor = (kind: DayKind, day: number, { offPeak }: Pick<Place, 'offPeak'>): boolean =>
  kind === 'workdays' && !isWeekend(day) && offPeak.has(day)

/**
 * When a moment comes on a day, epoch ms.
 *
 * day  days since 1970-01-01 on the wall
 * special  undefined where the sun does not rise or set; for changes of the clock see `atWall`
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
