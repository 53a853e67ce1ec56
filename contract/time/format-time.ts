/**
 * Style of a formatted time:
 * moment   to the minute, with the year   2026/11/23 09:30    Nov 23, 2026, 09:30
 * second   to the second                  2026/11/23 09:30:05 Nov 23, 2026, 09:30:05
 * near     within a year of now           11/23（一）09:30    Nov 23, 09:30
 * day      a date                         2026/11/23          Nov 23, 2026
 * weekDate a date in the near future      11月23日 週一       Mon, Nov 23
 * weekDay  the same, shorter              23日 週一           23 Mon
 * month    a month                        2026年11月          November 2026
 * monthDay a day of every year            6/1                 Jun 1
 * weekday  週一                           Mon
 * time     09:30
 * year     2026年                         2026
 */
export type WhenStyle =
  | 'moment'
  | 'second'
  | 'near'
  | 'day'
  | 'weekDate'
  | 'weekDay'
  | 'month'
  | 'monthDay'
  | 'weekday'
  | 'time'
  | 'year'

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const date = (language: string) =>
  ({ year: 'numeric', month: language.startsWith('zh') ? 'numeric' : 'short', day: 'numeric' }) as const

const OPTIONS: Readonly<Record<WhenStyle, (language: string) => Intl.DateTimeFormatOptions>> = {
  moment: (language) => ({ ...date(language), ...TIME }),
  second: (language) => ({ ...date(language), ...TIME, second: '2-digit' }),
  near: (language) => ({
    ...date(language),
    year: undefined,
    ...(language.startsWith('zh') && { weekday: 'narrow' }),
    ...TIME,
  }),
  day: date,
  weekDate: () => ({ month: 'short', day: 'numeric', weekday: 'short' }),
  weekDay: () => ({ day: 'numeric', weekday: 'short' }),
  month: () => ({ year: 'numeric', month: 'long' }),
  monthDay: (language) => ({ ...date(language), year: undefined }),
  weekday: () => ({ weekday: 'short' }),
  time: () => TIME,
  year: () => ({ year: 'numeric' }),
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, zone: string | undefined, style: WhenStyle): Intl.DateTimeFormat {
  const key = `${language} ${zone} ${style}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, {
      ...OPTIONS[style](language),
      ...(zone !== undefined && { timeZone: zone }),
    })
    formats.set(key, format)
  }
  return format
}

/**
 * Text of a time, with 24 hours in every language: all screens use it. Files use ISO 8601.
 *
 * at    epoch ms
 * zone  time zone; that of this device if undefined
 */
export function formatWhen(
  at: number,
  language: string,
  zone: string | undefined,
  style: WhenStyle = 'moment',
): string {
  const format = formatOf(language, zone, style)
  // Some versions of Intl use other space characters.
  if (style !== 'near' || !language.startsWith('zh')) return format.format(at).replace(/\p{Zs}/gu, ' ')
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of format.formatToParts(at)) part[type] = value
  return `${part.month}/${part.day}（${part.weekday}）${part.hour}:${part.minute}`
}

/** Text of a time span; parts that both ends share are written once. */
export const formatSpan = (from: number, until: number, language: string, zone: string | undefined): string =>
  formatOf(language, zone, 'moment')
    .formatRange(from, until)
    .replace(/\p{Zs}/gu, ' ')

const DATES: readonly (readonly [shape: RegExp, style: WhenStyle])[] = [
  [/^\d{4}-\d\d-\d\d$/, 'day'],
  [/^\d{4}-\d\d$/, 'month'],
  [/^\d\d-\d\d$/, 'monthDay'],
]

/**
 * Text of a date of the contract: a day ("2026-11-23"), a month ("2026-11") or a day of every year ("06-01"). Any other text, such as one
 * being typed, is returned unchanged.
 */
export function formatDate(date: string, language: string): string {
  const [, style] = DATES.find(([shape]) => shape.test(date)) ?? []
  // A leap year, for 29 February.
  const at = Date.parse(style === 'monthDay' ? `2024-${date}` : date)
  return style === undefined || Number.isNaN(at) ? date : formatWhen(at, language, 'UTC', style)
}

/** Short name of a weekday, 0 is Sunday. */
export const formatWeekday = (day: number, language: string): string =>
  // 2026-01-04 is a Sunday.
  formatWhen(Date.UTC(2026, 0, 4 + day), language, 'UTC', 'weekday')

const HALF_YEAR_MS = 183 * 86_400_000

/**
 * Time as lists and sentences show it: the time of day if it is today, without the year in this year or within half a year, otherwise the
 * date alone: "02:14", "11/23（一）02:14", "2025/11/23".
 */
export function formatClock(at: number, now: number, language: string, zone: string | undefined): string {
  const textOf = (timestamp: number, style: WhenStyle) => formatWhen(timestamp, language, zone, style)
  if (textOf(at, 'day') === textOf(now, 'day')) return textOf(at, 'time')
  const isNear = Math.abs(at - now) < HALF_YEAR_MS || textOf(at, 'year') === textOf(now, 'year')
  return textOf(at, isNear ? 'near' : 'day')
}

/**
 * Text of the days from one date to another, both inclusive; the year is written once: "2026/11/16–22", "Nov 16–22, 2026". Takes months
 * ("2026-11") and days of every year ("06-01") as well.
 */
export function formatPeriod(from: string, through: string, language: string): string {
  if (from === through) return formatDate(from, language)
  const isWhole = [from, through].every((day) => /^\d{4}-\d\d-\d\d$/.test(day))
  const [start, end] = [formatDate(from, language), formatDate(through, language)]
  if (!isWhole || from.slice(0, 4) !== through.slice(0, 4))
    return language.startsWith('zh') ? `${start}–${end}` : `${start} – ${end}`
  const isSameMonth = from.slice(0, 7) === through.slice(0, 7)
  if (language.startsWith('zh'))
    return `${start}–${isSameMonth ? Number(through.slice(8)) : formatDate(through.slice(5), language)}`
  const startText = formatDate(from.slice(5), language)
  return isSameMonth
    ? `${startText}–${Number(through.slice(8))}, ${from.slice(0, 4)}`
    : `${startText} – ${end}`
}
