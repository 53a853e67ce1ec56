import { toEpoch, toWallTime } from '../../../contract/time/wall-time.ts'
import { MINUTE, type Period } from '../../../contract/time/booking.ts'

export const DAY_MINUTES = 1440
/** What a drag and the keys step by, in minutes. */
export const STEP_MINUTES = 15
/** What one press of Enter or one tap books at first, in minutes. */
export const DEFAULT_MINUTES = 60
const OPENS = 9 * 60

/** A part of a day in minutes of the room's wall, midnight being 0. */
export interface MinuteRange {
  from: number
  to: number
}

/** Minutes from a day's midnight to a moment, on the room's wall; negative before it. */
export function minuteOf(timestamp: number, day: number, zone: string): number {
  const wall = toWallTime(timestamp, zone)
  return (wall.day - day) * DAY_MINUTES + wall.minute
}

/**
 * Where a booking stands on a day, cut at midnight; undefined where it does not show. One that ends earlier on the wall than
 * it began, because clocks go back meanwhile, is as long as it lasts.
 */
export function minuteRangeOf(booking: Period, day: number, zone: string): MinuteRange | undefined {
  const begins = minuteOf(booking.StartTimestamp, day, zone)
  let ends = minuteOf(booking.EndTimestamp, day, zone)
  if (ends <= begins) ends = begins + (booking.EndTimestamp - booking.StartTimestamp) / MINUTE
  const from = Math.max(0, begins)
  const to = Math.min(DAY_MINUTES, ends)
  return to > from ? { from, to } : undefined
}

/** The free stretch around a minute, between the bookings on either side or the day's ends. */
export function freeAround(minute: number, busy: readonly MinuteRange[]): MinuteRange {
  const before = busy.filter(({ to }) => to <= minute).map(({ to }) => to)
  const after = busy.filter(({ from }) => from > minute).map(({ from }) => from)
  return { from: Math.max(0, ...before), to: Math.min(DAY_MINUTES, ...after) }
}

/** The stretch that a drag between two minutes marks: whole steps, both touched ones included, within the limits. */
export function dragged(a: number, b: number, limits: MinuteRange): MinuteRange {
  const from = Math.max(limits.from, Math.floor(Math.min(a, b) / STEP_MINUTES) * STEP_MINUTES)
  const to = Math.min(
    limits.to,
    Math.max(from + STEP_MINUTES, Math.ceil(Math.max(a, b) / STEP_MINUTES) * STEP_MINUTES),
  )
  return { from: Math.min(from, to), to }
}

/** A stretch moved by the keys, within the day; with `grow` only its end moves. */
export function nudged({ from, to }: MinuteRange, by: number, grow: boolean): MinuteRange {
  if (grow) return { from, to: Math.min(DAY_MINUTES, Math.max(from + STEP_MINUTES, to + by)) }
  const shift = Math.max(-from, Math.min(by, DAY_MINUTES - to))
  return { from: from + shift, to: to + shift }
}

/** What is offered on a day at first: an hour from nine, or from the next quarter on where nine has passed. */
export function usualPeriod(day: number, zone: string, now: number): Period {
  const nine = toEpoch(day, OPENS, zone)
  const StartTimestamp = nine > now ? nine : Math.ceil(now / (STEP_MINUTES * MINUTE)) * STEP_MINUTES * MINUTE
  return { StartTimestamp, EndTimestamp: StartTimestamp + DEFAULT_MINUTES * MINUTE }
}

/** Where the keys begin: at the next step from now on the day that is running, else at nine. */
export function keysBegin(day: number, zone: string, now: number): MinuteRange {
  const minute = minuteOf(now, day, zone)
  const shown = minute >= 0 && minute < DAY_MINUTES - DEFAULT_MINUTES - STEP_MINUTES
  const from = shown ? Math.ceil(minute / STEP_MINUTES) * STEP_MINUTES : OPENS
  return { from, to: from + DEFAULT_MINUTES }
}
