import { DEFAULT_ZONE, type Period } from '../../../contract/time/booking.ts'
import { startOfDay, toWallTime } from '../../../contract/time/periods.ts'

/** Current day in a room's time zone. */
export const todayAt = (zone: string | undefined, now: number): number =>
  toWallTime(now, zone ?? DEFAULT_ZONE).day

/** Period of days that covers all time zones: from the earliest midnight to the latest. */
export const spanOf = (zones: readonly string[], first: number, days: number): Period => ({
  StartTimestamp: Math.min(...zones.map((zone) => startOfDay(first, zone))),
  EndTimestamp: Math.max(...zones.map((zone) => startOfDay(first + days, zone))),
})
