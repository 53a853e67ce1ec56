import { mondayOf, weekdayOf, toEpoch, toWallTime, DAY_MS } from '../../../contract/time/periods.ts'

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Recurrence of a calendar event: a rule with excluded times, or a list of dates. */
export type Recurrence = { rule: string; except: number[] } | { dates: number[] }

/** A rule of RFC 5545 without its UNTIL, and the days on which it falls up to the last one. */
interface Rule {
  text: string
  days: number[]
}

/**
 * Rule that some times follow (RFC 5545 §3.3.10), the one with the fewest exclusions. Calendar programs handle rules better than lists of
 * dates, which are only used if no rule fits.
 *
 * starts  at least two, ascending, epoch ms
 * zone    in which they keep their time of day; a time skipped by daylight saving is later accordingly, as RFC 5545 defines
 */
export function recurrenceOf(starts: readonly number[], zone: string): Recurrence {
  const dates = starts.slice(1)
  const { minute } = toWallTime(starts[0] as number, zone)
  const days = starts.map((start) => toWallTime(start, zone).day)
  const daySet = new Set(days)
  if (daySet.size < days.length || days.some((day, i) => toEpoch(day, minute, zone) !== starts[i]))
    return { dates }
  const [best] = [monthly(days), everyDay(days), weekly(days), daily(days)]
    .filter((rule) => rule !== undefined)
    .toSorted((a, b) => a.days.length - b.days.length)
  if (!best || best.days.length > 2 * days.length) return { dates }
  const until = new Date(starts.at(-1) as number).toISOString().replace(/[-:]|\.\d{3}/g, '')
  return {
    rule: `${best.text};UNTIL=${until}`,
    except: best.days.filter((day) => !daySet.has(day)).map((day) => toEpoch(day, minute, zone)),
  }
}

const daily = (days: readonly number[]): Rule => everyStep(days, stepOf(days))

const everyDay = (days: readonly number[]): Rule | undefined =>
  stepOf(days) === 1 ? everyStep(days, 1) : undefined

function everyStep(days: readonly number[], step: number): Rule {
  const [first, last] = endsOf(days)
  const found: number[] = []
  for (let day = first; day <= last; day += step) found.push(day)
  return { text: `FREQ=DAILY;INTERVAL=${step}`, days: found }
}

function weekly(days: readonly number[]): Rule {
  const [first, last] = endsOf(days)
  const weekdays = [...new Set(days.map((day) => day - mondayOf(day)))].toSorted((a, b) => a - b)
  const step = stepOf(days.map((day) => (mondayOf(day) - mondayOf(first)) / 7)) || 1
  const found: number[] = []
  for (let monday = mondayOf(first); monday <= last; monday += 7 * step)
    for (const weekday of weekdays) {
      const day = monday + weekday
      if (day >= first && day <= last) found.push(day)
    }
  const names = weekdays.map((weekday) => WEEKDAYS[weekdayOf(mondayOf(first) + weekday)])
  return { text: `FREQ=WEEKLY;INTERVAL=${step};BYDAY=${names.join(',')};WKST=MO`, days: found }
}

function monthly(days: readonly number[]): Rule | undefined {
  const dates = days.map((day) => new Date(day * DAY_MS))
  const date = dates[0]?.getUTCDate() ?? 0
  if (dates.some((one) => one.getUTCDate() !== date)) return undefined
  const months = dates.map((one) => one.getUTCFullYear() * 12 + one.getUTCMonth())
  const step = stepOf(months)
  const found: number[] = []
  for (let month = months[0] ?? 0; month <= (months.at(-1) ?? 0); month += step) {
    const one = new Date(Date.UTC(Math.floor(month / 12), month % 12, date))
    // Months without that day are skipped.
    if (one.getUTCDate() === date) found.push(one.getTime() / DAY_MS)
  }
  return { text: `FREQ=MONTHLY;INTERVAL=${step};BYMONTHDAY=${date}`, days: found }
}

const endsOf = (days: readonly number[]): [number, number] => [days[0] as number, days.at(-1) as number]

/** Greatest step from the first of ascending numbers to each of the others; 0 if all are the same. */
const stepOf = (values: readonly number[]): number =>
  values.reduce((step, value) => divisor(step, value - (values[0] as number)), 0)

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
