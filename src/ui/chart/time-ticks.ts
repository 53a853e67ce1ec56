import {
  nextStart,
  dayOf,
  monthOf,
  offsetAt,
  startOf,
  startOfDay,
  startOfMonth,
  startsBetween,
  type Resolution,
} from '../../../contract/time/periods.ts'
import type { ChartView } from './model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Label of a tick: the time of day, or the date at the start of a day, or the month at the start of a month. */
export type TickGrain = 'time' | 'date' | 'month'

export interface TimeTicks {
  at: number[]
  grain: TickGrain
}

const MINUTES = [1, 2, 5, 10, 15, 30].map((count) => count * MINUTE)
const HOURS = [1, 2, 3, 6, 12]
const DAYS = [1, 2, 7, 14]
/** Day 0 was a Thursday: weeks count from the Monday before it. */
const SINCE_MONDAY = 3
/** Dates are narrower than the labels for which ticks have space. */
const CLOSER = 1.15
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120]

/**
 * Ticks of a time axis at round times of a home's clock.
 *
 * maxTicks     maximum number of ticks
 * returns  ascending, within the view; on a day of 23 or 25 hours they stay at the same times of day
 */
export function timeTicks({ from, to }: ChartView, zone: string, maxTicks: number): TimeTicks {
  const minStepMs = (to - from) / Math.max(1, maxTicks)
  const minutes = MINUTES.find((step) => step >= minStepMs)
  if (minutes !== undefined) {
    const offset = offsetAt(from, zone)
    const at: number[] = []
    for (let tick = Math.ceil((from + offset) / minutes) * minutes - offset; tick < to; tick += minutes)
      at.push(tick)
    return { at, grain: 'time' }
  }
  const hours = HOURS.find((step) => step * HOUR >= minStepMs)
  if (hours !== undefined) {
    const at: number[] = []
    let last = Number.NaN
    for (const tick of startsBetween('hour', from, to, zone)) {
      const hour = Math.floor((tick + offsetAt(tick, zone)) / HOUR)
      // An hour that occurs twice has one tick.
      if (hour % hours !== 0 || hour === last || tick < from) continue
      last = hour
      at.push(tick)
    }
    return { at, grain: 'time' }
  }
  const days = DAYS.find((step) => step * DAY >= minStepMs)
  if (days !== undefined) {
    const at: number[] = []
    const shift = days % 7 === 0 ? SINCE_MONDAY : 0
    for (let day = Math.ceil((dayOf(from, zone) + shift) / days) * days - shift; ; day += days) {
      const tick = startOfDay(day, zone)
      if (tick >= to) return { at, grain: 'date' }
      if (tick >= from) at.push(tick)
    }
  }
  const months = MONTHS.find((step) => step * 30.5 * DAY >= minStepMs) ?? 240
  const at: number[] = []
  for (let month = Math.ceil(monthOf(from, zone) / months) * months; ; month += months) {
    const tick = startOfMonth(month, zone)
    if (tick >= to) return { at, grain: 'month' }
    if (tick >= from) at.push(tick)
  }
}

/**
 * Bar periods in view that have a label: every one, or every second, third … if space is short; for many days Mondays, or first days
 * of months.
 */
export function barTicks(view: ChartView, resolution: Resolution, zone: string, maxTicks: number): TimeTicks {
  const starts = startsBetween(resolution, view.from, view.to, zone).filter(
    (start) => nextStart(resolution, start, zone) > view.from,
  )
  const stride = [1, 2, 3, 4, 6, 12, 24, 48, 96].find((step) => starts.length / step <= maxTicks) ?? 192
  const grain = resolution === 'month' ? 'month' : resolution === 'day' ? 'date' : 'time'
  if (starts.length > maxTicks && grain === 'time') {
    // The same hours of every day, or the days.
    const { at } = timeTicks(view, zone, maxTicks)
    return { at, grain }
  }
  if (stride > 2 && grain === 'date') return timeTicks(view, zone, maxTicks * CLOSER)
  return { at: starts.filter((_, i) => i % stride === 0), grain }
}

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(language: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, zone, options])
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, { timeZone: zone, ...options })
    formats.set(key, format)
  }
  return format
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DATE = { month: 'numeric', day: 'numeric' } as const
const MONTH = { month: 'short' } as const

/** Label of a tick: a date at midnight, a year in January. */
export function formatTick(at: number, grain: TickGrain, zone: string, language: string): string {
  if (grain === 'month') {
    const isJanuary = monthOf(at, zone) % 12 === 0
    return formatOf(language, zone, isJanuary ? { year: 'numeric' } : MONTH).format(at)
  }
  const date = grain === 'date' || startOf('day', at, zone) === at
  return formatOf(language, zone, date ? DATE : TIME).format(at)
}

/** Text of a period, e.g. "10月1日 週三 13:00 – 14:00"; includes the zone's name if the clock shows an hour twice. */
export function formatPeriod(start: number, resolution: Resolution, zone: string, language: string): string {
  if (resolution === 'month')
    return formatOf(language, zone, { year: 'numeric', month: 'long' }).format(start)
  const date = { year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' } as const
  if (resolution === 'day') return formatOf(language, zone, date).format(start)
  const end = nextStart(resolution, start, zone)
  const time = formatOf(language, zone, TIME)
  const isRepeated = [-HOUR, HOUR].some(
    (offset) => offsetAt(start + offset, zone) - offsetAt(start, zone) === -offset,
  )
  const name = isRepeated ? ` ${zoneName(start, zone, language)}` : ''
  return `${formatOf(language, zone, date).format(start)} ${time.format(start)} – ${time.format(end)}${name}`
}

const zoneName = (at: number, zone: string, language: string): string =>
  formatOf(language, zone, { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''
