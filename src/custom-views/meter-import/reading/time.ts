import { offsetAt } from '../../../../contract/time/periods.ts'

/** Date formats. `roc` counts years from 1911, as Taiwan does: 114/10/01 and 1141001 are 2025-10-01. */
export const TIME_FORMATS = ['ymd', 'roc', 'compact', 'mdy', 'dmy', 'epoch'] as const
export type TimeFormat = (typeof TIME_FORMATS)[number]

/** Fault of a time. */
export type TimeFault = 'notTime' | 'noSuchTime'

const CLOCK =
  /^(?:(上午|下午|[ap]\.?m\.?)\s*)?(\d{1,2})[:：](\d{2})(?:[:：](\d{2})(?:[.,](\d{1,3})\d*)?)?\s*([ap]\.?m\.?)?\s*(z|[+-]\d{2}:?\d{2})?$/i
const DATES: Record<Exclude<TimeFormat, 'epoch' | 'compact'>, RegExp> = {
  ymd: /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s]+(.+))?$/i,
  roc: /^(?:民國)?\s*(\d{2,3})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s]+(.+))?$/i,
  mdy: /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T\s]+(.+))?$/i,
  dmy: /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T\s]+(.+))?$/i,
}
/** Digits without separators, as in files of Taiwan's authorities: 1141001. */
const ROC_COMPACT = /^(\d{3})(\d{2})(\d{2})(?:[T\s]+(.+))?$/i
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:[T\s]?(\d{2}):?(\d{2})(?::?(\d{2}))?)?$/
const BARE_CLOCK = /^([01]\d|2[0-4])([0-5]\d)$/
/** Year 0 of Taiwan's calendar. */
const ROC = 1911
/** Longer numbers are milliseconds (§4). */
const SECONDS_DIGITS = 10

/** Local time, as epoch ms of a clock in UTC, and its own UTC offset if the text has one. */
interface Wall {
  utc: number
  offset: number | undefined
}

/**
 * Timestamp of a text.
 *
 * zone     time zone, unless the text contains an offset
 * returns  epoch ms; the first of two if the local time repeats when clocks go back
 * errors   'notTime'; 'noSuchTime' for an invalid date and for a local time that daylight saving skips
 */
export function parseTime(text: string, format: TimeFormat, zone: string): number | TimeFault {
  const clean = text.normalize('NFKC').trim()
  if (format === 'epoch') {
    if (!/^\d{9,13}$/.test(clean)) return 'notTime'
    return Number(clean) * (clean.length > SECONDS_DIGITS ? 1 : 1000)
  }
  const wall = format === 'compact' ? compact(clean) : dated(clean, format)
  if (typeof wall === 'string') return wall
  if (wall.offset !== undefined) return wall.utc - wall.offset
  return onClock(wall.utc, zone) ?? 'noSuchTime'
}

/** Whether a text is only a time of day, as in a separate column: 08:15, 下午 1:30. */
export const isClock = (text: string): boolean => readClock(text.normalize('NFKC').trim()) !== undefined
/** Whether a text is a time of day without a separator, 0815, which may also be a value. */
export const isBareClock = (text: string): boolean => BARE_CLOCK.test(text.normalize('NFKC').trim())

/** Joins a date and a time of day from two cells. */
export function joinTime(date: string, clock: string): string {
  const clean = clock.normalize('NFKC').trim()
  const bare = BARE_CLOCK.exec(clean)
  return `${date.trim()} ${bare ? `${bare[1]}:${bare[2]}` : clean.replace(/^(?=\d[:：])/, '0')}`
}

function compact(text: string): Wall | TimeFault {
  const match = COMPACT.exec(text)
  if (!match) return 'notTime'
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return combine(year, month, day, { hour, minute, second, ms: 0, offset: undefined })
}

function dated(text: string, format: keyof typeof DATES): Wall | TimeFault {
  const match = DATES[format].exec(text) ?? (format === 'roc' ? ROC_COMPACT.exec(text) : null)
  if (!match) return 'notTime'
  const [a, b, c] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const clock = match[4] === undefined ? MIDNIGHT : readClock(match[4].trim())
  if (!clock) return 'notTime'
  if (format === 'mdy') return combine(c, a, b, clock)
  if (format === 'dmy') return combine(c, b, a, clock)
  return combine(format === 'roc' ? a + ROC : a, b, c, clock)
}

interface Clock {
  hour: number
  minute: number
  second: number
  ms: number
  offset: number | undefined
}
const MIDNIGHT: Clock = { hour: 0, minute: 0, second: 0, ms: 0, offset: undefined }

function readClock(text: string): Clock | undefined {
  const match = CLOCK.exec(text)
  if (!match) return undefined
  const halfOfDay = (match[1] ?? match[6] ?? '').toLowerCase()
  let hour = Number(match[2])
  if (halfOfDay !== '') {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (halfOfDay === '下午' || halfOfDay.startsWith('p') ? 12 : 0)
  }
  const zone = match[7]?.toLowerCase()
  return {
    hour,
    minute: Number(match[3]),
    second: Number(match[4] ?? 0),
    ms: Number((match[5] ?? '').padEnd(3, '0')),
    offset: zone === undefined ? undefined : offsetOf(zone),
  }
}

function offsetOf(zone: string): number {
  if (zone === 'z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** 24:00 is the end of the day. */
function combine(year: number, month: number, day: number, clock: Clock): Wall | TimeFault {
  const { hour, minute, second, ms, offset } = clock
  const endOfDay = hour === 24 && minute === 0 && second === 0 && ms === 0
  if ((hour > 23 && !endOfDay) || minute > 59 || second > 59) return 'noSuchTime'
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return 'noSuchTime'
  return { utc: Date.UTC(year, month - 1, day, hour, minute, second, ms), offset }
}

/** First timestamp with this local time in a zone; undefined if daylight saving skips it. */
function onClock(utc: number, zone: string): number | undefined {
  const day = 86_400_000
  for (const nearby of [utc - day, utc + day]) {
    const moment = utc - offsetAt(nearby, zone)
    if (moment + offsetAt(moment, zone) === utc) return moment
  }
  return undefined
}

/**
 * Format that reads the most of these texts; of equal ones the first.
 *
 * returns  `sure` is false if another format reads as many, e.g. for 03/04/2025
 */
export function detectFormat(texts: readonly string[]): { format: TimeFormat; sure: boolean } {
  const scores = TIME_FORMATS.map((format) => ({
    format,
    read: texts.filter((text) => typeof parseTime(text, format, 'UTC') === 'number').length,
  })).toSorted((a, b) => b.read - a.read)
  const [bestScore, second] = scores
  return { format: bestScore?.format ?? 'ymd', sure: (bestScore?.read ?? 0) > (second?.read ?? 0) }
}
