import { quantile } from './load-shape.ts'

/** A whole day of the past. */
export interface PastDay {
  /** As `dayOf` numbers days. */
  day: number
  /** Null where too little of it is known. */
  kWh: number | null
  /** The highest mean of 15 minutes; null likewise. */
  peakKw: number | null
}

/** What is forecast: the days of a period, the last exclusive, and the first of them that is not over. */
export interface Horizon {
  from: number
  today: number
  end: number
}

/** The kind of a day, of which days are alike: 0 to 6 the day of the week, an off-peak day as a Sunday. */
export type ClassOf = (day: number) => number

/** `rule`: by kinds of days. `floor`: the mean of the days so far, for each day to come. */
export const FORECAST_METHODS = ['rule', 'floor'] as const
export type ForecastMethod = (typeof FORECAST_METHODS)[number]

/** Days of which factors are made. */
export const FACTOR_DAYS = 56
/** Days back from the last horizon that is over, in which earlier forecasts are tried. */
export const ORIGIN_DAYS = 84
/** Earlier forecasts by which rule and floor are compared, a week apart. */
export const BACKTEST_COUNT = 6
/** A period's forecast begins on its third day, and after so many known days. */
export const FIRST_DAY = 3
export const MIN_HISTORY_DAYS = 28
/** With fewer known days there are no factors. */
const LEAST_FACTOR_DAYS = 14
/** Fewer earlier forecasts say nothing of how wrong one may be. */
const LEAST_ORIGINS = 8
const HELD = 0.8
/** By so much the range is wider than own errors were: they are of few months. */
const WIDENED = 1.15
/** Of the highest demand to come, which is exceeded in a tenth of the periods. */
const PEAK_QUANTILE = 0.9

/**
 * How much more or less a day of each kind uses than the mean of all, by the known days: shrunk to 1 by how much of the
 * difference between kinds is that of single days.
 *
 * returns  1 for kinds of which there is no day
 */
export function factorsOf(days: readonly PastDay[], classOf: ClassOf): (day: number) => number {
  const known = days.filter((one): one is PastDay & { kWh: number } => one.kWh !== null)
  const mean = meanOf(known.map(({ kWh }) => kWh))
  const classes = new Map<number, number[]>()
  for (const { day, kWh } of known) {
    const kind = classOf(day)
    classes.set(kind, [...(classes.get(kind) ?? []), kWh])
  }
  if (known.length < LEAST_FACTOR_DAYS || classes.size < 2 || !(mean > 0)) return () => 1
  const means = new Map([...classes].map(([kind, values]) => [kind, meanOf(values)]))
  const between = varianceOf([...means.values()])
  const noise = meanOf([...classes.values()].map((values) => varianceOf(values) / values.length))
  const kept = between > 0 ? Math.max(0, 1 - noise / between) : 0
  return (day) => 1 + kept * ((means.get(classOf(day)) ?? mean) / mean - 1)
}

/** A forecast without its range. */
export interface PointForecast {
  /** kWh of the known days so far. */
  soFar: number
  /** kWh of the whole period. */
  total: number
  /** kWh of a day to come, or of one that is not known. */
  ofDay(day: number): number
}

/** What the known days say of the period; null before its first known day. */
function predict(
  method: ForecastMethod,
  daysBefore: (from: number, end: number) => readonly PastDay[],
  { from, today, end }: Horizon,
  classOf: ClassOf,
): PointForecast | null {
  const passed = daysBefore(from, today)
  const known = passed.filter((one): one is PastDay & { kWh: number } => one.kWh !== null)
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
 * What the method would have said on earlier days, each with as many days behind and ahead, where all of them are known by now.
 *
 * returns  predicted less counted, as a part of what was predicted, by the day of the forecast
 */
function tryBefore(
  method: ForecastMethod,
  daysBefore: (from: number, end: number) => readonly PastDay[],
  { from, today, end }: Horizon,
  classOf: ClassOf,
): Map<number, number> {
  const [behind, ahead] = [today - from, end - today]
  const errors = new Map<number, number>()
  for (let origin = today - ahead - ORIGIN_DAYS + 1; origin <= today - ahead; origin++) {
    const window = daysBefore(origin - behind, origin + ahead)
    if (window.length < behind + ahead || window.some(({ kWh }) => kWh === null)) continue
    if (daysBefore(origin - FACTOR_DAYS, origin).length < MIN_HISTORY_DAYS) continue
    const past = { from: origin - behind, today: origin, end: origin + ahead }
    const predicted = predict(method, daysBefore, past, classOf)
    if (!predicted || !(predicted.total > 0)) continue
    const counted = window.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0)
    errors.set(origin, (predicted.total - counted) / predicted.total)
  }
  return errors
}

/** kWh of a period, in 8 of 10 periods between low and high; these are null as long as there are too few earlier forecasts. */
export interface Forecast extends PointForecast {
  method: ForecastMethod
  low: number | null
  high: number | null
  /** kWh of the period by either method. */
  totals: Record<ForecastMethod, number>
  /** Mean error of earlier forecasts, as a part; null where there are none to compare by. */
  errors: { rule: number | null; floor: number | null }
  /** How many earlier forecasts the range is made of. */
  origins: number
}

/**
 * The energy of a period that has begun: what is counted, and for each day to come the level of the period × the factor of its
 * kind. The range is that of its own errors on earlier days, with as many days ahead. Where the rule was no better than the mean
 * of the days so far at the last six origins, a week apart, or cannot be compared yet, that mean is the forecast.
 *
 * days     every day of the past in order, from the first that anything is known of up to `today`
 * returns  null before the third day of the period, and before 28 days are known
 * source   tried on 13 real homes and made-up offices and factories (bench/forecast.ts)
 */
export function forecastOf(days: readonly PastDay[], horizon: Horizon, classOf: ClassOf): Forecast | null {
  const { from, today, end } = horizon
  if (today - from < FIRST_DAY - 1 || knownDays(days) < MIN_HISTORY_DAYS) return null
  const between = rangeOf(days)
  const tried = {
    rule: tryBefore('rule', between, horizon, classOf),
    floor: tryBefore('floor', between, horizon, classOf),
  }
  const errors = { rule: judged(tried.rule, today, end), floor: judged(tried.floor, today, end) }
  const method =
    errors.rule !== null && errors.floor !== null && errors.rule < errors.floor ? 'rule' : 'floor'
  const both = {
    rule: predict('rule', between, horizon, classOf),
    floor: predict('floor', between, horizon, classOf),
  }
  const predicted = both[method]
  if (!both.rule || !both.floor || !predicted) return null
  const own = [...tried[method].values()].map(Math.abs)
  const half = own.length < LEAST_ORIGINS ? null : (quantile(own, HELD) as number) * WIDENED
  return {
    ...predicted,
    method,
    low: half === null ? null : Math.max(predicted.soFar, predicted.total * (1 - half)),
    high: half === null ? null : predicted.total * (1 + half),
    totals: { rule: both.rule.total, floor: both.floor.total },
    errors,
    origins: own.length,
  }
}

/** How many of the days are known. */
export const knownDays = (days: readonly PastDay[]): number =>
  days.reduce((sum, { kWh }) => sum + (kWh === null ? 0 : 1), 0)

/** The mean error at the last origins, a week apart; null unless there are six. */
function judged(errors: ReadonlyMap<number, number>, today: number, end: number): number | null {
  const last = today - (end - today)
  const found = Array.from({ length: BACKTEST_COUNT }, (_, i) => errors.get(last - 7 * i))
  return found.every((error) => error !== undefined) ? meanOf(found.map((error) => Math.abs(error))) : null
}

/** The days from one up to another that there are. */
function rangeOf(days: readonly PastDay[]): (from: number, end: number) => readonly PastDay[] {
  const first = days[0]?.day ?? 0
  return (from, end) => days.slice(Math.max(0, from - first), Math.max(0, end - first))
}

/** The highest demand of a period: so far, and up to what it may rise. */
export interface PeakForecast {
  /** kW; null where nothing is known. */
  soFar: number | null
  /** In 8 of 10 periods it stays below; null as long as there are too few earlier forecasts. */
  upTo: number | null
}

/**
 * The highest demand that a period is likely to reach: of each day to come the peaks of days of its kind, the nine tenths of their
 * highest, widened by what earlier forecasts missed. No money hangs on it.
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
  const ahead = end - today
  const misses: number[] = []
  for (let origin = today - ahead - ORIGIN_DAYS + 1; origin <= today - ahead; origin++) {
    const before = between(origin - FACTOR_DAYS, origin)
    if (before.length < MIN_HISTORY_DAYS) continue
    const said = highestToCome(before, origin, origin + ahead, classOf)
    const reached = highest(origin, origin + ahead)
    if (said !== null && said > 0 && reached !== null) misses.push(reached / said)
  }
  if (expected === null || misses.length < LEAST_ORIGINS) return { soFar, upTo: null }
  const widened = expected * Math.max(1, quantile(misses, HELD) as number)
  return { soFar, upTo: Math.max(soFar ?? 0, widened) }
}

/** The least demand that the product of the days' distributions has nine tenths below. */
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
  if (all.length < LEAST_FACTOR_DAYS) return null
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

/** The intervals of a day that is over, for the shape of those to come. */
export interface DayShape {
  day: number
  kWh: ArrayLike<number>
}

/** Intervals of a plain day. */
const PLAIN_DAY = 96

/**
 * How the energy of a day of each kind is shared among the intervals of a plain day, by the days before; days of which there is
 * no kind have the shape of all.
 *
 * returns  parts that add up to 1; of equal parts where nothing was used
 */
export function shapesOf(days: readonly DayShape[], classOf: ClassOf): (day: number) => Float64Array {
  const sums = new Map<number, Float64Array>()
  const all = new Float64Array(PLAIN_DAY)
  for (const { day, kWh } of days) {
    // Days on which the clocks change have other intervals.
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
    const total = sum.reduce((whole, one) => whole + one, 0)
    return sum.map((one) => (total > 0 ? one / total : 1 / PLAIN_DAY))
  }
  const known = new Map([...sums].map(([kind, sum]) => [kind, shares(sum)]))
  const mean = shares(all)
  return (day) => known.get(classOf(day)) ?? mean
}

/**
 * A day to come in its intervals.
 *
 * share    of the intervals of a plain day, adding up to 1
 * minutes  that the wall shows at the beginning of each interval; undefined on a plain day
 */
export function quartersOfShape(kWh: number, share: Float64Array, minutes?: readonly number[]): Float64Array {
  if (!minutes) return share.map((one) => one * kWh)
  const parts = Float64Array.from(minutes, (minute) => share[Math.floor(minute / 15) % PLAIN_DAY] as number)
  const total = parts.reduce((sum, one) => sum + one, 0)
  return parts.map((one) => (total > 0 ? (one / total) * kWh : kWh / parts.length))
}

const meanOf = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, one) => sum + one, 0) / values.length : 0

function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0
  const mean = meanOf(values)
  return values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1)
}
