import {
  bandParts,
  type DaySpan,
  partsOfDay,
  type Periods,
} from '../../../../contract/tariffs/energy-totals.ts'
import { dayOf, monthOf, QUARTER_MS, startOfDay, wallMinute } from '../../../../contract/time/periods.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'
import type { Rate, Rates } from './prices.ts'

/** A part of a day whose energy goes into one sum. */
export interface Window extends DaySpan {
  slot: number
}

/** A day with its parts, in order; together they need not be the whole day. */
export interface DayPlan {
  day: number
  /** How many intervals of it have ended by now. */
  ended: number
  /** How many it has. */
  quarters: number
  windows: readonly Window[]
}

/** Where the energy of one rate in one period is added up. */
export interface Slot {
  period: number
  rate: Rate
}

/** Intervals of a plain day, of 24 hours. */
export const QUARTERS_PER_DAY = 96

export type DayClock = ReturnType<typeof createDayClock>

/** When days begin, by zone: at most those of the hundred years that calls look at. */
const startsOf = new Map<string, Map<number, number>>()

/** The days of a zone as they pass. */
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
    /** What the wall shows at the beginning of each interval of a day on which the clocks change. */
    minutesOf: (day: number, quarters: number): number[] | undefined =>
      quarters === QUARTERS_PER_DAY
        ? undefined
        : Array.from({ length: quarters }, (_, quarter) => wallMinute(day, quarter, zone)),
  }
}

/** Which part of each day so far goes into which slot. */
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
    return slots.push({ period, rate }) - 1
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
    plans.push({ day, quarters, ended: clock.endedOf(day, quarters), windows: joined(windows) })
  }
  return { plans, slots }
}

/** Neighbours of one slot as one. */
function joined(windows: readonly DayPlan['windows'][number][]): DayPlan['windows'] {
  const all: { slot: number; from: number; to: number }[] = []
  for (const window of windows) {
    const before = all.at(-1)
    if (before && before.slot === window.slot && before.to === window.from) before.to = window.to
    else all.push({ ...window })
  }
  return all
}

/** The parts of the days that lie in an epoch. */
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
