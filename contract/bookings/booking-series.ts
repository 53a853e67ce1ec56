import { z } from 'zod'
import { toEpoch, toWallTime } from '../time/wall-time.ts'
import { mondayOf, parseDay } from '../time/periods.ts'
import type { Period } from '../time/booking.ts'

/** The most bookings of one series. */
export const MAX_OCCURRENCES = 200

/** A date of the room's calendar, e.g. "2026-03-29". */
const CalendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'invalid')
  .refine((date) => Number.isInteger(parseDay(date)), 'invalid')

/**
 * How a booking repeats, on the room's own clock: the same time of day whatever the clocks do.
 *
 * Interval  every so many days, weeks or months
 * Weekdays  of a weekly one, 0 Sunday; empty is the first booking's own. Weeks begin on Monday
 * Until     the last day it may fall on
 */
export const BookingRepeat = z.object({
  Every: z.enum(['day', 'week', 'month']),
  Interval: z.number().int().min(1, 'tooSmall').max(12, 'tooBig'),
  Weekdays: z.array(z.number().int().min(0).max(6)).max(7),
  Until: CalendarDate,
})
export type BookingRepeat = z.infer<typeof BookingRepeat>

const DAY = 86_400_000

/**
 * The bookings of a series, the first one included, ascending.
 *
 * first    its period; its time of day and its length are everyone's
 * returns  at most MAX_OCCURRENCES + 1, so that a caller sees that there would be more
 * special  a month without the day of the month has none (RFC 5545); a time that a clock leaves out is later by as much
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
    // Monday first, as the weeks do.
    const days = Weekdays.length ? Weekdays.map((one) => (one + 6) % 7).toSorted() : [first - mondayOf(first)]
    for (let monday = mondayOf(first); ; monday += 7 * Interval) for (const day of days) yield monday + day
  }
  const start = new Date(first * DAY)
  for (let months = 0; ; months += Interval) {
    const date = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, start.getUTCDate()))
    // Where the month has no such day, Date goes on into the next one. 12 months always come back to the year.
    if (date.getUTCDate() === start.getUTCDate()) yield date.getTime() / DAY
    else yield first
  }
}

/**
 * A booking of a series moved as its person moved another one: by as many days, to the same time of day and length.
 *
 * from, to  the period that was moved, before and after
 */
export function movedAlong(booking: Period, from: Period, to: Period, zone: string): Period {
  const [before, after] = [toWallTime(from.StartTimestamp, zone), toWallTime(to.StartTimestamp, zone)]
  const own = toWallTime(booking.StartTimestamp, zone)
  const minute = before.minute === after.minute ? own.minute : after.minute
  const StartTimestamp = toEpoch(own.day + after.day - before.day, minute, zone)
  return { StartTimestamp, EndTimestamp: StartTimestamp + to.EndTimestamp - to.StartTimestamp }
}
