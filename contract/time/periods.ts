/** The base interval of all energy (protocol, Energy): Taiwan's demand interval, in ms. */
export const QUARTER_MS = 900_000
const HOUR = 3_600_000
const DAY = 86_400_000

/** What a chart's bars stand for. */
export type Resolution = 'quarter' | 'hour' | 'day' | 'month'

/** How far a zone's clocks are ahead of UTC, in ms, at a moment. */
export function offsetAt(timestamp: number, zone: string): number {
  const known = (offsets.get(zone) ?? offsets.set(zone, new Map()).get(zone)) as Map<number, number | null>
  const day = Math.floor(timestamp / DAY)
  let constant = known.get(day)
  if (constant === undefined) {
    const [first, last] = [askOffset(day * DAY, zone), askOffset((day + 1) * DAY - 1, zone)]
    constant = first === last ? first : null
    if (known.size > 20_000) known.clear()
    known.set(day, constant)
  }
  // Clocks change on a day of which the two ends differ.
  return constant ?? askOffset(timestamp, zone)
}
/** Per zone and UTC day; null where the offset changes within it. */
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
 * A date of a zone's calendar as a number, days since 1970-01-01: to be counted, compared and stored.
 *
 * timestamp  epoch ms
 */
export const dayOf = (timestamp: number, zone: string): number =>
  Math.floor((timestamp + offsetAt(timestamp, zone)) / DAY)

/** The first ms of a day in a zone, where a day may have 23 or 25 hours, or begin after midnight. */
export function startOfDay(day: number, zone: string): number {
  const midnight = day * DAY
  // Offsets are whole quarters of an hour, at most 14 hours either way: the first quarter of the day is searched for.
  let [before, within] = [midnight / QUARTER_MS - 60, midnight / QUARTER_MS + 60]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayOf(middle * QUARTER_MS, zone) < day) before = middle
    else within = middle
  }
  return within * QUARTER_MS
}

/** How many 15-minute intervals a day has: 96, or 92 and 100 when the clocks change by an hour. */
export const quartersOfDay = (day: number, zone: string): number =>
  (startOfDay(day + 1, zone) - startOfDay(day, zone)) / QUARTER_MS

/** Minutes since midnight on the wall at the beginning of an interval of a day (0 the first). */
export function wallMinute(day: number, quarter: number, zone: string): number {
  const timestamp = startOfDay(day, zone) + quarter * QUARTER_MS
  return Math.floor((timestamp + offsetAt(timestamp, zone) - day * DAY) / 60_000)
}

/** A month as a number, months since year 0: to be counted, compared and stored. */
export const monthOfDay = (day: number): number => {
  const date = new Date(day * DAY)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
export const monthOf = (timestamp: number, zone: string): number => monthOfDay(dayOf(timestamp, zone))
/** The first day of a month, as `dayOf` numbers days. */
export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12) / DAY
export const startOfMonth = (month: number, zone: string): number => startOfDay(firstDayOf(month), zone)

/** The same date a year before; of 29 February the 28th. */
export function yearBefore(day: number): number {
  const month = monthOfDay(day)
  const before = firstDayOf(month - 12)
  return Math.min(before + day - firstDayOf(month), firstDayOf(month - 11) - 1)
}

/** The same day of the week a year before: 52 weeks. */
export const weekdayYearBefore = (day: number): number => day - 364

/** 0 Sunday … 6 Saturday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7
/** The Monday that the week of a day begins with. */
export const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7)

/** `2025-10-01` of a day's number, and back: NaN where the text is no date. */
export const formatDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
export const parseDay = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY
/** `09:30` of minutes since midnight; 1440 is 24:00. */
export const formatMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Which hour the wall shows, counted from 1970-01-01 00:00 of the zone's calendar. */
const wallHour = (timestamp: number, zone: string): number =>
  Math.floor((timestamp + offsetAt(timestamp, zone)) / HOUR)

/** Whether an hour begins with an interval: the wall shows a full hour, or another one than before it. */
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
 * The first ms of the period that a moment lies in. Hours begin where the wall shows a full one: one within which clocks
 * shift by half an hour has 2 or 6 quarters.
 */
export function startOf(resolution: Resolution, timestamp: number, zone: string): number {
  if (resolution === 'quarter') return Math.floor(timestamp / QUARTER_MS) * QUARTER_MS
  if (resolution === 'hour') return startOfHour(timestamp, zone)
  if (resolution === 'day') return startOfDay(dayOf(timestamp, zone), zone)
  return startOfMonth(monthOf(timestamp, zone), zone)
}

/**
 * The first ms of every period from the one that `from` lies in up to, not including, `to`.
 *
 * returns  ascending; each ends where the next begins, the last at or after `to`
 */
export function startsBetween(resolution: Resolution, from: number, to: number, zone: string): number[] {
  const starts: number[] = []
  for (let at = startOf(resolution, from, zone); at < to; at = nextStart(resolution, at, zone))
    starts.push(at)
  return starts
}

/** The first ms of the next period, `at` being the first of one. */
export function nextStart(resolution: Resolution, at: number, zone: string): number {
  if (resolution === 'quarter') return at + QUARTER_MS
  if (resolution === 'hour') return hourAfter(at, zone)
  if (resolution === 'day') return startOfDay(dayOf(at, zone) + 1, zone)
  return startOfMonth(monthOf(at, zone) + 1, zone)
}
