import { onWall } from '../../../contract/rules/booking-clock.ts'
import type { Period } from '../../../contract/rules/booking.ts'

export const DAY_MINUTES = 1440
/** What a drag and the keys step by, in minutes. */
export const STEP = 15
/** What one press of Enter or one tap books at first, in minutes. */
export const USUAL = 60

/** A part of the grid in minutes from its left edge: wall minutes of the room, the first day's midnight being 0. */
export interface Stretch {
  from: number
  to: number
}

/** Minutes from the grid's left edge to a moment, on the room's wall. */
export function minuteOf(timestamp: number, firstDay: number, zone: string): number {
  const { day, minute } = onWall(timestamp, zone)
  return (day - firstDay) * DAY_MINUTES + minute
}

/** Where a booking stands in a grid of so many days, cut at its edges; undefined where it does not show. */
export function stretchOf(
  booking: Period,
  firstDay: number,
  days: number,
  zone: string,
): Stretch | undefined {
  const from = Math.max(0, minuteOf(booking.StartTimestamp, firstDay, zone))
  const to = Math.min(days * DAY_MINUTES, minuteOf(booking.EndTimestamp, firstDay, zone))
  return to > from ? { from, to } : undefined
}

/** The stretch that a drag between two minutes marks: whole steps, both touched ones included, one at least. */
export function dragged(a: number, b: number, days: number): Stretch {
  const [low, high] = [Math.min(a, b), Math.max(a, b)]
  const from = Math.max(0, Math.floor(low / STEP) * STEP)
  const to = Math.min(days * DAY_MINUTES, Math.max(from + STEP, Math.ceil(high / STEP) * STEP))
  return { from: Math.min(from, to - STEP), to }
}

/** A stretch moved by the keys, within the grid; with `grow` only its end moves. */
export function nudged({ from, to }: Stretch, by: number, grow: boolean, days: number): Stretch {
  const most = days * DAY_MINUTES
  if (grow) return { from, to: Math.min(most, Math.max(from + STEP, to + by)) }
  const shift = Math.max(-from, Math.min(by, most - to))
  return { from: from + shift, to: to + shift }
}
