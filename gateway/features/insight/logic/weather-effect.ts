/** A day's energy and mean outdoor temperature. */
export interface WarmDay {
  kWh: number
  celsius: number
  /** Kind of the day: only days of one kind are similar apart from the weather. */
  kind: number
}

/** Temperatures at which cooling may begin, °C. */
const BALANCE_POINTS = [18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28] as const
/** Minimum number of days. */
const MIN_DAYS = 20
/** Minimum explained share of the variance within kinds of days. */
const MIN_EXPLAINED = 0.3

/** Energy of a day per degree above a temperature. */
export interface WeatherEffect {
  /** °C. */
  balance: number
  /** kWh per day and degree. */
  slope: number
  /** Explained part of the variance within kinds of days. */
  explained: number
}

/**
 * Dependence of a home's energy on the temperature: least squares, within kinds of days, over the degrees above the
 * balance point that explains most.
 *
 * returns  undefined for too few days, and if the energy does not rise with the temperature
 */
export function weatherEffectOf(days: readonly WarmDay[]): WeatherEffect | undefined {
  if (days.length < MIN_DAYS) return undefined
  const y = centred(days, ({ kWh }) => kWh)
  const spread = sumOf(y.map((one) => one * one))
  let best: WeatherEffect | undefined
  for (const balance of BALANCE_POINTS) {
    const x = centred(days, ({ celsius }) => Math.max(0, celsius - balance))
    const of = sumOf(x.map((one) => one * one))
    if (!(of > 1e-9) || !(spread > 1e-9)) continue
    const slope = sumOf(x.map((one, i) => one * (y[i] as number))) / of
    const explained = (slope * slope * of) / spread
    if (slope > 0 && explained >= MIN_EXPLAINED && explained > (best?.explained ?? 0))
      best = { balance, slope, explained }
  }
  return best
}

/** kWh that the change of temperatures adds or removes, over as many days as now. */
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
