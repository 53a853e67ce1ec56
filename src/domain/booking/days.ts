import { DEFAULT_ZONE, type Period } from '../../../contract/time/booking.ts'
import { toWallTime } from '../../../contract/time/wall-time.ts'
import { startOfDay } from '../../../contract/time/periods.ts'

/** The day that it is by a room's clock. */
export const todayAt = (zone: string | undefined, now: number): number =>
  toWallTime(now, zone ?? DEFAULT_ZONE).day

/** Days by these clocks: from the midnight that any of them strikes first to the last. */
export const spanOf = (zones: readonly string[], first: number, days: number): Period => ({
  StartTimestamp: Math.min(...zones.map((zone) => startOfDay(first, zone))),
  EndTimestamp: Math.max(...zones.map((zone) => startOfDay(first + days, zone))),
})
