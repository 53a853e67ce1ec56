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
} from '../../../../contract/rules/energy/periods.ts'

/** Periods that move with the calendar. */
export const PRESETS = ['today', 'yesterday', 'week', 'month', 'year', 'last7', 'last30', 'last365'] as const
export type Preset = (typeof PRESETS)[number]
const isPreset = (text: string): text is Preset => PRESETS.some((preset) => preset === text)

/** With what a period is compared: the one before it, the same days of the week a year ago, or the same dates. */
export const COMPARISONS = ['off', 'previous', 'lastYearWeekday', 'lastYear'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** Months and years have no day of the week. */
export const comparisonsOf = ({ unit }: DayRange): readonly Comparison[] =>
  unit === 'day' || unit === 'days' ? COMPARISONS : COMPARISONS.filter((one) => one !== 'lastYearWeekday')

/** With what a period is compared as long as nobody chooses: days and weeks with the same days of the week a year ago. */
export const usualComparison = ({ first, last, unit }: DayRange): Comparison =>
  unit === 'day' || (unit === 'days' && (last - first + 1) % 7 === 0) ? 'lastYearWeekday' : 'off'

/** What a person chose. `range` is a preset, `2025-10-01`, `2025-10`, `2025`, or `2025-10-01..2025-10-07`. */
export interface PeriodChoice {
  range: string
  compare: Comparison
}

/** Whole days, as `dayOf` numbers them, both ends included; `unit` is what an arrow moves by. */
export interface DayRange {
  first: number
  last: number
  unit: 'day' | 'days' | 'month' | 'year'
}

/** A period on a home's clock, epoch ms, `to` exclusive. */
export interface Period {
  from: number
  to: number
  days: DayRange
}

/** Longest range of own dates: what a chart of days can hold. */
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

/**
 * The days of a range as it stands in the address.
 *
 * today    number of the day it is in the home
 * returns  undefined for what is none: no such date, the end before the beginning, or longer than MOST_DAYS
 */
export function parseRange(text: string, today: number): DayRange | undefined {
  if (isPreset(text)) return ofPreset(text, today)
  const [from = '', through = from, ...rest] = text.split('..')
  if (rest.length > 0) return undefined
  if (text === from && /^\d{4}$/.test(from)) return Number(from) >= 1970 ? year(Number(from)) : undefined
  if (text === from && /^\d{4}-(0[1-9]|1[0-2])$/.test(from)) return month(monthOfDay(parseDay(`${from}-01`)))
  const [first, last] = [date(from), date(through)]
  if (first === undefined || last === undefined || last < first || last - first >= MOST_DAYS) return undefined
  return days(first, last)
}

function date(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const number = parseDay(text)
  return Number.isFinite(number) && formatDay(number) === text ? number : undefined
}

/** A range as it stands in the address: the preset that means these days, else its dates. */
export function formatRange(range: DayRange, today: number): string {
  const preset = PRESETS.find((name) => {
    const { first, last, unit } = ofPreset(name, today)
    return unit === range.unit && first === range.first && last === range.last
  })
  return preset ?? formatDates(range)
}

/** A range by its dates, which mean the same days tomorrow. */
export function formatDates(range: DayRange): string {
  const first = formatDay(range.first)
  if (range.unit === 'day') return first
  if (range.unit === 'month') return first.slice(0, 7)
  if (range.unit === 'year') return first.slice(0, 4)
  return `${first}..${formatDay(range.last)}`
}

/** The period before (-1) or after (1) one of the same length; months and years by the calendar. */
export function stepRange(range: DayRange, by: 1 | -1): DayRange {
  if (range.unit === 'month') return month(monthOfDay(range.first) + by)
  if (range.unit === 'year') return year(Math.floor(monthOfDay(range.first) / 12) + by)
  const length = range.last - range.first + 1
  return { ...range, first: range.first + by * length, last: range.last + by * length }
}

/** The period of this sort that today lies in. */
export function currentRange(range: DayRange, today: number): DayRange {
  if (range.unit === 'month') return month(monthOfDay(today))
  if (range.unit === 'year') return year(Math.floor(monthOfDay(today) / 12))
  if (range.unit === 'day') return day(today)
  const length = range.last - range.first + 1
  if (length === 7 && mondayOf(range.first) === range.first) return ofPreset('week', today)
  return days(today - length + 1, today)
}

/**
 * What a period is compared with; the same dates a year ago are as many days, 29 February is the 28th. Of a month or a year
 * the same days of the week are the same month or year.
 */
export function comparedRange(range: DayRange, compare: Comparison): DayRange | undefined {
  if (compare === 'off') return undefined
  if (compare === 'previous') return stepRange(range, -1)
  if (range.unit === 'month') return month(monthOfDay(range.first) - 12)
  if (range.unit === 'year') return stepRange(range, -1)
  const first = compare === 'lastYearWeekday' ? weekdayYearBefore(range.first) : yearBefore(range.first)
  return { ...range, first, last: first + range.last - range.first }
}

/** What a period is compared with where nothing is known of a year ago: the one before, if that is another. */
export function comparedInstead(range: DayRange, compare: Comparison): DayRange | undefined {
  if (compare !== 'lastYear' && compare !== 'lastYearWeekday') return undefined
  const previous = stepRange(range, -1)
  return previous.first === comparedRange(range, compare)?.first ? undefined : previous
}

/** Days on a home's clock, where one may have 23 or 25 hours. */
export const periodOf = (range: DayRange, zone: string): Period => ({
  from: startOfDay(range.first, zone),
  to: startOfDay(range.last + 1, zone),
  days: range,
})

/** The period a person chose; `fallback` when the address holds none. */
export function resolvePeriod(range: string, fallback: Preset, now: number, zone: string): Period {
  const today = dayOf(now, zone)
  return periodOf(parseRange(range, today) ?? ofPreset(fallback, today), zone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Days in words, e.g. "2025年10月1日至7日", "October 2025". */
export function formatDays({ first, last, unit }: DayRange, language: string): string {
  const key = `${language} ${unit}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, {
      timeZone: 'UTC',
      year: 'numeric',
      ...(unit !== 'year' && { month: unit === 'days' ? 'short' : 'long' }),
      ...((unit === 'day' || unit === 'days') && { day: 'numeric' }),
      ...(unit === 'day' && { weekday: 'short' }),
    })
    formats.set(key, format)
  }
  const ms = 86_400_000
  return unit === 'days' ? format.formatRange(first * ms, last * ms) : format.format(first * ms)
}
