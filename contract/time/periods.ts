/** Base interval of all energy (protocol, Energy): Taiwan's demand interval, in ms. */
export const QUARTER_MS = 900_000
const MINUTE = 60_000
const HOUR = 3_600_000
export const DAY_MS = 86_400_000

export type Resolution = 'quarter' | 'hour' | 'day' | 'month'

/** Offset of a zone from UTC at a time, in ms. */
export function offsetAt(timestamp: number, zone: string): number {
  const known = (offsets.get(zone) ?? offsets.set(zone, new Map()).get(zone)) as Map<number, number | null>
  const day = Math.floor(timestamp / DAY_MS)
  let constant = known.get(day)
  if (constant === undefined) {
    const [first, last] = [askOffset(day * DAY_MS, zone), askOffset((day + 1) * DAY_MS - 1, zone)]
    constant = first === last ? first : null
    if (known.size > 20_000) known.clear()
    known.set(day, constant)
  }
  // The offset is constant on days whose ends have the same offset.
  return constant ?? askOffset(timestamp, zone)
}
/** By zone and UTC day; null if the offset changes within it. */
const offsets = new Map<string, Map<number, number | null>>()
const formats = new Map<string, Intl.DateTimeFormat>()

function askOffset(timestamp: number, zone: string): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const at: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(timestamp)) at[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = at
  const whole = Math.floor(timestamp / 1000) * 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole
}

/**
 * Number of a calendar day in a zone: days since 1970-01-01, to count, compare and store.
 *
 * timestamp  epoch ms
 */
export const dayOf = (timestamp: number, zone: string): number =>
  Math.floor((timestamp + offsetAt(timestamp, zone)) / DAY_MS)

/** First ms of a day in a zone; days may have 23 or 25 hours, or begin after midnight. */
export function startOfDay(day: number, zone: string): number {
  const midnight = day * DAY_MS
  // Offsets are whole quarter-hours, at most 14 hours either way: binary search for the first quarter of the day.
  let [before, within] = [midnight / QUARTER_MS - 60, midnight / QUARTER_MS + 60]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayOf(middle * QUARTER_MS, zone) < day) before = middle
    else within = middle
  }
  return within * QUARTER_MS
}

/** Number of 15-minute intervals of a day: 96, or 92 and 100 if the clocks change by an hour. */
export const quartersOfDay = (day: number, zone: string): number =>
  (startOfDay(day + 1, zone) - startOfDay(day, zone)) / QUARTER_MS

/** Local time at the beginning of an interval of a day (0 the first), in minutes since midnight. */
export function wallMinute(day: number, quarter: number, zone: string): number {
  const timestamp = startOfDay(day, zone) + quarter * QUARTER_MS
  return Math.floor((timestamp + offsetAt(timestamp, zone) - day * DAY_MS) / 60_000)
}

/** Number of a month: months since year 0, to count, compare and store. */
export const monthOfDay = (day: number): number => {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
export const monthOf = (timestamp: number, zone: string): number => monthOfDay(dayOf(timestamp, zone))
/** First day of a month, as `dayOf` numbers days. */
export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS
/** Formats a month's number as `2025-10`. */
export const formatMonth = (month: number): string => formatDay(firstDayOf(month)).slice(0, 7)
export const startOfMonth = (month: number, zone: string): number => startOfDay(firstDayOf(month), zone)

/** Same date a year before; 28 February for the 29th. */
export function yearBefore(day: number): number {
  const month = monthOfDay(day)
  const before = firstDayOf(month - 12)
  return Math.min(before + day - firstDayOf(month), firstDayOf(month - 11) - 1)
}

/** Same weekday a year before: 52 weeks. */
export const weekdayYearBefore = (day: number): number => day - 364

/** 0 Sunday … 6 Saturday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7
export const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7)

/** Formats a day's number as `2025-10-01`, and parses it: NaN if invalid. */
export const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
export const parseDay = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY_MS
/** Formats minutes since midnight as `09:30`; 1440 is 24:00. */
export const formatMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Local hour, counted from 1970-01-01 00:00 of the zone's calendar. */
const wallHour = (timestamp: number, zone: string): number =>
  Math.floor((timestamp + offsetAt(timestamp, zone)) / HOUR)

/** Whether an hour begins with an interval: local time is a full hour, or the hour differs from the previous interval's. */
const beginsHour = (at: number, zone: string): boolean =>
  (at + offsetAt(at, zone)) % HOUR === 0 || wallHour(at, zone) !== wallHour(at - QUARTER_MS, zone)

function startOfHour(timestamp: number, zone: string): number {
  const offset = offsetAt(timestamp, zone)
  const full = Math.floor((timestamp + offset) / HOUR) * HOUR - offset
  if (offsetAt(full, zone) === offset) return full
  let at = Math.floor(timestamp / QUARTER_MS) * QUARTER_MS
  while (!beginsHour(at, zone)) at -= QUARTER_MS
  return at
}

function hourAfter(at: number, zone: string): number {
  const offset = offsetAt(at, zone)
  if ((at + offset) % HOUR === 0 && offsetAt(at + HOUR, zone) === offset) return at + HOUR
  let next = at + QUARTER_MS
  while (!beginsHour(next, zone)) next += QUARTER_MS
  return next
}

/**
 * First ms of the period that contains a timestamp. Hours begin at full local hours: one in which clocks shift by half an hour has 2 or 6
 * quarters.
 */
export function startOf(resolution: Resolution, timestamp: number, zone: string): number {
  if (resolution === 'quarter') return Math.floor(timestamp / QUARTER_MS) * QUARTER_MS
  if (resolution === 'hour') return startOfHour(timestamp, zone)
  if (resolution === 'day') return startOfDay(dayOf(timestamp, zone), zone)
  return startOfMonth(monthOf(timestamp, zone), zone)
}

/**
 * First ms of every period, from the one that contains `from`, up to but excluding `to`.
 *
 * returns  ascending; each ends at the start of the next, the last at or after `to`
 */
export function startsBetween(resolution: Resolution, from: number, to: number, zone: string): number[] {
  const starts: number[] = []
  for (let at = startOf(resolution, from, zone); at < to; at = nextStart(resolution, at, zone))
    starts.push(at)
  return starts
}

/** First ms of the next period; `at` is the first ms of one. */
export function nextStart(resolution: Resolution, at: number, zone: string): number {
  if (resolution === 'quarter') return at + QUARTER_MS
  if (resolution === 'hour') return hourAfter(at, zone)
  if (resolution === 'day') return startOfDay(dayOf(at, zone) + 1, zone)
  return startOfMonth(monthOf(at, zone) + 1, zone)
}

/** Types of days; offPeakDay stands for Sundays and the listed holidays. */
export const DAY_TYPES = ['weekday', 'saturday', 'offPeakDay'] as const
export type DayType = (typeof DAY_TYPES)[number]

/**
 * Converts a local day and minute to epoch ms.
 *
 * day, minute  days since 1970-01-01 and minutes since midnight, both in local time
 * special      a time skipped by the clocks is shifted by the change; of a repeated time the first one is returned
 */
export function toEpoch(day: number, minute: number, zone: string): number {
  const wall = day * DAY_MS + minute * MINUTE
  const [before, after] = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)]
  const first = wall - before
  if (before === after || offsetAt(first, zone) === before) return first
  const second = wall - after
  return offsetAt(second, zone) === after ? second : first
}

/** Local day, as days since 1970-01-01, and minutes since midnight. */
export function toWallTime(timestamp: number, zone: string): { day: number; minute: number } {
  const day = dayOf(timestamp, zone)
  return { day, minute: Math.floor((timestamp + offsetAt(timestamp, zone) - day * DAY_MS) / MINUTE) }
}
