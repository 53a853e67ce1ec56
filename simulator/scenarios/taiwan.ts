import { wander } from './random.ts'

const DAY = 86_400_000
/** Offset in ms; Taiwan keeps UTC+8 all year. */
const UTC_OFFSET_MS = 8 * 3_600_000

export interface LocalTime {
  /** Days since 1970-01-01. */
  day: number
  /** Hours since midnight with fraction, 0 to 24. */
  hour: number
  /** 0 Sunday to 6 Saturday. */
  weekday: number
  /** Share of the year that has passed, 0 to 1. */
  year: number
  /** A national holiday with a fixed date. */
  holiday: boolean
}

const HOLIDAYS = new Set(['01-01', '02-28', '04-04', '05-01', '10-10', '12-25'])

/** Cache of the last answer: all devices of a building query the same time. */
let latest: { at: number; time: LocalTime } | undefined

/** Local time and calendar in Taiwan at a time, epoch ms. */
export function localTime(at: number): LocalTime {
  if (latest?.at !== at) latest = { at, time: readClock(at) }
  return latest.time
}

function readClock(at: number): LocalTime {
  const local = at + UTC_OFFSET_MS
  const day = Math.floor(local / DAY)
  const date = new Date(local)
  const newYear = Date.UTC(date.getUTCFullYear(), 0, 1)
  return {
    day,
    hour: (local - day * DAY) / 3_600_000,
    weekday: date.getUTCDay(),
    year: (local - newYear) / (365.25 * DAY),
    holiday: HOLIDAYS.has(date.toISOString().slice(5, 10)),
  }
}

/** Start of the day in Taiwan, epoch ms. */
export const startOfDay = (at: number): number => Math.floor((at + UTC_OFFSET_MS) / DAY) * DAY - UTC_OFFSET_MS

/** Monday to Friday except holidays. */
export const isWorkday = ({ weekday, holiday }: LocalTime): boolean => weekday > 0 && weekday < 6 && !holiday

/** The latest time on a workday, not after `at`, with this local hour (0 to 24, with fraction); for presentations. */
export function lastWorkdayAt(at: number, hour: number): number {
  for (let then = startOfDay(at) + hour * 3_600_000; ; then -= DAY)
    if (then <= at && isWorkday(localTime(then))) return then
}

/** Hours since midnight of a text such as 10:00; undefined for any other text. */
export function readHour(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) + Number(minutes) / 60
}

/**
 * Outdoor temperature of lowland Taiwan in degrees Celsius: monthly means from 16 in January to 30 in July, warmest at
 * two in the afternoon, with fronts that pass within days.
 */
export function outdoor(seed: number, at: number): number {
  const { hour, year } = localTime(at)
  const season = 23 - 7 * Math.cos(2 * Math.PI * (year - 0.05))
  const daily = 3 * Math.cos((2 * Math.PI * (hour - 14)) / 24)
  return season + daily + 4 * (wander(seed, 'front', at, 3 * DAY) - 0.5)
}

/** Linear ramp from 0 to 1 between two edges. */
export const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))
