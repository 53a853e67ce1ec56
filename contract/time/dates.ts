import { z } from 'zod'
import { formatDay, parseDay, dayOf, offsetAt } from './periods.ts'

/** Aborts on an invalid day, because dependent checks cannot compute with it. */
export const NO_DAY = { error: 'invalid', abort: true } as const

/** Calendar day, `2025-10-01`. */
export const DateText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, NO_DAY)
  .refine((text) => Number.isFinite(parseDay(text)) && formatDay(parseDay(text)) === text, NO_DAY)

/** Types of days; offPeakDay stands for Sundays and the listed holidays. */
export const DAY_TYPES = ['weekday', 'saturday', 'offPeakDay'] as const
export type DayType = (typeof DAY_TYPES)[number]

const MINUTE = 60_000
const DAY = 86_400_000

/**
 * Converts a local day and minute to epoch ms.
 *
 * day, minute  days since 1970-01-01 and minutes since midnight, both in local time
 * special      a time skipped by the clocks is shifted by the change; of a repeated time the first one is returned
 */
export function toEpoch(day: number, minute: number, zone: string): number {
  const wall = day * DAY + minute * MINUTE
  const [before, after] = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)]
  const first = wall - before
  if (before === after || offsetAt(first, zone) === before) return first
  const second = wall - after
  return offsetAt(second, zone) === after ? second : first
}

/** Local day, as days since 1970-01-01, and minutes since midnight. */
export function toWallTime(timestamp: number, zone: string): { day: number; minute: number } {
  const day = dayOf(timestamp, zone)
  return { day, minute: Math.floor((timestamp + offsetAt(timestamp, zone) - day * DAY) / MINUTE) }
}
