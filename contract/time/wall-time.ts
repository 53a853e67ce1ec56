import { dayOf, offsetAt } from './periods.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/**
 * The moment at which a clock on the wall shows a day and minute.
 *
 * day, minute  days since 1970-01-01 and minutes since midnight, both on the wall
 * special      a time that is left out when clocks go forward is as much later as they go; of a time that comes twice the
 *              first is meant
 */
export function toEpoch(day: number, minute: number, zone: string): number {
  const wall = day * DAY + minute * MINUTE
  const [before, after] = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)]
  const first = wall - before
  if (before === after || offsetAt(first, zone) === before) return first
  const second = wall - after
  return offsetAt(second, zone) === after ? second : first
}

/** What a clock on the wall shows: the day, as days since 1970-01-01, and the minutes since midnight. */
export function toWallTime(timestamp: number, zone: string): { day: number; minute: number } {
  const day = dayOf(timestamp, zone)
  return { day, minute: Math.floor((timestamp + offsetAt(timestamp, zone) - day * DAY) / MINUTE) }
}
