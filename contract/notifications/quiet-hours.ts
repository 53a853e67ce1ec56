import { toEpoch, toWallTime } from '../time/wall-time.ts'
import type { QuietHours } from './settings.ts'

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (day + 4) % 7

/**
 * When the quiet hours that hold at a moment are over, epoch ms; null when none hold. The clock on the person's wall decides: a time
 * that is left out when clocks go forward is as much later, of a time that comes twice the first is meant.
 *
 * special  hours that follow each other without a gap are one
 */
export function quietUntil({ From, To, Days, TimeZone }: QuietHours, at: number): number | null {
  const isOver = (moment: number): number | null => {
    const today = toWallTime(moment, TimeZone).day
    for (const day of [today - 1, today]) {
      if (!Days.includes(weekdayOf(day))) continue
      const begins = toEpoch(day, From, TimeZone)
      const ends = toEpoch(To > From ? day : day + 1, To, TimeZone)
      if (moment >= begins && moment < ends) return ends
    }
    return null
  }
  let end: number | null = null
  // Whole days every day have no end; a week is looked ahead, and then again.
  for (let i = 0, next = isOver(at); next !== null && i < 8; i++, next = isOver(next)) end = next
  return end
}
