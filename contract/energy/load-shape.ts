import { DAY_TYPES, type DayType } from '../tariffs/tariff-terms.ts'
import { weekdayOf } from '../time/periods.ts'

/** A day of a load by its intervals of 15 minutes. */
export interface ShapeDay {
  /** As `dayOf` numbers days. */
  day: number
  type: DayType
  /** kWh of each interval. */
  kWh: ArrayLike<number>
  /** 1 for each interval of which all is known. */
  isKnown: ArrayLike<number>
  /** Minutes that the wall shows at the beginning of each interval; left out on a day of 24 plain hours. */
  minutes?: readonly number[]
}

/** Hours of a week: Monday from 0:00 first. */
export const WEEK_CELLS = 168
const HOURS = 24

/** The mean power of an hour of the week, kW, and how many hours it is the mean of; null of none. */
export interface WeekCell {
  MeanKw: number | null
  Hours: number
}

/** kWh in 15 minutes as kW. */
const IN_KW = 4

/** Adds each known interval to the hour of the wall's clock that it lies in. */
function addHours(day: ShapeDay, add: (hour: number, kWh: number) => void): void {
  for (let i = 0; i < day.kWh.length; i++)
    if (day.isKnown[i]) add(Math.floor((day.minutes?.[i] ?? i * 15) / 60) % HOURS, day.kWh[i] as number)
}

/**
 * The mean power of each hour of the week by the wall's clock. An hour that clocks repeat counts twice, one that they skip not
 * at all; what is not known is in no mean.
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

/** Of days of one kind, the power of each hour that a tenth, half and nine tenths of them stay below, kW. */
export interface ClassShape {
  Class: DayType
  Days: number
  P10: (number | null)[]
  P50: (number | null)[]
  P90: (number | null)[]
}

/** The spread of each hour over the days of a kind; kinds without a day are left out. Hours known in part count for nothing. */
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

/** The mean power of each hour of a day, kW; null where a part of it is not known, or where the clocks skip it. */
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

/** A point of a duration curve: the power that is reached or passed in such a share of the time. */
export interface DurationPoint {
  /** 0 to 1. */
  Share: number
  Kw: number
}

/** Steps of a duration curve. */
const STEPS = 100

/** The known intervals by their power, the highest first, at each hundredth of the time; none where nothing is known. */
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

/** What a load comes to as a whole; null where nothing is known. */
export interface LoadSummary {
  /** Of the known intervals. */
  MeanKw: number | null
  /** The highest mean of 15 minutes. */
  PeakKw: number | null
  /** Mean ÷ peak, 0 to 1. */
  LoadFactor: number | null
  /** What runs day and night: the median of the second lowest hours of the days. */
  BaseKw: number | null
  /** The part of the energy that it is, 0 to 1. */
  BaseShare: number | null
  /** Hours that are known, and that the days have. */
  KnownHours: number
  Hours: number
}

/** Less known hours than this say nothing of a day's second lowest one. */
const LEAST_HOURS = 20

/** Mean, peak, load factor and base of a load. */
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
    return hours.length < LEAST_HOURS ? [] : [hours[1] as number]
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
 * The value that such a share of them stays at or below, between two in proportion; null of none. It is asked of the days of every
 * meter, so they are not sorted for it: only those on both sides of the place are told apart.
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

/** The value that would be at this place if they were sorted; then none before it is higher and none after it lower. */
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
