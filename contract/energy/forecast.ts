import { quantile } from './load-shape.ts'

export interface PastDay {
  /** Day number as `dayOf` counts them. */
  day: number
  /** Null if too little is known. */
  kWh: number | null
  /** Highest 15-minute mean; null if too little is known. */
  peakKw: number | null
}

/** Range to forecast: days of a period, `end` exclusive; `today` is the first day that is not over. */
export interface Horizon {
  from: number
  today: number
  end: number
}

/** Class of a day; days of one class are alike: 0 to 6 for the day of the week, off-peak days count as Sunday. */
export type ClassOf = (day: number) => number

/** `rule`: by day class. `floor`: the mean of the days so far for each remaining day. */
export const FORECAST_METHODS = ['rule', 'floor'] as const
export type ForecastMethod = (typeof FORECAST_METHODS)[number]

/** Days from which factors are computed. */
export const FACTOR_DAYS = 56
/** Maximum age in days of earlier forecasts used for error estimates, counted back from the last horizon that is over. */
export const ORIGIN_DAYS = 84
/** Number of earlier forecasts, a week apart, that compare rule and floor. */
export const BACKTEST_COUNT = 6
/** A forecast starts on the third day of a period and requires MIN_HISTORY_DAYS known days. */
export const FIRST_DAY = 3
export const MIN_HISTORY_DAYS = 28
/** Minimum number of known days for factors. */
const MIN_FACTOR_DAYS = 14
/** Minimum number of earlier forecasts for an error range. */
const MIN_ORIGINS = 8
const HELD = 0.8
/** Factor that widens the range beyond observed errors, because these come from few months. */
const WIDENED = 1.15
/** Quantile of the highest remaining demand. */
const PEAK_QUANTILE = 0.9

/**
 * Computes the ratio of each day class to the overall mean from the known days, shrunk toward 1 by the share of the between-class
 * variance that noise explains.
 *
 * returns  1 for classes without a day
 */
export function factorsOf(days: readonly PastDay[], classOf: ClassOf): (day: number) => number {
  const known = days.filter((day): day is PastDay & { kWh: number } => day.kWh !== null)
  const mean = meanOf(known.map(({ kWh }) => kWh))
  const classes = new Map<number, number[]>()
  for (const { day, kWh } of known) {
    const kind = classOf(day)
    classes.set(kind, [...(classes.get(kind) ?? []), kWh])
  }
  if (known.length < MIN_FACTOR_DAYS || classes.size < 2 || !(mean > 0)) return () => 1
  const means = new Map([...classes].map(([kind, values]) => [kind, meanOf(values)]))
  const between = varianceOf([...means.values()])
  const noise = meanOf([...classes.values()].map((values) => varianceOf(values) / values.length))
  const shrinkage = between > 0 ? Math.max(0, 1 - noise / between) : 0
  return (day) => 1 + shrinkage * ((means.get(classOf(day)) ?? mean) / mean - 1)
}

/** Forecast without a range. */
export interface PointForecast {
  /** Energy of the known days so far, kWh. */
  soFar: number
  /** Energy of the whole period, kWh. */
  total: number
  /** Expected energy of a future or unknown day, kWh. */
  ofDay(day: number): number
}

/** Predicts the period from its known days; null before the first known day. */
function predict(
  method: ForecastMethod,
  daysBefore: (from: number, end: number) => readonly PastDay[],
  { from, today, end }: Horizon,
  classOf: ClassOf,
): PointForecast | null {
  const passed = daysBefore(from, today)
  const known = passed.filter((day): day is PastDay & { kWh: number } => day.kWh !== null)
  if (known.length === 0) return null
  const factor = method === 'rule' ? factorsOf(daysBefore(today - FACTOR_DAYS, today), classOf) : () => 1
  const soFar = known.reduce((sum, { kWh }) => sum + kWh, 0)
  const weight = known.reduce((sum, { day }) => sum + factor(day), 0)
  const level = weight > 0 ? soFar / weight : 0
  const ofDay = (day: number) => level * factor(day)
  const isKnown = new Set(known.map(({ day }) => day))
  let total = soFar
  for (let day = from; day < end; day++) if (!isKnown.has(day)) total += ofDay(day)
  return { soFar, total, ofDay }
}

/**
 * Backtests the method on earlier days with the same number of past and future days, if all of them are known by now.
 *
 * returns  (predicted − actual) ÷ predicted, by forecast day
 */
function tryBefore(
  method: ForecastMethod,
  daysBefore: (from: number, end: number) => readonly PastDay[],
  { from, today, end }: Horizon,
  classOf: ClassOf,
): Map<number, number> {
  const [elapsedDays, remainingDays] = [today - from, end - today]
  const errors = new Map<number, number>()
  for (let origin = today - remainingDays - ORIGIN_DAYS + 1; origin <= today - remainingDays; origin++) {
    const window = daysBefore(origin - elapsedDays, origin + remainingDays)
    if (window.length < elapsedDays + remainingDays || window.some(({ kWh }) => kWh === null)) continue
    if (daysBefore(origin - FACTOR_DAYS, origin).length < MIN_HISTORY_DAYS) continue
    const past = { from: origin - elapsedDays, today: origin, end: origin + remainingDays }
    const predicted = predict(method, daysBefore, past, classOf)
    if (!predicted || !(predicted.total > 0)) continue
    const measuredKwh = window.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0)
    errors.set(origin, (predicted.total - measuredKwh) / predicted.total)
  }
  return errors
}

/** Energy of a period in kWh; 8 of 10 periods fall between low and high, which are null with too few earlier forecasts. */
export interface Forecast extends PointForecast {
  method: ForecastMethod
  low: number | null
  high: number | null
  /** Energy of the period by each method, kWh. */
  totals: Record<ForecastMethod, number>
  /** Mean relative error of earlier forecasts; null if there are too few. */
  errors: { rule: number | null; floor: number | null }
  /** Number of earlier forecasts behind the range. */
  origins: number
}

/**
 * Forecasts the energy of a running period: the measured days plus, for each remaining day, the period's level × the factor of its class.
 * The range comes from the errors of earlier forecasts with the same number of days ahead. The forecast falls back to the mean of the
 * days so far if the rule was no better at the last six origins, a week apart, or cannot be compared yet.
 *
 * days     every past day in order, from the first known day up to `today`
 * returns  null before the third day of the period, and before 28 days are known
 * source   tested on 13 real homes and synthetic offices and factories (bench/forecast.ts)
 */
export function forecastOf(days: readonly PastDay[], horizon: Horizon, classOf: ClassOf): Forecast | null {
  const { from, today, end } = horizon
  if (today - from < FIRST_DAY - 1 || knownDays(days) < MIN_HISTORY_DAYS) return null
  const between = rangeOf(days)
  const tried = {
    rule: tryBefore('rule', between, horizon, classOf),
    floor: tryBefore('floor', between, horizon, classOf),
  }
  const errors = { rule: scoreOf(tried.rule, today, end), floor: scoreOf(tried.floor, today, end) }
  const method =
    errors.rule !== null && errors.floor !== null && errors.rule < errors.floor ? 'rule' : 'floor'
  const both = {
    rule: predict('rule', between, horizon, classOf),
    floor: predict('floor', between, horizon, classOf),
  }
  const predicted = both[method]
  if (!both.rule || !both.floor || !predicted) return null
  const ownErrors = [...tried[method].values()].map(Math.abs)
  const half = ownErrors.length < MIN_ORIGINS ? null : (quantile(ownErrors, HELD) as number) * WIDENED
  return {
    ...predicted,
    method,
    low: half === null ? null : Math.max(predicted.soFar, predicted.total * (1 - half)),
    high: half === null ? null : predicted.total * (1 + half),
    totals: { rule: both.rule.total, floor: both.floor.total },
    errors,
    origins: ownErrors.length,
  }
}

export const knownDays = (days: readonly PastDay[]): number =>
  days.reduce((sum, { kWh }) => sum + (kWh === null ? 0 : 1), 0)

/** Mean error at the last six origins, a week apart; null unless all six exist. */
function scoreOf(errors: ReadonlyMap<number, number>, today: number, end: number): number | null {
  const last = today - (end - today)
  const found = Array.from({ length: BACKTEST_COUNT }, (_, i) => errors.get(last - 7 * i))
  return found.every((error) => error !== undefined) ? meanOf(found.map((error) => Math.abs(error))) : null
}

function rangeOf(days: readonly PastDay[]): (from: number, end: number) => readonly PastDay[] {
  const first = days[0]?.day ?? 0
  return (from, end) => days.slice(Math.max(0, from - first), Math.max(0, end - first))
}

/** Highest demand of a period so far, and its expected upper bound. */
export interface PeakForecast {
  /** kW; null if unknown. */
  soFar: number | null
  /** Upper bound that 8 of 10 periods stay below, kW; null with too few earlier forecasts. */
  upTo: number | null
}

/**
 * Forecasts the peak demand of a period: the 0.9 quantile of the maximum over the remaining days, from the peaks of past days of their
 * classes, widened by the misses of earlier forecasts. For display only; no bill uses it.
 */
export function peakForecastOf(days: readonly PastDay[], horizon: Horizon, classOf: ClassOf): PeakForecast {
  const { from, today, end } = horizon
  const between = rangeOf(days)
  const highest = (first: number, last: number): number | null => {
    const peaks = between(first, last).flatMap(({ peakKw }) => peakKw ?? [])
    return peaks.length ? Math.max(...peaks) : null
  }
  const soFar = highest(from, today)
  const expected = highestToCome(between(today - FACTOR_DAYS, today), today, end, classOf)
  const remainingDays = end - today
  const misses: number[] = []
  for (let origin = today - remainingDays - ORIGIN_DAYS + 1; origin <= today - remainingDays; origin++) {
    const previousPeak = between(origin - FACTOR_DAYS, origin)
    if (previousPeak.length < MIN_HISTORY_DAYS) continue
    const predictedPeak = highestToCome(previousPeak, origin, origin + remainingDays, classOf)
    const actualPeak = highest(origin, origin + remainingDays)
    if (predictedPeak !== null && predictedPeak > 0 && actualPeak !== null)
      misses.push(actualPeak / predictedPeak)
  }
  if (expected === null || misses.length < MIN_ORIGINS) return { soFar, upTo: null }
  const widened = expected * Math.max(1, quantile(misses, HELD) as number)
  return { soFar, upTo: Math.max(soFar ?? 0, widened) }
}

/** Lowest demand at which the product of the daily distributions reaches PEAK_QUANTILE. */
function highestToCome(
  days: readonly PastDay[],
  today: number,
  end: number,
  classOf: ClassOf,
): number | null {
  const all: number[] = []
  const kinds = new Map<number, number[]>()
  for (const { day, peakKw } of days) {
    if (peakKw === null) continue
    all.push(peakKw)
    kinds.set(classOf(day), [...(kinds.get(classOf(day)) ?? []), peakKw])
  }
  if (all.length < MIN_FACTOR_DAYS) return null
  const counts = new Map<number, number>()
  for (let day = today; day < end; day++) counts.set(classOf(day), (counts.get(classOf(day)) ?? 0) + 1)
  const below = (peaks: readonly number[], kw: number) =>
    peaks.filter((peak) => peak <= kw).length / peaks.length
  const candidates = all.toSorted((a, b) => a - b)
  const found = candidates.find((kw) => {
    let chance = 1
    for (const [kind, count] of counts) chance *= below(kinds.get(kind) ?? all, kw) ** count
    return chance >= PEAK_QUANTILE
  })
  return found ?? (candidates.at(-1) as number)
}

/** Intervals of a past day that shape future days. */
export interface DayShape {
  day: number
  kWh: ArrayLike<number>
}

/** Number of intervals on a day without a clock change. */
const PLAIN_DAY = 96

/**
 * Distribution of a day's energy over its intervals by day class, from past days; a class without days gets the overall distribution.
 *
 * returns  shares that add up to 1; equal shares if no energy was used
 */
export function shapesOf(days: readonly DayShape[], classOf: ClassOf): (day: number) => Float64Array {
  const sums = new Map<number, Float64Array>()
  const all = new Float64Array(PLAIN_DAY)
  for (const { day, kWh } of days) {
    // Days on which the clocks change have a different number of intervals.
    if (kWh.length !== PLAIN_DAY) continue
    const kind = classOf(day)
    const sum = sums.get(kind) ?? new Float64Array(PLAIN_DAY)
    sums.set(kind, sum)
    for (let i = 0; i < PLAIN_DAY; i++) {
      const used = Math.max(0, kWh[i] as number)
      ;(sum[i] as number) += used
      ;(all[i] as number) += used
    }
  }
  const shares = (sum: Float64Array): Float64Array => {
    const total = sum.reduce((whole, value) => whole + value, 0)
    return sum.map((value) => (total > 0 ? value / total : 1 / PLAIN_DAY))
  }
  const known = new Map([...sums].map(([kind, sum]) => [kind, shares(sum)]))
  const mean = shares(all)
  return (day) => known.get(classOf(day)) ?? mean
}

/**
 * Distributes the energy of a future day over its intervals.
 *
 * share    shares of the intervals of a day without a clock change, adding up to 1
 * minutes  local time in minutes at the beginning of each interval; undefined on a day without a clock change
 */
export function quartersOfShape(kWh: number, share: Float64Array, minutes?: readonly number[]): Float64Array {
  if (!minutes) return share.map((value) => value * kWh)
  const parts = Float64Array.from(minutes, (minute) => share[Math.floor(minute / 15) % PLAIN_DAY] as number)
  const total = parts.reduce((sum, value) => sum + value, 0)
  return parts.map((value) => (total > 0 ? (value / total) * kWh : kWh / parts.length))
}

const meanOf = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0

function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}
