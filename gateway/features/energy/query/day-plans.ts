import {
  bandParts,
  type DaySpan,
  partsOfDay,
  type Periods,
} from '../../../../contract/tariffs/energy-totals.ts'
import { dayOf, monthOf, QUARTER_MS, startOfDay, wallMinute } from '../../../../contract/time/periods.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'
import type { Rate, Rates } from './rates.ts'

/** A part of a day whose energy is added to one slot. */
export interface Window extends DaySpan {
  slot: number
}

/** A day with its parts, in order; they need not cover the whole day. */
export interface DayPlan {
  day: number
  /** Number of intervals that have ended by now. */
  ended: number
  /** Number of intervals of the day. */
  quarters: number
  windows: readonly Window[]
}

/** Accumulator for the energy of one rate in one period. */
export interface Slot {
  /** Index in the sums. */
  index: number
  period: number
  rate: Rate
}

/** Number of 15-minute intervals of a 24-hour day. */
export const QUARTERS_PER_DAY = 96

export type DayClock = ReturnType<typeof createDayClock>

/** Cache of the start of days, by zone; bounded by the hundred years that calls may query. */
const startsOf = new Map<string, Map<number, number>>()

/** Cached calendar of a zone. */
export function createDayClock(zone: string, now: number) {
  const starts = startsOf.get(zone) ?? new Map<number, number>()
  startsOf.set(zone, starts)
  const today = dayOf(now, zone)
  const startOf = (day: number): number => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const start = startOfDay(day, zone)
    starts.set(day, start)
    return start
  }
  return {
    zone,
    today,
    startOf,
    quartersOf: (day: number) => (startOf(day + 1) - startOf(day)) / QUARTER_MS,
    endedOf: (day: number, quarters: number) =>
      day < today ? quarters : Math.min(quarters, Math.floor((now - startOf(day)) / QUARTER_MS)),
    yearOf: (timestamp: number) => Math.floor(monthOf(timestamp, zone) / 12),
    /** Local time at the start of each interval of a day with a clock change, in minutes. */
    minutesOf: (day: number, quarters: number): number[] | undefined =>
      quarters === QUARTERS_PER_DAY
        ? undefined
        : Array.from({ length: quarters }, (_, quarter) => wallMinute(day, quarter, zone)),
  }
}

/** Assigns the parts of each day up to now to slots. */
export function planDays(
  periods: Periods,
  rates: Rates,
  clock: DayClock,
): { plans: DayPlan[]; slots: Slot[] } {
  const slots: Slot[] = []
  const slotOf = new Map<string, number>()
  const at = (period: number, rate: Rate): number => {
    const key = `${period} ${rate.id}`
    const known = slotOf.get(key)
    if (known !== undefined) return known
    slotOf.set(key, slots.length)
    return slots.push({ index: slots.length, period, rate }) - 1
  }
  const plans: DayPlan[] = []
  const first = dayOf(periods.starts[0] as number, clock.zone)
  const last = Math.min(dayOf(periods.end - 1, clock.zone), clock.today)
  for (let day = first; day <= last; day++) {
    const quarters = clock.quartersOf(day)
    const bands = bandParts(rates.ofDay(day), clock.minutesOf(day, quarters))
    const windows = partsOfDay(periods, clock.startOf(day), clock.startOf(day + 1)).flatMap((part) =>
      bands.flatMap(({ span, from, to }) => {
        const [begin, end] = [Math.max(part.from, from), Math.min(part.to, to)]
        return begin < end ? [{ slot: at(part.period, span.rate), from: begin, to: end }] : []
      }),
    )
    plans.push({ day, quarters, ended: clock.endedOf(day, quarters), windows: mergeWindows(windows) })
  }
  return { plans, slots }
}

/** Merges adjacent windows of the same slot. */
function mergeWindows(windows: readonly DayPlan['windows'][number][]): DayPlan['windows'] {
  const all: { slot: number; from: number; to: number }[] = []
  for (const window of windows) {
    const before = all.at(-1)
    if (before && before.slot === window.slot && before.to === window.from) before.to = window.to
    else all.push({ ...window })
  }
  return all
}

/** Clips the parts of days to a membership period. */
export function plansWithin(
  { from, to }: MembershipPeriod,
  plans: readonly DayPlan[],
  clock: DayClock,
): DayPlan[] {
  if (from === -Infinity && to === Infinity) return [...plans]
  return plans.flatMap((one) => {
    const start = clock.startOf(one.day)
    const [begin, end] = [(from - start) / QUARTER_MS, (to - start) / QUARTER_MS]
    const windows = one.windows
      .map((window) => ({ ...window, from: Math.max(window.from, begin), to: Math.min(window.to, end) }))
      .filter((window) => window.from < window.to)
    return windows.length ? [{ ...one, windows }] : []
  })
}
