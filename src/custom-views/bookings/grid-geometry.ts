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

/** The free stretch around a minute, between the bookings on either side or the grid's edges. */
export function freeAround(minute: number, busy: readonly Stretch[], days: number): Stretch {
  const before = busy.filter(({ to }) => to <= minute).map(({ to }) => to)
  const after = busy.filter(({ from }) => from > minute).map(({ from }) => from)
  return { from: Math.max(0, ...before), to: Math.min(days * DAY_MINUTES, ...after) }
}

/** The stretch that a drag between two minutes marks: whole steps, both touched ones included, within the limits. */
export function dragged(a: number, b: number, limits: Stretch): Stretch {
  const from = Math.max(limits.from, Math.floor(Math.min(a, b) / STEP) * STEP)
  const to = Math.min(limits.to, Math.max(from + STEP, Math.ceil(Math.max(a, b) / STEP) * STEP))
  return { from: Math.min(from, to), to }
}

/** A stretch moved by the keys, within the grid; with `grow` only its end moves. */
export function nudged({ from, to }: Stretch, by: number, grow: boolean, days: number): Stretch {
  const most = days * DAY_MINUTES
  if (grow) return { from, to: Math.min(most, Math.max(from + STEP, to + by)) }
  const shift = Math.max(-from, Math.min(by, most - to))
  return { from: from + shift, to: to + shift }
}
