import { DAY_MS, nextStart, offsetAt, startOf } from '../../../../contract/time/periods.ts'
import type { Cell } from '../../../lib/spreadsheet/grid.ts'
import { isTimeZone } from '../../../lib/time-zones.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** Length of an interval: ms, or a local day or month. */
export type Step = number | 'day' | 'month'

/** Length of a step, for comparison: a day of 23 or 25 hours is a day, and 28 to 31 days are a month. */
export function calendarStep(step: number): number {
  if (Math.abs(step - DAY_MS) <= HOUR_MS) return DAY_MS
  return step >= 28 * DAY_MS - HOUR_MS && step <= 31 * DAY_MS + HOUR_MS ? 30 * DAY_MS : step
}

/**
 * Formats of dates. `roc` counts years from 1911, as Taiwan does: 114/10/01 and 1141001 are 2025-10-01. Those that end in `2` have
 * years of two digits. `serial` is the number of days since 1900 or 1904, as workbooks store dates. `month` and `rocMonth` have no
 * day: 2026/06, 115/06.
 */
export const TIME_FORMATS = [
  'ymd',
  'roc',
  'compact',
  'mdy',
  'dmy',
  'ymd2',
  'dmy2',
  'mdy2',
  'named',
  'epoch',
  'serial',
  'serial1904',
  'month',
  'rocMonth',
] as const
export type TimeFormat = (typeof TIME_FORMATS)[number]

/** Formats of digits alone, which may as well be figures. */
export const BARE_FORMATS = new Set<TimeFormat>([
  'epoch',
  'serial',
  'serial1904',
  'compact',
  'month',
  'rocMonth',
])

/** Fault of a time. */
export type TimeFault = 'notTime' | 'noSuchTime'

/** Local time, as epoch ms of a clock in UTC, and its own UTC offset if the text has one. */
export interface Wall {
  utc: number
  offset: number | undefined
  /** Abbreviation of the zone, if it has several meanings; `offset` is then the first of them. */
  letters?: string | undefined
  /** Whether the text is 24:00, which only the end of an interval can be. */
  isEndOfDay?: boolean | undefined
}

const CLOCK =
  /^(?:(上午|下午|午前|午後|오전|오후|[ap]\.?\s?m\.?)\s*)?(\d{1,2})[:：h](\d{2})(?:[:：](\d{2})(?:[.,](\d{1,3})\d*)?)?\s*([ap]\.?\s?m\.?)?\s*(z|[a-z]{0,4}\s*[+-]\d{1,2}(?::?\d{2})?|[a-z]{3,4})?$/i
/** 8時15分, with the words for hour, minute and second of Chinese, Japanese and Korean. */
const CLOCK_IN_WORDS = /^(\D*)(\d{1,2})\s?[時时點点시](?:\s?(\d{1,2})\s?[分분])?(?:\s?(\d{1,2})\s?[秒초])?$/
/** 08.15 is a time of day only behind a date: by itself it is a number. */
const DOTTED_CLOCK = /^(\d{1,2})\.(\d{2})(?:\.(\d{2}))?$/
const YMD =
  /^(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?:\s?[日일]|\.)?(?:(?:[T\s]+|(?<=[日일]))(.+))?$/i
const TWO_DIGITS = /^(\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(.+))?$/i
const ENDS_IN_TWO_DIGITS = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?:(?:,| -| à)?[T\s]+(.+))?$/i
/** Browsers write a comma between date and time. */
const ENDS_IN_YEAR = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:(?:,| -| à)?[T\s]+(.+))?$/i
const ROC_DATE =
  /^(?:民國)?\s*(\d{2,3})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?:\s?日)?(?:(?:[T\s]+|(?<=日))(.+))?$/i
/** Digits without separators, as in files of Taiwan's authorities: 1141001. */
const ROC_COMPACT = /^(1\d{2})(\d{2})(\d{2})(?:[T\s]+(.+))?$/i
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:[T\s]?(\d{2}):?(\d{2})(?::?(\d{2}))?(z)?)?$/i
const NAMED = /^(\d{1,2})[-/.\s]+([a-zäçéû]{3,10})\.?,?[-/.\s]+(\d{4}|\d{2})(?:,?[T\s]+(.+))?$/i
const NAMED_FIRST = /^([a-zäçéû]{3,10})\.?[-/.\s]+(\d{1,2}),?[-/.\s]+(\d{4})(?:,?[T\s]+(.+))?$/i
const NAMED_MONTH = /^([a-zäçéû]{3,10})\.?[-/.,\s'’]*(\d{4}|\d{2})$/i
const NAMED_MONTH_LAST = /^(\d{4})[-/.\s]+([a-zäçéû]{3,10})\.?$/i
const YEAR_MONTH = /^(\d{4})(?:[-/.年](\d{1,2})月?|(\d{2}))$/
const MONTH_YEAR = /^(\d{1,2})[-/.](\d{4})$/
const ROC_MONTH = /^(?:民國)?\s*(1\d{2})(?:[-/.年](\d{1,2})月?(?:份)?|(\d{2}))$/
/** Names of months in English, German, Dutch, French, Spanish, Italian and Portuguese; their first letters are abbreviations. */
const MONTHS = [
  'january januar januari janvier enero gennaio janeiro',
  'february februar februari février fevrier febrero febbraio fevereiro',
  'march märz mrz maart mrt mars marzo março',
  'april avril abril aprile',
  'may mai mei mayo maggio maio',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august augustus août aout agosto',
  'september septembre septiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember décembre decembre diciembre dicembre dezembro',
].map((names) => names.split(' '))
const MONTH_OF_NAME = new Map(
  MONTHS.flatMap((names, at) =>
    names.flatMap((name) =>
      Array.from({ length: name.length - 2 }, (_, cut) => [name.slice(0, 3 + cut), at + 1] as const),
    ),
  ),
)
const monthOfName = (name: string): number => MONTH_OF_NAME.get(name.toLowerCase()) ?? 0
/** Names of weekdays before or behind a date, as in 2026/06/01(一) and Mon 06/01/2026. */
const WEEKDAY =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim)\.?,?\s+|\s*[(（]?(?:星期|週|周)?[一二三四五六日][)）](?=\s|$)|\s*(?:星期|週|周)[一二三四五六日](?=\s|$)/i
/** 815, 0815 and 081500, of which spreadsheets drop leading zeros: 15 is 00:15. */
const BARE_CLOCK = /^([01]\d|2[0-4])([0-5]\d)([0-5]\d)?$/
const withZeros = (text: string): string =>
  /^\d{1,6}$/.test(text) ? text.padStart(text.length > 4 ? 6 : 4, '0') : text
/** Words around a time of day: 00:15 Uhr, T00:15. */
const CLOCK_WORDS = /^t(?=\d)|\s*(?:uhr|hrs?)$/gi
/** Year 0 of Taiwan's calendar. */
const ROC = 1911
/** Years of two digits belong to this century. */
const CENTURY = 2000
/** Longer numbers are milliseconds (§4); those of 16 and 19 digits are micro- and nanoseconds, of these years only. */
const SECONDS_DIGITS = 10
const RECENT = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2100, 0, 1) }
/** Serial dates of 1990 and 2100, in days since 1900; counters have these values too, so that only whole columns of them are dates. */
const SERIALS = { from: 32_874, through: 73_050 }
/** 1970-01-01 as a serial date since 1900, and the difference of the calendar since 1904. */
const EPOCH_SERIAL = 25_569
const SERIAL_1904 = 1_462

/** Text of a cell: widths are normalized, and blanks around it removed. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  // Exports write ="0815" so that spreadsheets keep digits as text.
  if (cell.startsWith('="') && cell.endsWith('"')) return cellText(cell.slice(2, -1))
  for (let at = 0; at < cell.length; at++)
    // Normalized, 10³ would be 103.
    if (cell.charCodeAt(at) > 126)
      return cell
        .replaceAll(/10(?=[²³⁴-⁹])/g, '10^')
        .normalize('NFKC')
        .replaceAll('\u200e', '')
        .trim()
  return cell.trim()
}

/** Reads a text in a format, as a local time. */
export function readWall(text: string, format: TimeFormat): Wall | TimeFault {
  switch (format) {
    case 'ymd':
      return ymd(text)
    case 'roc':
      return dated(ROC_DATE.exec(unweekday(text)) ?? ROC_COMPACT.exec(text), (a, b, c) => [a + ROC, b, c])
    case 'mdy':
      return dated(ENDS_IN_YEAR.exec(unweekday(text)), (a, b, c) => [c, a, b])
    case 'dmy':
      return dated(ENDS_IN_YEAR.exec(unweekday(text)), (a, b, c) => [c, b, a])
    case 'ymd2':
      return dated(TWO_DIGITS.exec(text), (a, b, c) => [a + CENTURY, b, c])
    case 'dmy2':
      return dated(ENDS_IN_TWO_DIGITS.exec(text), (a, b, c) => [c + CENTURY, b, a])
    case 'mdy2':
      return dated(ENDS_IN_TWO_DIGITS.exec(text), (a, b, c) => [c + CENTURY, a, b])
    case 'compact':
      return compact(text)
    case 'named':
      return named(unweekday(text))
    case 'month':
      return /^[a-z]|[a-z]\.?$/i.test(text)
        ? namedMonth(text)
        : monthly(YEAR_MONTH.exec(text.replace(MONTH_YEAR, '$2-$1')), 0)
    case 'rocMonth':
      return monthly(ROC_MONTH.exec(text), ROC)
    default:
      return numeric(text, format)
  }
}

function numeric(text: string, format: 'epoch' | 'serial' | 'serial1904'): Wall | TimeFault {
  if (format === 'epoch') {
    if (!/^(?:\d{9,13}(?:\.\d+)?|\d{16}|\d{19})$/.test(text)) return 'notTime'
    const digits = text.split('.', 1)[0]?.length ?? 0
    const utc = Math.round(
      Number(text) * (digits > 13 ? 10 ** (13 - digits) : digits > SECONDS_DIGITS ? 1 : 1000),
    )
    // Identities have as many digits.
    return digits > 13 && (utc < RECENT.from || utc > RECENT.to) ? 'notTime' : { utc, offset: 0 }
  }
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return 'notTime'
  const serial = Number(text) + (format === 'serial1904' ? SERIAL_1904 : 0)
  if (serial < SERIALS.from || serial > SERIALS.through) return 'notTime'
  // Workbooks store times as fractions of a day, which are slightly inexact.
  return { utc: Math.round((serial - EPOCH_SERIAL) * 86_400) * 1000, offset: undefined }
}

const unweekday = (text: string): string => (text.length > 8 ? text.replace(WEEKDAY, ' ').trim() : text)

function ymd(text: string): Wall | TimeFault {
  const plain = dated(YMD.exec(text), inOrder)
  return plain === 'notTime' && text.length > 8 ? dated(YMD.exec(unweekday(text)), inOrder) : plain
}
const inOrder = (a: number, b: number, c: number): [number, number, number] => [a, b, c]

function dated(
  match: RegExpExecArray | null,
  order: (a: number, b: number, c: number) => [year: number, month: number, day: number],
): Wall | TimeFault {
  if (!match) return 'notTime'
  const clock = match[4] === undefined ? MIDNIGHT : readClock(match[4].replace(DOTTED_CLOCK, dotsToColons))
  if (!clock) return 'notTime'
  return combine(...order(Number(match[1]), Number(match[2]), Number(match[3])), clock)
}

function named(text: string): Wall | TimeFault {
  const dayFirst = NAMED.exec(text)
  const match = dayFirst ?? NAMED_FIRST.exec(text)
  if (!match) return 'notTime'
  const [day, name] = dayFirst ? [match[1], match[2]] : [match[2], match[1]]
  const month = monthOfName(name ?? '')
  if (month === 0) return 'notTime'
  const year = Number(match[3]) + (match[3]?.length === 2 ? CENTURY : 0)
  const clock = match[4] === undefined ? MIDNIGHT : readClock(match[4].replace(DOTTED_CLOCK, dotsToColons))
  return clock ? combine(year, month, Number(day), clock) : 'notTime'
}

const monthly = (match: RegExpExecArray | null, era: number): Wall | TimeFault =>
  match ? combine(Number(match[1]) + era, Number(match[2] ?? match[3]), 1, MIDNIGHT) : 'notTime'

function namedMonth(text: string): Wall | TimeFault {
  const [first, last] = [NAMED_MONTH.exec(text), NAMED_MONTH_LAST.exec(text)]
  const [name = '', year = ''] = first ? [first[1], first[2]] : [last?.[2], last?.[1]]
  const month = monthOfName(name)
  return month === 0
    ? 'notTime'
    : combine(Number(year) + (year.length === 2 ? CENTURY : 0), month, 1, MIDNIGHT)
}

function compact(text: string): Wall | TimeFault {
  const match = COMPACT.exec(text)
  if (!match) return 'notTime'
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  return combine(year, month, day, { ...MIDNIGHT, hour, minute, second, offset: match[7] ? 0 : undefined })
}

interface Clock {
  hour: number
  minute: number
  second: number
  ms: number
  offset: number | undefined
  letters: string | undefined
}
const MIDNIGHT: Clock = { hour: 0, minute: 0, second: 0, ms: 0, offset: undefined, letters: undefined }

const dotsToColons = (text: string): string => text.replaceAll('.', ':')

function readClock(text: string): Clock | undefined {
  const match = CLOCK.exec(text.trim()) ?? CLOCK.exec(withColons(text.trim()))
  if (!match) return undefined
  const halfOfDay = (match[1] ?? match[6] ?? '').toLowerCase()
  let hour = Number(match[2])
  if (halfOfDay !== '') {
    // Japan writes 午後0時 for noon.
    if (hour > 12) return undefined
    hour = (hour % 12) + (AFTERNOON.test(halfOfDay) ? 12 : 0)
  }
  const zone = match[7]?.toLowerCase()
  const isName = zone !== undefined && /^[a-z]{3,4}$/.test(zone)
  const offsets = isName ? ZONE_LETTERS[zone] : undefined
  const offset = isName ? offsets?.[0] : zone === undefined ? undefined : offsetOfText(zone)
  if (offset !== undefined && !isOffset(offset)) return undefined
  // Other abbreviations, such as DST, leave the offset to the order of the rows; unknown ones are no time.
  if (zone !== undefined && offset === undefined && !ORDERED.test(zone)) return undefined
  return {
    hour,
    minute: Number(match[3]),
    second: Number(match[4] ?? 0),
    ms: Number((match[5] ?? '').padEnd(3, '0')),
    offset,
    letters: offsets && offsets.length > 1 ? zone : undefined,
  }
}

const AFTERNOON = /^(?:下午|午後|오후|p)/

function withColons(text: string): string {
  const match = CLOCK_IN_WORDS.exec(text)
  if (!match) return ''
  const [, before = '', hour, minute = '0', second = '0'] = match
  return `${before}${hour}:${minute.padStart(2, '0')}:${second.padStart(2, '0')}`
}

/** Offsets in hours by the usual abbreviation of their zone; those that mean several zones have several. */
const ZONE_HOURS: Readonly<Record<string, readonly number[]>> = {
  utc: [0],
  gmt: [0],
  wet: [0],
  bst: [1, 6],
  west: [1],
  cet: [1],
  mez: [1],
  cest: [2],
  mesz: [2],
  sast: [2],
  eet: [2],
  eest: [3],
  msk: [3],
  ist: [5.5, 2, 1],
  wib: [7],
  ict: [7],
  sgt: [8],
  hkt: [8],
  myt: [8],
  pht: [8],
  awst: [8],
  wita: [8],
  jst: [9],
  kst: [9],
  acst: [9.5],
  acdt: [10.5],
  aest: [10],
  aedt: [11],
  nzst: [12],
  nzdt: [13],
  brt: [-3],
  art: [-3],
  adt: [-3],
  ast: [-4, 3],
  edt: [-4, 11],
  est: [-5, 10],
  cdt: [-5, 10.5],
  cst: [-6, 8, 9.5],
  mdt: [-6],
  mst: [-7, 8],
  pdt: [-7],
  pst: [-8, 8],
  akdt: [-8],
  akst: [-9],
  hst: [-10],
}
const ZONE_LETTERS: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  Object.entries(ZONE_HOURS).map(([letters, hours]) => [letters, hours.map((each) => each * HOUR_MS)]),
)
/** Abbreviations that mark one of two repeated hours. */
const ORDERED = /^(?:dst|std)$/

/** Offsets that an abbreviation of a zone may mean, the usual one first. */
export const offsetsOfLetters = (letters: string): readonly number[] => ZONE_LETTERS[letters] ?? []

/** Offset of an abbreviation in a zone in the year of a time; undefined if the zone has none of its meanings. */
export function offsetOfLetters(letters: string, zone: string, time: number): number | undefined {
  const year = new Date(time).getUTCFullYear()
  const ofZone = [0, 6].map((month) => zoneOffset(Date.UTC(year, month, 15), zone))
  return offsetsOfLetters(letters).find((offset) => ofZone.includes(offset))
}

/** Whether a zone may have this offset: from UTC-12 to UTC+14, in quarter-hours, and no less than an hour before UTC. */
const isOffset = (offset: number): boolean =>
  offset >= -12 * HOUR_MS &&
  offset <= 14 * HOUR_MS &&
  offset % (15 * MINUTE_MS) === 0 &&
  !(offset < 0 && offset > -HOUR_MS)

/** Offset of `+08`, `+0530`, `UTC+8`, `Z` in ms. */
export function offsetOfText(text: string): number {
  const match = /([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text)
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}

/** Words and marks between start and end; a hyphen without blanks is one only behind a time of day. */
const RANGE_WORDS =
  /^(.{8,}?|\d{1,2}[:：]\d{2})\s+(?:to|until|till?|bis|tot|al?|à|hasta|até|[-–—~〜])\s+(.{4,})$/i
const RANGE_MARKS = /^(.{6,}?|\d{1,2}[:：]\d{2})\s*[–—~〜至到]\s*(.{4,})$/
const RANGE_OF_CLOCKS =
  /^(.*?\d[:：]\d{2}(?:[:：]\d{2})?(?:\s*[ap]\.?\s?m\.?)?)\s*-\s*(\D{0,6}\d.*[:：]\d{2}.*)$/i
/** Start and end of a range in one cell, `2026-06-01 00:00 to 2026-06-01 00:15`, `2026/06/01 00:00-00:15` or `00:00~00:15`. */
export function splitRange(text: string): [start: string, end: string] | undefined {
  const match = RANGE_WORDS.exec(text) ?? RANGE_MARKS.exec(text) ?? RANGE_OF_CLOCKS.exec(text)
  if (!match) return undefined
  const [, start = '', end = ''] = match
  // A time of day or a weekday behind a date is no end.
  return !/\d/.test(end) || (end.includes(':') && !start.includes(':')) ? undefined : [start, end]
}

/** A negative UTC offset, which is no end of a range. */
const NEGATIVE_OFFSET = /[:：]\d{2}\s*-(?:0[1-9]|1[0-2]):?[03]0$/

/**
 * Whether most texts of a column are ranges. `01:00-05:00` may also be a time with its UTC offset: then the ends do not follow their
 * starts at the same distance.
 */
export function areRanges(texts: readonly string[]): boolean {
  const ranges = texts.map(splitRange).filter((range) => range !== undefined)
  if (ranges.length <= texts.length / 2) return false
  if (texts.filter((text) => NEGATIVE_OFFSET.test(text)).length < ranges.length) return true
  const clocks = ranges.map((range) => range.map((text) => readTimeOfDay(text.replace(/^.*[\sT]/, '')) ?? 0))
  const lengths = new Map<number, number>()
  for (const [start = 0, end = 0] of clocks) {
    const length = (end - start + DAY_MS) % DAY_MS
    lengths.set(length, (lengths.get(length) ?? 0) + 1)
  }
  return new Set(clocks.map(([start]) => start)).size > 1 && Math.max(...lengths.values()) > ranges.length / 2
}

/** Ms since midnight of a time of day: 08:15, 下午 1:30, 24:00; also 815, 081500 and 08.15 if `isBareAllowed`. */
export function readTimeOfDay(text: string, isBareAllowed = false): number | undefined {
  const bare = isBareAllowed ? BARE_CLOCK.exec(withZeros(text)) : null
  const written = text.trim().replaceAll(CLOCK_WORDS, '')
  const clock = bare
    ? { ...MIDNIGHT, hour: Number(bare[1]), minute: Number(bare[2]), second: Number(bare[3] ?? 0) }
    : readClock(isBareAllowed ? written.replace(DOTTED_CLOCK, dotsToColons) : written)
  if (!clock || clock.hour > 24 || clock.minute > 59 || clock.second > 59) return undefined
  const ms = ((clock.hour * 60 + clock.minute) * 60 + clock.second) * 1000 + clock.ms
  return ms > DAY_MS ? undefined : ms
}

/** 24:00 is the end of the day. */
function combine(year: number, month: number, day: number, clock: Clock): Wall | TimeFault {
  const { hour, minute, second, ms, offset, letters } = clock
  const endOfDay = hour === 24 && minute === 0 && second === 0 && ms === 0
  if ((hour > 23 && !endOfDay) || minute > 59 || second > 59) return 'noSuchTime'
  if (month < 1 || month > 12 || day < 1 || day > 31) return 'noSuchTime'
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  if (day > 28 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return 'noSuchTime'
  return { utc, offset, letters, isEndOfDay: endOfDay }
}

const FIXED_ZONE = /^UTC([+-]\d{2}:\d{2})$/

/** Name of a zone with one offset all year, `UTC+08:00`. */
export function fixedZone(offset: number): string {
  const minutes = Math.abs(offset) / 60_000
  const digits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `UTC${offset < 0 ? '-' : '+'}${digits(minutes / 60)}:${digits(minutes % 60)}`
}

/** Whether a name is a time zone that this machine knows, or `UTC+08:00`. */
export const isZoneName = (name: string): boolean => FIXED_ZONE.test(name) || isTimeZone(name)

/** Offset of a zone at a timestamp, in ms; also of `UTC+08:00`. */
export function zoneOffset(timestamp: number, zone: string): number {
  const fixed = FIXED_ZONE.exec(zone)
  return fixed ? offsetOfText(fixed[1] as string) : offsetAt(timestamp, zone)
}

/** Timestamps of a local time: none if clocks skip it, two if they repeat it, the earlier first. */
export function instantsOf(utc: number, zone: string): number[] {
  const [before, after] = [zoneOffset(utc - DAY_MS, zone), zoneOffset(utc + DAY_MS, zone)]
  if (before === after) return [utc - before]
  return [utc - before, utc - after]
    .filter((at) => at + zoneOffset(at, zone) === utc)
    .toSorted((a, b) => a - b)
}

/** First ms of the local day or month of a timestamp, and of the next one. */
export function calendarSpan(
  unit: 'day' | 'month',
  timestamp: number,
  zone: string,
): { from: number; to: number } {
  const fixed = FIXED_ZONE.exec(zone)
  if (!fixed) {
    const from = startOf(unit, timestamp, zone)
    return { from, to: nextStart(unit, from, zone) }
  }
  const offset = offsetOfText(fixed[1] as string)
  const [from, to] = [startOf(unit, timestamp + offset, 'UTC'), nextStart(unit, timestamp + offset, 'UTC')]
  return { from: from - offset, to: to - offset }
}

/**
 * Formats that read the most of these texts, the first of TIME_FORMATS first.
 *
 * returns  empty if none reads any
 */
export function detectFormats(all: readonly string[]): { formats: TimeFormat[]; read: number } {
  const short = all.map((text) => SHORT_YEAR.exec(text)).filter((match) => match !== null)
  const hasShortYears =
    new Set(short.map(([, name]) => name)).size > new Set(short.map(([, , year]) => year)).size
  let [formats, read]: [TimeFormat[], number] = [[], 0]
  for (const format of TIME_FORMATS) {
    const texts = format === 'month' ? all.filter((text) => !SHORT_YEAR.test(text) || hasShortYears) : all
    const count = texts.filter((text) => typeof readWall(text, format) !== 'string').length
    if (count > read) [formats, read] = [[format], count]
    else if (count === read && count > 0) formats.push(format)
  }
  return { formats, read }
}

/** Jan-26 is a month if names change more often than figures, else it may be a day. */
const SHORT_YEAR = /^([a-zäçéû]{3,10})\.?[-/.,\s'’]*(\d{2})$/i

const OFFSET = /\d(?:z|[+-]\d{2}(?::?\d{2})?)$/i
/** Whether a text is a date with a time of day and its UTC offset. */
export const isTimeWithOffset = (text: string): boolean =>
  text.length > 16 && OFFSET.test(text) && typeof readWall(text, 'ymd') !== 'string'

/** Whether a text in this format contains a time of day. */
export const hasClock = (text: string, format: TimeFormat): boolean => {
  if (format === 'epoch') return true
  if (format === 'serial' || format === 'serial1904') return text.includes('.')
  if (format === 'compact') return text.length > 8
  return /[:：h]\d{2}|\s\d{1,2}\.\d{2}|\d\s?[時时點点시]/.test(text)
}
