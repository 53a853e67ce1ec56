/** A day's energy and the mean temperature outdoors. */
export interface WarmDay {
  kWh: number
  celsius: number
  /** The kind of the day: only days of one kind are alike but for the weather. */
  kind: number
}

/** Temperatures from which on cooling may begin, °C. */
const BALANCE_POINTS = [18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28] as const
/** Fewer days say nothing. */
const LEAST_DAYS = 20
/** The weather explains at least this part of what days of one kind differ by, or nothing is said of it. */
const LEAST_EXPLAINED = 0.3

/** How much energy a day takes for each degree above a temperature. */
export interface WeatherEffect {
  /** °C. */
  balance: number
  /** kWh a day and degree. */
  slope: number
  /** Part of the variance within kinds of days that it explains. */
  explained: number
}

/**
 * How much a home's energy follows the heat: least squares over the degrees above the balance point that explains most, within kinds
 * of days.
 *
 * returns  undefined for too few days, and where the energy does not rise with the temperature
 */
export function weatherEffectOf(days: readonly WarmDay[]): WeatherEffect | undefined {
  if (days.length < LEAST_DAYS) return undefined
  const y = centred(days, ({ kWh }) => kWh)
  const spread = sumOf(y.map((one) => one * one))
  let best: WeatherEffect | undefined
  for (const balance of BALANCE_POINTS) {
    const x = centred(days, ({ celsius }) => Math.max(0, celsius - balance))
    const of = sumOf(x.map((one) => one * one))
    if (!(of > 1e-9) || !(spread > 1e-9)) continue
    const slope = sumOf(x.map((one, i) => one * (y[i] as number))) / of
    const explained = (slope * slope * of) / spread
    if (slope > 0 && explained >= LEAST_EXPLAINED && explained > (best?.explained ?? 0))
      best = { balance, slope, explained }
  }
  return best
}

/** kWh that other temperatures make more or less than those that there were, over as many days as now. */
export function weatherChange(
  { balance, slope }: WeatherEffect,
  base: readonly number[],
  now: readonly number[],
  days: number,
): number {
  const mean = (degrees: readonly number[]) =>
    degrees.length ? sumOf(degrees.map((celsius) => Math.max(0, celsius - balance))) / degrees.length : 0
  return slope * (mean(now) - mean(base)) * days
}

/** Values less the mean of their kind. */
function centred(days: readonly WarmDay[], of: (day: WarmDay) => number): number[] {
  const sums = new Map<number, { sum: number; count: number }>()
  for (const day of days) {
    const known = sums.get(day.kind) ?? { sum: 0, count: 0 }
    sums.set(day.kind, { sum: known.sum + of(day), count: known.count + 1 })
  }
  return days.map((day) => {
    const { sum, count } = sums.get(day.kind) as { sum: number; count: number }
    return of(day) - sum / count
  })
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)
