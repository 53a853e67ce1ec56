/**
 * Style of a formatted time:
 * timestamp   to the minute, with the year   2026/11/23 09:30    Nov 23, 2026, 09:30
 * second   to the second                  2026/11/23 09:30:05 Nov 23, 2026, 09:30:05
 * near     within a year of now           11/23 週一 09:30    Mon, Nov 23, 09:30
 * day      a date                         2026/11/23          Nov 23, 2026
 * weekDate a date in the near future      11月23日 週一       Mon, Nov 23
 * weekDay  the same, shorter              23日 週一           23 Mon
 * month    a month                        2026年11月          November 2026
 * monthDay a day of every year            6/1                 Jun 1
 * weekday  週一                           Mon
 * time     09:30
 */
export type WhenStyle =
  'moment' | 'second' | 'near' | 'day' | 'weekDate' | 'weekDay' | 'month' | 'monthDay' | 'weekday' | 'time'

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const date = (language: string) =>
  ({ year: 'numeric', month: language.startsWith('zh') ? 'numeric' : 'short', day: 'numeric' }) as const

const OPTIONS: Readonly<Record<WhenStyle, (language: string) => Intl.DateTimeFormatOptions>> = {
  moment: (language) => ({ ...date(language), ...TIME }),
  second: (language) => ({ ...date(language), ...TIME, second: '2-digit' }),
  near: (language) => ({ ...date(language), year: undefined, weekday: 'short', ...TIME }),
  day: date,
  weekDate: () => ({ month: 'short', day: 'numeric', weekday: 'short' }),
  weekDay: () => ({ day: 'numeric', weekday: 'short' }),
  month: () => ({ year: 'numeric', month: 'long' }),
  monthDay: (language) => ({ ...date(language), year: undefined }),
  weekday: () => ({ weekday: 'short' }),
  time: () => TIME,
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
  // Intl puts the weekday in brackets in this locale.
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of format.formatToParts(at)) part[type] = value
  return `${part.month}/${part.day} ${part.weekday} ${part.hour}:${part.minute}`
}

/** Text of a time span; parts that both ends share are written once. */
export const formatSpan = (from: number, until: number, language: string, zone: string | undefined): string =>
  formatOf(language, zone, 'moment').formatRange(from, until)

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

/** Time of day, with its date unless that is today: "02:14", "11/23 週一 02:14". */
export function formatClock(at: number, now: number, language: string, zone: string | undefined): string {
  const dayOf = (timestamp: number) => formatWhen(timestamp, language, zone, 'day')
  return formatWhen(at, language, zone, dayOf(at) === dayOf(now) ? 'time' : 'near')
}
