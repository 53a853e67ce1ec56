import * as XLSX from 'xlsx'

/**
 * Meaning of a number by its format.
 *
 * number    a number, e.g. a percentage
 * date      a date
 * dateTime  a date with time of day
 * time      a time of day
 * duration  hours, minutes or seconds that go on counting after 24 hours: `[h]:mm`
 */
export type SerialKind = 'number' | 'date' | 'dateTime' | 'time' | 'duration'

const kinds = new Map<string, SerialKind>()
/** Maximum number of formats that are remembered. */
const MAX_KINDS = 1_000

export function kindOfFormat(format: string | undefined): SerialKind {
  if (format === undefined) return 'number'
  const known = kinds.get(format)
  if (known) return known
  if (kinds.size >= MAX_KINDS) kinds.clear()
  const kind = detectKind(format)
  kinds.set(format, kind)
  return kind
}

function detectKind(format: string): SerialKind {
  if (!(XLSX.SSF as { is_date(format: string): boolean }).is_date(format)) return 'number'
  const [code = ''] = format
    .replace(/"[^"]*"?|\\.|_.|\*./g, '')
    .toLowerCase()
    .split(';')
  const isDuration = /\[(?:h+|m+|s+)\]/.test(code)
  const letters = code.replace(/\[[^\]]*\]|am\/pm|a\/p|上午\/下午/g, '')
  const hasClock = isDuration || /[hs]/.test(letters)
  // An m is a minute next to hours or seconds, else a month; e is a year of an era.
  if (/[ydegb]/.test(letters) || !hasClock) return hasClock ? 'dateTime' : 'date'
  return isDuration ? 'duration' : 'time'
}

const SECONDS_OF_DAY = 86_400
const DAY_MS = 86_400_000
/** First serial number after 9999-12-31, in the calendar of 1900. */
const END_OF_DATES = 2_958_466
/** Days from 1900-01-01 as Excel counts to 1904-01-01. */
const DAYS_TO_1904 = 1_462
/** 1970-01-01 as a serial number; before March 1900 it is one less, because Excel counts a 29 February 1900. */
const EPOCH = 25_569
const MARCH_1900 = 61
/** Times of day from this serial number on have a date that their format does not show. */
const MAX_TIME_DAYS = 366

/**
 * Text of a serial number: `2026-06-01`, `2026-06-01 08:15:00`, or `08:15:00`, of a duration also `24:00:00`. Undefined if it is no date
 * or time.
 *
 * isDate1904  whether dates count from 1904
 */
export function formatSerial(serial: number, kind: SerialKind, isDate1904: boolean): string | undefined {
  if (kind === 'number' || !(serial >= 0)) return undefined
  // Excel stores times as fractions of a day, which are slightly inexact.
  const seconds = Math.round(serial * SECONDS_OF_DAY)
  if (!Number.isSafeInteger(seconds)) return undefined
  if (kind === 'duration' || (kind === 'time' && serial < MAX_TIME_DAYS)) return clockText(seconds)
  const day = Math.floor(seconds / SECONDS_OF_DAY) + (isDate1904 ? DAYS_TO_1904 : 0)
  if (day >= END_OF_DATES) return undefined
  const clock = seconds % SECONDS_OF_DAY
  // Day 0 of 1900 is no date.
  if (day === 0) return kind === 'date' ? undefined : clockText(clock)
  const date = new Date((day - EPOCH + (day < MARCH_1900 ? 1 : 0)) * DAY_MS).toISOString().slice(0, 10)
  return kind === 'date' && clock === 0 ? date : `${date} ${clockText(clock)}`
}

function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
