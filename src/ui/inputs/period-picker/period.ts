import { formatPeriod } from '../../../../contract/time/format-time.ts'
import { comparedWithDays } from '../../../../contract/energy/compared-days.ts'
import {
  dayOf,
  firstDayOf,
  formatDay,
  mondayOf,
  monthOfDay,
  parseDay,
  startOfDay,
  weekdayYearBefore,
  yearBefore,
} from '../../../../contract/time/periods.ts'

/** Periods relative to today. */
export const PRESETS = [
  'today',
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
  'year',
  'lastYear',
  'last7',
  'last30',
  'last365',
] as const
export type Preset = (typeof PRESETS)[number]
const isPreset = (text: string): text is Preset => PRESETS.some((preset) => preset === text)
/** The 24 hours up to the end of the current hour, for measured data that does not need whole days. */
export const LAST_24H = 'last24h'

/** Comparison of a period: with the one before it, the same weekdays a year ago, or the same dates a year ago. */
export const PERIOD_COMPARISONS = ['off', 'previous', 'lastYearWeekday', 'lastYear'] as const
export type PeriodComparison = (typeof PERIOD_COMPARISONS)[number]

/** Comparisons of a period; months and years have no weekdays. */
export const comparisonsOf = ({ unit }: DayRange): readonly PeriodComparison[] =>
  unit === 'day' || unit === 'days'
    ? PERIOD_COMPARISONS
    : PERIOD_COMPARISONS.filter((comparison) => comparison !== 'lastYearWeekday')

/** Default comparison: days and weeks are compared with the same weekdays a year ago. */
export const usualComparison = ({ first, last, unit }: DayRange): PeriodComparison =>
  unit === 'day' || (unit === 'days' && (last - first + 1) % 7 === 0) ? 'lastYearWeekday' : 'off'

/** The user's choice. `range` is a preset, `2025-10-01`, `2025-10`, `2025`, or `2025-10-01..2025-10-07`. */
export interface PeriodChoice {
  range: string
  compare: PeriodComparison
}

/** Whole days, numbered as by `dayOf`, both ends inclusive; `unit` is the step of the arrows. */
export interface DayRange {
  first: number
  last: number
  unit: 'day' | 'days' | 'month' | 'year'
  /** Hour of the home's clock at which the first day begins and the last ends, one day later; midnight if absent. */
  hour?: number
}

/** A period on a home's clock, epoch ms, `to` exclusive. */
export interface Period {
  from: number
  to: number
  days: DayRange
}

/** Maximum length of custom dates: the capacity of a chart of days. */
export const MOST_DAYS = 3_660

const year = (number: number): DayRange => ({
  first: firstDayOf(number * 12),
  last: firstDayOf(number * 12 + 12) - 1,
  unit: 'year',
})
const month = (number: number): DayRange => ({
  first: firstDayOf(number),
  last: firstDayOf(number + 1) - 1,
  unit: 'month',
})
const day = (number: number): DayRange => ({ first: number, last: number, unit: 'day' })
const days = (first: number, last: number): DayRange =>
  first === last ? day(first) : { first, last, unit: 'days' }

function ofPreset(preset: Preset, today: number): DayRange {
  switch (preset) {
    case 'today':
      return day(today)
    case 'yesterday':
      return day(today - 1)
    case 'week':
      return days(mondayOf(today), mondayOf(today) + 6)
    case 'month':
      return month(monthOfDay(today))
    case 'lastWeek':
      return days(mondayOf(today) - 7, mondayOf(today) - 1)
    case 'lastMonth':
      return month(monthOfDay(today) - 1)
    case 'lastYear':
      return year(Math.floor(monthOfDay(today) / 12) - 1)
    case 'year':
      return year(Math.floor(monthOfDay(today) / 12))
    case 'last7':
      return days(today - 6, today)
    case 'last30':
      return days(today - 29, today)
    case 'last365':
      return days(today - 364, today)
  }
}

/** Number of hours of the current day in the home that have begun, 1 to 24. */
export const hourNow = (now: number, zone: string): number =>
  Math.floor((now - startOfDay(dayOf(now, zone), zone)) / HOUR) + 1
const HOUR = 3_600_000

const last24h = (today: number, hour: number): DayRange =>
  hour >= 24 ? day(today) : { ...day(today - 1), hour }

/**
 * Days of a range from an address.
 *
 * today    number of the current day in the home
 * hour     number of its hours that have begun; absent for ranges of whole days
 * returns  undefined if invalid: no such date, the end before the beginning, or longer than MOST_DAYS
 */
export function parseRange(text: string, today: number, hour?: number): DayRange | undefined {
  if (isPreset(text)) return ofPreset(text, today)
  if (text === LAST_24H) return hour === undefined ? undefined : last24h(today, hour)
  const [, dayText, at] = hour === undefined ? [] : (/^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3])$/.exec(text) ?? [])
  if (dayText !== undefined && at !== undefined) {
    const first = date(dayText)
    return first === undefined ? undefined : { ...day(first), hour: Number(at) }
  }
  const [from = '', lastText = from, ...rest] = text.split('..')
  if (rest.length > 0) return undefined
  if (text === from && /^\d{4}$/.test(from)) return Number(from) >= 1970 ? year(Number(from)) : undefined
  if (text === from && /^\d{4}-(0[1-9]|1[0-2])$/.test(from)) return month(monthOfDay(parseDay(`${from}-01`)))
  const [first, last] = [date(from), date(lastText)]
  if (first === undefined || last === undefined || last < first || last - first >= MOST_DAYS) return undefined
  return days(first, last)
}

function date(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const number = parseDay(text)
  return Number.isFinite(number) && formatDay(number) === text ? number : undefined
}

/** Range as written in an address: the preset that equals these days, else its dates. */
export function formatRange(range: DayRange, today: number, hour?: number): string {
  if (range.hour !== undefined)
    return hour !== undefined && isSame(range, last24h(today, hour)) ? LAST_24H : formatDates(range)
  const preset = PRESETS.find((name) => {
    const { first, last, unit } = ofPreset(name, today)
    return unit === range.unit && first === range.first && last === range.last
  })
  return preset ?? formatDates(range)
}

const isSame = (a: DayRange, b: DayRange): boolean => a.first === b.first && a.hour === b.hour

/** Range by its dates, which, unlike a preset, are the same tomorrow. */
export function formatDates(range: DayRange): string {
  const first = formatDay(range.first)
  if (range.hour !== undefined) return `${first}T${String(range.hour).padStart(2, '0')}`
  if (range.unit === 'day') return first
  if (range.unit === 'month') return first.slice(0, 7)
  if (range.unit === 'year') return first.slice(0, 4)
  return `${first}..${formatDay(range.last)}`
}

/** The period of the same length before (-1) or after (1); months and years by the calendar. */
export function stepRange(range: DayRange, step: 1 | -1): DayRange {
  if (range.unit === 'month') return month(monthOfDay(range.first) + step)
  if (range.unit === 'year') return year(Math.floor(monthOfDay(range.first) / 12) + step)
  const length = range.last - range.first + 1
  return { ...range, first: range.first + step * length, last: range.last + step * length }
}

/** The period of the same kind that contains today. */
export function currentRange(range: DayRange, today: number, hour = 24): DayRange {
  if (range.hour !== undefined) return last24h(today, hour)
  if (range.unit === 'month') return month(monthOfDay(today))
  if (range.unit === 'year') return year(Math.floor(monthOfDay(today) / 12))
  if (range.unit === 'day') return day(today)
  const length = range.last - range.first + 1
  if (length === 7 && mondayOf(range.first) === range.first) return ofPreset('week', today)
  return days(today - length + 1, today)
}

/** Whether a range has begun, by the home's clock. */
export const hasBegun = (range: DayRange, today: number, hour = 24): boolean =>
  range.first < today || (range.first === today && (range.hour ?? 0) < hour)

/** Whether a range includes the present. */
export const isCurrentRange = (range: DayRange, today: number, hour?: number): boolean =>
  range.hour === undefined
    ? range.first <= today && today <= range.last
    : isSame(range, currentRange(range, today, hour))

/**
 * Compared period; the same dates a year ago are as many days, with 29 February as the 28th. For a month or a year, `lastYearWeekday`
 * means the same month or year.
 */
export function comparedRange(range: DayRange, compare: PeriodComparison): DayRange | undefined {
  if (compare === 'off') return undefined
  if (compare === 'previous') return stepRange(range, -1)
  if (range.unit === 'month') return month(monthOfDay(range.first) - 12)
  if (range.unit === 'year') return stepRange(range, -1)
  const first = compare === 'lastYearWeekday' ? weekdayYearBefore(range.first) : yearBefore(range.first)
  return { ...range, first, last: first + range.last - range.first }
}

/** Replacement for a year ago without data: the month before, or the same weekdays before. */
export function comparedInstead(range: DayRange, compare: PeriodComparison): DayRange | undefined {
  if (compare !== 'lastYear' && compare !== 'lastYearWeekday') return undefined
  const days =
    range.unit === 'day' || range.unit === 'days' ? comparedWithDays(endOf(range), 'weekBefore') : undefined
  const previous = days ? { ...range, first: days.from, last: days.end - 1 } : stepRange(range, -1)
  return previous.first === comparedRange(range, compare)?.first ? undefined : previous
}

const endOf = ({ first, last }: DayRange) => ({ from: first, end: last + 1 })

/** Period of days on a home's clock, on which a day may have 23 or 25 hours. */
export const periodOfChoice = (range: DayRange, zone: string): Period => ({
  from: startOfDay(range.first, zone) + (range.hour ?? 0) * HOUR,
  to: startOfDay(range.last + 1, zone) + (range.hour ?? 0) * HOUR,
  days: range,
})

/** Period that the user chose; `fallback` if the address contains none. */
export function resolvePeriod(
  range: string,
  fallback: Preset | typeof LAST_24H,
  now: number,
  zone: string,
): Period {
  const today = dayOf(now, zone)
  const hour = fallback === LAST_24H ? hourNow(now, zone) : undefined
  const parsed = parseRange(range, today, hour) ?? parseRange(fallback, today, hour)
  return periodOfChoice(parsed ?? day(today), zone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Text of the days, e.g. "2025/10/1–7", "October 2025". */
export function formatDays({ first, last, unit, hour }: DayRange, language: string): string {
  const isOfHours = hour !== undefined
  if (unit === 'days' && !isOfHours) return formatPeriod(formatDay(first), formatDay(last), language)
  const key = `${language} ${isOfHours ? 'hours' : unit}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, {
      timeZone: 'UTC',
      year: 'numeric',
      ...(unit !== 'year' && { month: isOfHours ? 'short' : 'long' }),
      ...((unit === 'day' || isOfHours) && { day: 'numeric' }),
      ...(unit === 'day' && !isOfHours && { weekday: 'short' }),
      ...(isOfHours && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    })
    formats.set(key, format)
  }
  const ms = 86_400_000
  if (isOfHours) return format.formatRange(first * ms + hour * HOUR, (last + 1) * ms + hour * HOUR)
  return format.format(first * ms)
}
