import { toEpoch, toWallTime } from '../time/periods.ts'
import type { QuietHours } from './settings.ts'

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (day + 4) % 7

/**
 * End of the quiet hours that are active at a time, epoch ms; null if none are. Uses the user's local time: a time skipped by the clocks
 * is shifted by the change, and of a repeated time the first one counts.
 *
 * special  adjacent quiet hours are merged
 */
export function quietUntil({ From, To, Days, TimeZone }: QuietHours, at: number): number | null {
  const isOver = (timestamp: number): number | null => {
    const today = toWallTime(timestamp, TimeZone).day
    for (const day of [today - 1, today]) {
      if (!Days.includes(weekdayOf(day))) continue
      const begins = toEpoch(day, From, TimeZone)
      const endTimestamp = toEpoch(To > From ? day : day + 1, To, TimeZone)
      if (timestamp >= begins && timestamp < endTimestamp) return endTimestamp
    }
    return null
  }
  let end: number | null = null
  // Full days on every weekday would never end: searches one week ahead, after which the caller computes again.
  for (let i = 0, next = isOver(at); next !== null && i < 8; i++, next = isOver(next)) end = next
  return end
}
