import { type WeatherEffect, weatherEffectOf } from './weather-effect.ts'

/** A day of a load by the hour. */
export interface HourlyDay {
  /** As `dayOf` numbers days. */
  day: number
  /** 0 Sunday to 6. */
  weekday: number
  /** Its kind (`DAY_TYPES`): days of one kind are similar. */
  kind: number
  /** kWh of its hours in local time; NaN if an hour is unknown. */
  kWh: ArrayLike<number>
  /** Mean outdoor temperature, °C; null if unknown. */
  celsius: number | null
}

export const HOURS = 24
/** Minimum known share of a known day (CalTRACK's limit). */
const DAY_KNOWN = 0.9
/** Weight of the kind's mean, in days of the weekday. */
const PRIOR_DAYS = 4
/** Minimum share of known days in the window of a baseline. */
export const MIN_KNOWN_SHARE = 0.9

/** Expected load, derived from past days. */
export interface Baseline {
  /** Expected kWh of an hour, by weekday, kind, hour and temperature; an unknown kind has the mean of all. */
  expected(day: Pick<HourlyDay, 'weekday' | 'kind' | 'celsius'>, hour: number): number
  /** Temperature at which cooling begins, °C; null if temperatures are unknown or the load does not follow them. */
  balancePoint: number | null
  /** Computes the fit of the baseline to its own days. */
  fit(): BaselineModel
}

/** Fit of a baseline to the days it was derived from (ASHRAE Guideline 14). */
export interface BaselineModel {
  /** Root mean square of its hourly errors, as part of the mean. */
  CvRmse: number
  /** Sum of its errors, as part of all energy. */
  Bias: number
  R2: number
  /** Number of hours. */
  N: number
}

/** Whether enough of a day is known. */
export const isKnownDay = ({ kWh }: Pick<HourlyDay, 'kWh'>): boolean => {
  let known = 0
  for (let hour = 0; hour < HOURS; hour++) if (!Number.isNaN(kWh[hour])) known += 1
  return known >= HOURS * DAY_KNOWN
}

/**
 * The baseline of some days: mean of each hour of each weekday, shrunk to the days of its kind, and a slope by the
 * hour above the temperature at which cooling begins.
 *
 * returns  undefined if no day is known
 */
export function baselineOf(days: readonly HourlyDay[]): Baseline | undefined {
  const known = days.filter(isKnownDay)
  if (known.length === 0) return undefined
  const effect = effectOf(known)
  const heatOf = (celsius: number | null): number =>
    effect && celsius !== null ? Math.max(0, celsius - effect.balance) : 0
  const slopes = effect ? slopesOf(known, heatOf) : new Float64Array(HOURS)
  const meanHeat = known.reduce((sum, { celsius }) => sum + heatOf(celsius), 0) / known.length
  /** Cooling degrees of a day; the mean if its temperature is unknown. */
  const warmth = (celsius: number | null) => (celsius === null ? meanHeat : heatOf(celsius))
  const [all, byKind, byCell] = [createMean(), new Map<number, Mean>(), new Map<number, Mean>()]
  for (const day of known) {
    const ofKind = meanAt(byKind, day.kind)
    const ofCell = meanAt(byCell, cellOf(day))
    for (let hour = 0; hour < HOURS; hour++) {
      const kWh = day.kWh[hour] as number
      if (Number.isNaN(kWh)) continue
      const cool = kWh - (slopes[hour] as number) * warmth(day.celsius)
      for (const mean of [all, ofKind, ofCell]) mean.add(hour, cool)
    }
  }
  const shapes = new Map<number, Float64Array>()
  const shapeOf = (cell: number, kind: number): Float64Array => {
    const shape = shapes.get(cell) ?? shrunkTo(byKind.get(kind) ?? all, byCell.get(cell), all)
    shapes.set(cell, shape)
    return shape
  }
  const expected: Baseline['expected'] = (day, hour) =>
    (shapeOf(cellOf(day), day.kind)[hour] as number) + (slopes[hour] as number) * warmth(day.celsius)
  return { expected, balancePoint: effect?.balance ?? null, fit: () => fitOf(known, expected) }
}

/** Hourly means of a weekday, shrunk to those of its kind; the fewer days, the more. */
const shrunkTo = (kind: Mean, cell: Mean | undefined, all: Mean): Float64Array =>
  Float64Array.from({ length: HOURS }, (_, hour) => {
    const usual = kind.of(hour) ?? all.of(hour) ?? 0
    const count = cell?.count(hour) ?? 0
    return ((cell?.of(hour) ?? usual) * count + usual * PRIOR_DAYS) / (count + PRIOR_DAYS)
  })

const KINDS = 8
const cellOf = ({ weekday, kind }: Pick<HourlyDay, 'weekday' | 'kind'>): number => weekday * KINDS + kind

type Mean = ReturnType<typeof createMean>
function createMean() {
  const [sums, counts] = [new Float64Array(HOURS), new Int32Array(HOURS)]
  return {
    add(hour: number, kWh: number) {
      ;(sums[hour] as number) += kWh
      ;(counts[hour] as number) += 1
    },
    count: (hour: number) => counts[hour] as number,
    of: (hour: number) => (counts[hour] ? (sums[hour] as number) / (counts[hour] as number) : undefined),
  }
}

function meanAt(means: Map<number, Mean>, key: number): Mean {
  const mean = means.get(key) ?? createMean()
  means.set(key, mean)
  return mean
}

/** Effect of the temperature on the days; undefined if too few have one. */
function effectOf(days: readonly HourlyDay[]): WeatherEffect | undefined {
  const warm = days.filter(({ celsius }) => celsius !== null)
  if (warm.length < MIN_KNOWN_SHARE * days.length) return undefined
  return weatherEffectOf(
    warm.map((day) => ({ kWh: kwhOf(day), celsius: day.celsius as number, kind: day.kind })),
  )
}

const kwhOf = ({ kWh }: Pick<HourlyDay, 'kWh'>): number => {
  let [sum, known] = [0, 0]
  for (let hour = 0; hour < HOURS; hour++)
    if (!Number.isNaN(kWh[hour])) {
      sum += kWh[hour] as number
      known += 1
    }
  return known ? (sum * HOURS) / known : 0
}

/** kWh per degree in each hour of the day: least squares within days of one kind, never below 0. */
function slopesOf(days: readonly HourlyDay[], heatOf: (celsius: number | null) => number): Float64Array {
  const slopes = new Float64Array(HOURS)
  for (let hour = 0; hour < HOURS; hour++) {
    const rows = days.filter(({ kWh, celsius }) => celsius !== null && !Number.isNaN(kWh[hour]))
    const means = new Map<number, { heat: number; kWh: number; count: number }>()
    for (const { kind, celsius, kWh } of rows) {
      const of = means.get(kind) ?? { heat: 0, kWh: 0, count: 0 }
      means.set(kind, {
        heat: of.heat + heatOf(celsius),
        kWh: of.kWh + (kWh[hour] as number),
        count: of.count + 1,
      })
    }
    let [xy, xx] = [0, 0]
    for (const { kind, celsius, kWh } of rows) {
      const of = means.get(kind) as { heat: number; kWh: number; count: number }
      const x = heatOf(celsius) - of.heat / of.count
      xy += x * ((kWh[hour] as number) - of.kWh / of.count)
      xx += x * x
    }
    slopes[hour] = xx > 1e-9 ? Math.max(0, xy / xx) : 0
  }
  return slopes
}

function fitOf(days: readonly HourlyDay[], expected: Baseline['expected']): BaselineModel {
  let [count, sum, error, squares, spread] = [0, 0, 0, 0, 0]
  const each = (visit: (kWh: number, day: HourlyDay, hour: number) => void) => {
    for (const day of days)
      for (let hour = 0; hour < HOURS; hour++) {
        const kWh = day.kWh[hour] as number
        if (!Number.isNaN(kWh)) visit(kWh, day, hour)
      }
  }
  each((kWh, day, hour) => {
    const by = kWh - expected(day, hour)
    count += 1
    sum += kWh
    error += by
    squares += by * by
  })
  const mean = count ? sum / count : 0
  each((kWh) => (spread += (kWh - mean) ** 2))
  return {
    CvRmse: mean > 0 ? Math.sqrt(squares / count) / mean : 0,
    Bias: sum > 0 ? error / sum : 0,
    R2: spread > 0 ? 1 - squares / spread : 0,
    N: count,
  }
}
