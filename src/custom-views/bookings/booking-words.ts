import { formatWhen } from '../../../contract/time/format-time.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { toWallTime } from '../../../contract/time/periods.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Time in the room's time zone, e.g. "09:30". */
export const timeText = (timestamp: number, timeZone: string, language: Language): string =>
  formatWhen(timestamp, language, timeZone, 'time')

/** Date of a day (days since 1970-01-01), e.g. "Mon, Jan 5". */
export const dayText = (day: number, language: Language): string =>
  formatWhen(day * 86_400_000, language, 'UTC', 'weekDate')

/** Short date of a day, e.g. "Mon 5". */
export const shortDayText = (day: number, language: Language): string =>
  formatWhen(day * 86_400_000, language, 'UTC', 'weekDay')

/** Times of a period within a day, e.g. "09:30 – 10:30"; with the date of an end on another day. */
export function timesOn(day: number, period: Period, zone: string, language: Language): string {
  const { StartTimestamp, EndTimestamp } = period
  const isWithin = [StartTimestamp, EndTimestamp].every((at) => toWallTime(at, zone).day === day)
  return isWithin
    ? `${timeText(StartTimestamp, zone, language)} – ${timeText(EndTimestamp, zone, language)}`
    : periodText(period, zone, language)
}

/** Period in the room's time zone, e.g. "Mon, Jan 5, 23:00 – Tue, Jan 6, 01:00". */
export function periodText(
  { StartTimestamp, EndTimestamp }: Period,
  zone: string,
  language: Language,
): string {
  const [from, to] = [toWallTime(StartTimestamp, zone), toWallTime(EndTimestamp, zone)]
  const end = timeText(EndTimestamp, zone, language)
  const start = `${dayText(from.day, language)} ${timeText(StartTimestamp, zone, language)}`
  return from.day === to.day ? `${start} – ${end}` : `${start} – ${dayText(to.day, language)} ${end}`
}
