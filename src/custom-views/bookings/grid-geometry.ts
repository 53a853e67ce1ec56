import { toEpoch, toWallTime } from '../../../contract/time/periods.ts'
import { MINUTE, type Period } from '../../../contract/time/booking.ts'

export const DAY_MINUTES = 1440
/** Step of dragging and of the arrow keys. */
export const STEP_MINUTES = 15
/** Initial length of a booking by Enter or a tap. */
export const DEFAULT_MINUTES = 60
const OPENING_MINUTE = 9 * 60

/** Part of a day in minutes since midnight in the room's time zone. */
export interface MinuteRange {
  from: number
  to: number
}

/** Minutes from a day's midnight to a timestamp, in the room's time zone; negative before it. */
export function minuteOf(timestamp: number, day: number, zone: string): number {
  const wall = toWallTime(timestamp, zone)
  return (wall.day - day) * DAY_MINUTES + wall.minute
}

/**
 * Part of a booking on a day, cut at midnight; undefined if there is none. If clocks go back during it and its end is not after its start,
 * its actual duration counts.
 */
export function minuteRangeOf(booking: Period, day: number, zone: string): MinuteRange | undefined {
  const startMinute = minuteOf(booking.StartTimestamp, day, zone)
  let ends = minuteOf(booking.EndTimestamp, day, zone)
  if (ends <= startMinute) ends = startMinute + (booking.EndTimestamp - booking.StartTimestamp) / MINUTE
  const from = Math.max(0, startMinute)
  const to = Math.min(DAY_MINUTES, ends)
  return to > from ? { from, to } : undefined
}

/** Hours that a grid shows at least. */
const GRID_HOURS: MinuteRange = { from: 7 * 60, to: 21 * 60 }

/** Full hours that a grid shows: those of the working day, extended by bookings outside of them. */
export const hoursWith = (busy: readonly MinuteRange[]): MinuteRange => ({
  from: Math.min(GRID_HOURS.from, ...busy.map(({ from }) => Math.floor(from / 60) * 60)),
  to: Math.max(GRID_HOURS.to, ...busy.map(({ to }) => Math.ceil(to / 60) * 60)),
})

/** Position within the grid's hours, for CSS. */
export const percentOf = (minute: number, { from, to }: MinuteRange): string =>
  `${Math.min(1, Math.max(0, (minute - from) / (to - from))) * 100}%`

/** Free range around a minute, between the adjacent bookings or the grid's ends. */
export function freeRangeAround(
  minute: number,
  busy: readonly MinuteRange[],
  hours: MinuteRange,
): MinuteRange {
  const before = busy.filter(({ to }) => to <= minute).map(({ to }) => to)
  const after = busy.filter(({ from }) => from > minute).map(({ from }) => from)
  return { from: Math.max(hours.from, ...before), to: Math.min(hours.to, ...after) }
}

/** Range of a drag between two minutes: whole steps, including both, within the limits. */
export function dragged(a: number, b: number, limits: MinuteRange): MinuteRange {
  const from = Math.max(limits.from, Math.floor(Math.min(a, b) / STEP_MINUTES) * STEP_MINUTES)
  const to = Math.min(
    limits.to,
    Math.max(from + STEP_MINUTES, Math.ceil(Math.max(a, b) / STEP_MINUTES) * STEP_MINUTES),
  )
  return { from: Math.min(from, to), to }
}

/** Range moved by keys, within the grid's hours; with `isResize` only its end moves. */
export function nudgeRange(
  { from, to }: MinuteRange,
  deltaMinutes: number,
  isResize: boolean,
  hours: MinuteRange,
): MinuteRange {
  if (isResize) return { from, to: Math.min(hours.to, Math.max(from + STEP_MINUTES, to + deltaMinutes)) }
  const shift = Math.max(hours.from - from, Math.min(deltaMinutes, hours.to - to))
  return { from: from + shift, to: to + shift }
}

/** Initial period on a day: an hour from nine, or from the next quarter hour if nine has passed. */
export function usualPeriod(day: number, zone: string, now: number): Period {
  const nine = toEpoch(day, OPENING_MINUTE, zone)
  const StartTimestamp = nine > now ? nine : Math.ceil(now / (STEP_MINUTES * MINUTE)) * STEP_MINUTES * MINUTE
  return { StartTimestamp, EndTimestamp: StartTimestamp + DEFAULT_MINUTES * MINUTE }
}

/** Initial keyboard range: at the next step from now on the current day, if the grid shows it, else at nine. */
export function keysBegin(day: number, zone: string, now: number, hours: MinuteRange): MinuteRange {
  const minute = minuteOf(now, day, zone)
  const isVisible = minute >= hours.from && minute < hours.to - DEFAULT_MINUTES - STEP_MINUTES
  const from = isVisible ? Math.ceil(minute / STEP_MINUTES) * STEP_MINUTES : OPENING_MINUTE
  return { from, to: from + DEFAULT_MINUTES }
}

/** Passes the keyboard selection from one track to the next. */
export interface KeyboardSelection {
  save(range: MinuteRange | undefined): void
  /** Returns the selection once and clears it. */
  consume(): MinuteRange | undefined
}

export function createKeyboardSelection(): KeyboardSelection {
  let savedRange: MinuteRange | undefined
  return {
    save(range) {
      savedRange = range
    },
    consume() {
      const current = savedRange
      savedRange = undefined
      return current
    },
  }
}
