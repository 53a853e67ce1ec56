import { quantile } from '../../../../contract/energy/load-shape.ts'
import type { DayType } from '../../../../contract/time/periods.ts'
import { lowerLimitOf, upperLimitOf, medianOf, spreadOf, sumOf } from './robust-statistics.ts'

/** A day of a meter; null if too little is known. */
export interface TypedDay {
  day: number
  type: DayType
  kWh: number | null
}

/** Number of recent days, and start of the earlier days that define the usual level. */
const NOW = 28
const USUAL_FROM = 112
/** Minimum number of known days off in each of them. */
const MIN_NOW = 2
const MIN_USUAL = 6
/** Minimum energy of a day off, as part of a workday's. */
const HIGH_SHARE = 0.6

/** Days off with excess energy, kWh. */
export interface DaysOff {
  /** risen: more than before. high: much compared with workdays, and less on some days. */
  reason: 'risen' | 'high'
  usual: number
  limit: number
  spread: number
  /** Median of the last days off. */
  now: number
  /** Energy of a day off, as part of a workday's. */
  share: number
  /** The first day off above the limit. */
  since: number
  /** Its days off among the last 28. */
  days: readonly number[]
}

/** Whether Saturdays of this meter resemble Sundays more than workdays. */
function isSaturdayOff(days: readonly TypedDay[]): boolean {
  const known: Record<DayType, number[]> = { weekday: [], saturday: [], offPeakDay: [] }
  for (const { type, kWh } of days) if (kWh !== null) known[type].push(kWh)
  const [saturday, sunday] = [medianOf(known.saturday), medianOf(known.offPeakDay)]
  if (saturday === undefined || sunday === undefined) return false
  const weekday = medianOf(known.weekday)
  return weekday !== undefined && saturday < (weekday + sunday) / 2
}

/**
 * Detects excess energy on days off: the last two exceed the usual level of the 12 weeks before by more than its
 * spread, or a day off takes more than 0.6 of a workday though the best quarter of them takes less.
 *
 * days    in order, at least the last 28 days
 * end     the last day, exclusive
 * factor  multiplies the limits
 * before  previous finding in the same place
 */
export function daysOffOf(
  days: readonly TypedDay[],
  end: number,
  {
    factor,
    before,
  }: { factor: number; before: Pick<DaysOff, 'usual' | 'limit' | 'spread' | 'since'> | null },
): DaysOff | undefined {
  const withSaturdays = isSaturdayOff(days)
  const off = days.filter(
    ({ type, kWh }) => kWh !== null && (type === 'offPeakDay' || (withSaturdays && type === 'saturday')),
  ) as (TypedDay & { kWh: number })[]
  const recent = off.filter(({ day }) => day >= end - NOW && day < end)
  const work = medianOf(
    days.flatMap(({ type, day, kWh }) =>
      type === 'weekday' && day >= end - NOW && day < end && kWh !== null ? [kWh] : [],
    ),
  )
  const last = recent.slice(-MIN_NOW)
  if (last.length < MIN_NOW || work === undefined || work <= 0) return undefined
  const now = medianOf(last.map(({ kWh }) => kWh)) as number
  const found = { now, share: now / work, days: recent.map(({ day }) => day) }
  if (before)
    return now > before.usual + (before.limit - before.usual) / 2
      ? { ...found, reason: 'risen', ...before }
      : undefined
  const earlier = off.filter(({ day }) => day >= end - USUAL_FROM && day < (last[0]?.day ?? end))
  // The latest days may belong to the rise already.
  const usualDays = earlier.slice(0, Math.max(MIN_USUAL, earlier.length - MIN_NOW))
  if (usualDays.length >= MIN_USUAL) {
    const values = usualDays.map(({ kWh }) => kWh)
    const usual = medianOf(values) as number
    const isAbove = (limit: number) => last.every(({ kWh }) => kWh > limit)
    const limit = isAbove(lowerLimitOf(usual, factor)) ? upperLimitOf(values, factor) : Infinity
    if (isAbove(limit)) {
      const first = off.findLastIndex(({ kWh, day }) => day < end && kWh <= limit) + 1
      const since = off[first]?.day ?? end - NOW
      return { ...found, reason: 'risen', usual, limit, spread: spreadOf(values), since }
    }
  }
  if (off.length < MIN_USUAL || now <= HIGH_SHARE * factor * work) return undefined
  const best = quantile(
    off.map(({ kWh }) => kWh),
    0.25,
  ) as number
  if (now <= best * (1 + 0.2 * factor)) return undefined
  return { ...found, reason: 'high', usual: best, limit: best, spread: 0, since: end - NOW }
}

/**
 * Excess energy of these days: of each day off the part above the usual level, distributed in proportion over its
 * intervals.
 *
 * days  the claimed days, in order, with their numbers and kWh by interval
 */
export function claimOfDaysOff(
  { usual, since, days: off }: DaysOff,
  days: readonly (readonly [day: number, kWh: ArrayLike<number>])[],
): Float64Array[] {
  const wanted = new Set(off)
  return days.map(([day, kWh]) => {
    const all = sumOf(Array.from(kWh))
    const part = wanted.has(day) && day >= since && all > usual ? (all - usual) / all : 0
    return Float64Array.from(kWh, (one) => Math.max(0, one) * part)
  })
}
