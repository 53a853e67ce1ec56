import { z } from 'zod'
import { mondayOf, parseDay, toEpoch, toWallTime, DAY_MS } from '../time/periods.ts'
import type { Period } from '../time/booking.ts'

export const MAX_OCCURRENCES = 200

/** Date in the room's time zone, e.g. "2026-03-29". */
const CalendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'invalid')
  .refine((date) => Number.isInteger(parseDay(date)), 'invalid')

/**
 * Recurrence of a booking in the room's local time: the time of day is unaffected by clock changes.
 *
 * Interval  number of days, weeks or months between bookings
 * Weekdays  of a weekly recurrence, 0 Sunday; empty means that of the first booking. Weeks begin on Monday
 * Until     last possible day
 */
export const BookingRepeat = z.object({
  Every: z.enum(['day', 'week', 'month']),
  Interval: z.number().int().min(1, 'tooSmall').max(12, 'tooBig'),
  Weekdays: z.array(z.number().int().min(0).max(6)).max(7),
  Until: CalendarDate,
})
export type BookingRepeat = z.infer<typeof BookingRepeat>

/**
 * Bookings of a series, including the first, ascending.
 *
 * first    period of the first booking; all share its time of day and duration
 * returns  at most MAX_OCCURRENCES + 1, so that the caller can detect an excess
 * special  a month without the day of the month is skipped (RFC 5545); a time skipped by the clocks is shifted by the change
 */
export function occurrencesOf(first: Period, repeat: BookingRepeat, zone: string): Period[] {
  const { day, minute } = toWallTime(first.StartTimestamp, zone)
  const length = first.EndTimestamp - first.StartTimestamp
  const last = parseDay(repeat.Until)
  const found: Period[] = [first]
  for (const next of daysOf(day, repeat)) {
    if (next > last || found.length > MAX_OCCURRENCES) break
    if (next <= day) continue
    const StartTimestamp = toEpoch(next, minute, zone)
    found.push({ StartTimestamp, EndTimestamp: StartTimestamp + length })
  }
  return found
}

function* daysOf(first: number, { Every, Interval, Weekdays }: BookingRepeat): Generator<number> {
  if (Every === 'day') for (let day = first; ; day += Interval) yield day
  if (Every === 'week') {
    // Monday first, like the weeks.
    const days = Weekdays.length
      ? Weekdays.map((weekday) => (weekday + 6) % 7).toSorted()
      : [first - mondayOf(first)]
    for (let monday = mondayOf(first); ; monday += 7 * Interval) for (const day of days) yield monday + day
  }
  const start = new Date(first * DAY_MS)
  for (let months = 0; ; months += Interval) {
    const date = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, start.getUTCDate()))
    // Date overflows into the next month if the day does not exist. 12 months always lead back to the same month.
    if (date.getUTCDate() === start.getUTCDate()) yield date.getTime() / DAY_MS
    else yield first
  }
}

/**
 * Shifts a booking of a series by the move of another one: the same number of days, the new time of day if it changed, and the new
 * duration.
 *
 * from, to  period of the moved booking, before and after
 */
export function movedAlong(booking: Period, from: Period, to: Period, zone: string): Period {
  const [previousStart, newStart] = [
    toWallTime(from.StartTimestamp, zone),
    toWallTime(to.StartTimestamp, zone),
  ]
  const ownStart = toWallTime(booking.StartTimestamp, zone)
  const minute = previousStart.minute === newStart.minute ? ownStart.minute : newStart.minute
  const StartTimestamp = toEpoch(ownStart.day + newStart.day - previousStart.day, minute, zone)
  return { StartTimestamp, EndTimestamp: StartTimestamp + to.EndTimestamp - to.StartTimestamp }
}
