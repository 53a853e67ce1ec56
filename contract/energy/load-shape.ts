import { weekdayOf, DAY_TYPES, type DayType } from '../time/periods.ts'

/** Day of a load in 15-minute intervals. */
export interface ShapeDay {
  /** Day number as `dayOf` counts them. */
  day: number
  type: DayType
  /** kWh of each interval. */
  kWh: ArrayLike<number>
  /** 1 for each completely known interval. */
  isKnown: ArrayLike<number>
  /** Local time in minutes at the beginning of each interval; omitted on a day of 24 hours. */
  minutes?: readonly number[]
}

/** Number of hours in a week; the first is Monday 0:00. */
export const WEEK_CELLS = 168
const HOURS = 24

/** Mean power of an hour of the week, kW, and the number of hours averaged; null if there are none. */
export interface WeekCell {
  MeanKw: number | null
  Hours: number
}

/** Factor from kWh per 15 minutes to kW. */
const IN_KW = 4

/** Adds each known interval to its hour of local time. */
function addHours(day: ShapeDay, add: (hour: number, kWh: number) => void): void {
  for (let i = 0; i < day.kWh.length; i++)
    if (day.isKnown[i]) add(Math.floor((day.minutes?.[i] ?? i * 15) / 60) % HOURS, day.kWh[i] as number)
}

/**
 * Mean power of each hour of the week in local time. An hour that the clocks repeat counts twice, a skipped one not at all; unknown
 * intervals are ignored.
 *
 * returns  168 cells, Monday from 0:00 first
 */
export function weekShape(days: readonly ShapeDay[]): WeekCell[] {
  const [kWh, quarters] = [new Float64Array(WEEK_CELLS), new Int32Array(WEEK_CELLS)]
  for (const day of days) {
    const first = ((weekdayOf(day.day) + 6) % 7) * HOURS
    addHours(day, (hour, energy) => {
      ;(kWh[first + hour] as number) += energy
      ;(quarters[first + hour] as number) += 1
    })
  }
  return Array.from(kWh, (energy, i) => {
    const count = quarters[i] as number
    return { MeanKw: count ? (energy / count) * IN_KW : null, Hours: count / 4 }
  })
}

/** Percentiles of each hour's power over the days of one type, kW. */
export interface ClassShape {
  Class: DayType
  Days: number
  P10: (number | null)[]
  P50: (number | null)[]
  P90: (number | null)[]
}

/** Computes the spread of each hour by day type; types without a day are omitted. Partly known hours are ignored. */
export function classShapes(days: readonly ShapeDay[]): ClassShape[] {
  return DAY_TYPES.flatMap((Class) => {
    const of = days.filter(({ type }) => type === Class)
    if (of.length === 0) return []
    const hours = Array.from({ length: HOURS }, (): number[] => [])
    for (const day of of)
      for (const [hour, kw] of hourlyKw(day).entries()) if (kw !== null) hours[hour]?.push(kw)
    const at = (share: number) => hours.map((values) => quantile(values, share))
    return [{ Class, Days: of.length, P10: at(0.1), P50: at(0.5), P90: at(0.9) }]
  })
}

/** Mean power of each hour of a day, kW; null if a part of it is unknown, or if the clocks skip it. */
function hourlyKw(day: ShapeDay): (number | null)[] {
  const [kWh, known, all] = [new Float64Array(HOURS), new Int32Array(HOURS), new Int32Array(HOURS)]
  for (let i = 0; i < day.kWh.length; i++)
    (all[Math.floor((day.minutes?.[i] ?? i * 15) / 60) % HOURS] as number) += 1
  addHours(day, (hour, energy) => {
    ;(kWh[hour] as number) += energy
    ;(known[hour] as number) += 1
  })
  return Array.from(kWh, (energy, hour) => {
    const count = known[hour] as number
    return count === 0 || count < (all[hour] as number) ? null : (energy / count) * IN_KW
  })
}

/** Point of a duration curve: the power that is reached or exceeded for a share of the time. */
export interface DurationPoint {
  /** 0 to 1. */
  Share: number
  Kw: number
}

/** Number of steps of a duration curve. */
const STEPS = 100

/** Known intervals sorted by power, highest first, at each hundredth of the time; empty if nothing is known. */
export function durationCurve(days: readonly ShapeDay[]): DurationPoint[] {
  const powers: number[] = []
  for (const { kWh, isKnown } of days)
    for (let i = 0; i < kWh.length; i++) if (isKnown[i]) powers.push((kWh[i] as number) * IN_KW)
  if (powers.length === 0) return []
  const sorted = Float64Array.from(powers).toSorted()
  return Array.from({ length: STEPS + 1 }, (_, step) => ({
    Share: step / STEPS,
    Kw: sorted[Math.round((1 - step / STEPS) * (sorted.length - 1))] as number,
  }))
}

/** Summary of a load; null if unknown. */
export interface LoadSummary {
  /** Mean of the known intervals. */
  MeanKw: number | null
  /** Highest 15-minute mean. */
  PeakKw: number | null
  /** Mean ÷ peak, 0 to 1. */
  LoadFactor: number | null
  /** Load that runs day and night: the median over days of the second lowest hour. */
  BaseKw: number | null
  /** Base load's share of the energy, 0 to 1. */
  BaseShare: number | null
  /** Number of known hours, and of all hours. */
  KnownHours: number
  Hours: number
}

/** Minimum number of known hours for a day's second lowest hour. */
const MIN_HOURS = 20

export function summaryOfLoad(days: readonly ShapeDay[]): LoadSummary {
  let [kWh, known, all, peak] = [0, 0, 0, -Infinity]
  for (const day of days)
    for (let i = 0; i < day.kWh.length; i++) {
      all += 1
      if (!day.isKnown[i]) continue
      known += 1
      kWh += day.kWh[i] as number
      peak = Math.max(peak, day.kWh[i] as number)
    }
  const bases = days.flatMap((day) => {
    const hours = hourlyKw(day)
      .filter((kw) => kw !== null)
      .toSorted((a, b) => a - b)
    return hours.length < MIN_HOURS ? [] : [hours[1] as number]
  })
  const MeanKw = known ? (kWh / known) * IN_KW : null
  const PeakKw = known ? peak * IN_KW : null
  const BaseKw = quantile(bases, 0.5)
  const ofMean = (value: number | null) =>
    value === null || MeanKw === null || MeanKw <= 0 ? null : clamp(value / MeanKw)
  return {
    MeanKw,
    PeakKw,
    LoadFactor: PeakKw === null || MeanKw === null || PeakKw <= 0 ? null : clamp(MeanKw / PeakKw),
    BaseKw,
    BaseShare: ofMean(BaseKw),
    KnownHours: known / 4,
    Hours: all / 4,
  }
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share))

/**
 * Quantile with linear interpolation; null if there are no values. Uses selection instead of sorting, because it runs over the days of
 * every meter.
 */
export function quantile(values: ArrayLike<number>, share: number): number | null {
  if (values.length === 0) return null
  const apart = new Float64Array(values)
  const place = share * (apart.length - 1)
  const below = Math.floor(place)
  const low = select(apart, below)
  if (place === below) return low
  let high = apart[below + 1] as number
  for (let i = below + 2; i < apart.length; i++) if ((apart[i] as number) < high) high = apart[i] as number
  return low + (high - low) * (place - below)
}

/** Quickselect: returns the value at a sorted position and partitions the array around it. */
function select(values: Float64Array, place: number): number {
  let [from, through] = [0, values.length - 1]
  while (from < through) {
    const pivot = values[(from + through) >> 1] as number
    let [i, j] = [from, through]
    while (i <= j) {
      while ((values[i] as number) < pivot) i++
      while ((values[j] as number) > pivot) j--
      if (i > j) break
      const one = values[i] as number
      values[i++] = values[j] as number
      values[j--] = one
    }
    if (place <= j) through = j
    else if (place >= i) from = i
    else break
  }
  return values[place] as number
}
