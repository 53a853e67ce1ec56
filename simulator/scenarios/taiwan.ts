import { getPosition } from 'suncalc'
import { wander } from './random.ts'

const DAY = 86_400_000
/** Offset in ms; Taiwan keeps UTC+8 all year. */
const UTC_OFFSET_MS = 8 * 3_600_000

interface LocalTime {
  /** Days since 1970-01-01. */
  day: number
  /** Months since year 0. */
  month: number
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
    month: date.getUTCFullYear() * 12 + date.getUTCMonth(),
    hour: (local - day * DAY) / 3_600_000,
    weekday: date.getUTCDay(),
    year: (local - newYear) / (365.25 * DAY),
    holiday: HOLIDAYS.has(date.toISOString().slice(5, 10)),
  }
}

/** Start of the day in Taiwan, epoch ms. */
export const startOfDay = (at: number): number => Math.floor((at + UTC_OFFSET_MS) / DAY) * DAY - UTC_OFFSET_MS

/** Start of the first day of the month that is a number of months before that of a time, epoch ms. */
export function startOfMonth(at: number, monthsBefore: number): number {
  const month = localTime(at).month - monthsBefore
  return Date.UTC(Math.floor(month / 12), month % 12) - UTC_OFFSET_MS
}

/** Monday to Friday except holidays. */
export const isWorkday = ({ weekday, holiday }: LocalTime): boolean => weekday > 0 && weekday < 6 && !holiday

/** The latest time on a workday, not after `at`, with this local hour (0 to 24, with fraction); for presentations. */
export function lastWorkdayAt(at: number, hour: number): number {
  for (let then = startOfDay(at) + Math.round(hour * 60) * 60_000; ; then -= DAY)
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

const MINUTE = 60_000
/** Tainan, degrees. */
const LATITUDE = 23.1
const LONGITUDE = 120.3

/** Performance ratio of a plant: dust, warm modules, cables and inverter cause the losses. */
const PERFORMANCE = 0.8

/** Irradiance on a roof under a clear sky as a share of 1 kW/m², by the height of the sun in degrees (Meinel's air mass). */
function clearSky(height: number): number {
  if (height <= 0) return 0
  const up = Math.sin((height * Math.PI) / 180)
  const airMass = 1 / (up + 0.505_72 * (height + 6.079_95) ** -1.636_4)
  return 1.353 * 1.1 * 0.7 ** (airMass ** 0.678) * up
}

/** Share of the light that passes the clouds: dull days alternate within a week, and on mixed days clouds pass within minutes. */
function throughClouds(seed: number, at: number): number {
  const dull = ramp(wander(seed, 'overcast', at, 1.5 * DAY), 0.3, 0.95)
  const mixed = 1 - Math.abs(2 * dull - 1)
  const passing = ramp(wander(seed, 'cloud', at, 7 * MINUTE), 0.45, 0.8)
  return (1 - 0.8 * dull) * (1 - 0.55 * mixed * passing)
}

/** Share of its rated power that a photovoltaic plant in Taiwan generates at a time, epoch ms. */
export const sunshine = (seed: number, at: number): number =>
  Math.min(
    1,
    PERFORMANCE * clearSky(getPosition(new Date(at), LATITUDE, LONGITUDE).altitude) * throughClouds(seed, at),
  )
