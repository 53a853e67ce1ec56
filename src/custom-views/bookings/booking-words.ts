import { formatWhen } from '../../lib/format-when.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { toWallTime } from '../../../contract/time/wall-time.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** A time on the wall of the room, e.g. "09:30". */
export const timeText = (timestamp: number, timeZone: string, language: Language): string =>
  formatWhen(timestamp, language, timeZone, 'time')

/** A day of the calendar (days since 1970-01-01) in words, e.g. "Mon, Jan 5". */
export const dayText = (day: number, language: Language): string =>
  formatWhen(day * 86_400_000, language, 'UTC', 'weekDate')

/** The same with less to read, e.g. "Mon 5". */
export const shortDayText = (day: number, language: Language): string =>
  formatWhen(day * 86_400_000, language, 'UTC', 'weekDay')

/** From when to when on the wall of the room, e.g. "Mon, Jan 5, 23:00 – Tue, Jan 6, 01:00". */
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
