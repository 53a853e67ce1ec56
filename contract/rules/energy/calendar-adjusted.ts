import type { EnergyPoint } from '../../procedures/meter-data.ts'
import type { DayType } from '../tariff/tariff.ts'

const FIGURES = ['kWh', 'Cost', 'CarbonKg'] as const
/** A day of which less is known says nothing of its kind. */
const LEAST_KNOWN = 0.5

const isKnown = ({ kWh, Coverage: { Missing, ...known } }: EnergyPoint): boolean => {
  const intervals = Object.values(known).reduce((sum, count) => sum + count, 0)
  return kWh !== null && intervals >= LEAST_KNOWN * (intervals + Missing)
}

/**
 * What other days would have come to on these days of the calendar: each day gets the mean of the other days of its kind
 * (weekday, Saturday, off-peak day), so that a month with more workdays is not compared as if it used more.
 *
 * days     of the period, whatever they hold
 * base     the days that it is compared with
 * typeOf   the kind of the day that begins at a moment, epoch ms
 * returns  a point for each of `days`; null figures and no coverage where the base has no day of that kind that is known
 */
export function calendarAdjusted(
  days: readonly Pick<EnergyPoint, 'Timestamp'>[],
  base: readonly EnergyPoint[],
  typeOf: (timestamp: number) => DayType,
): EnergyPoint[] {
  const means = new Map<DayType, EnergyPoint | undefined>()
  const meanOf = (type: DayType): EnergyPoint | undefined => {
    if (!means.has(type))
      means.set(type, mean(base.filter((one) => isKnown(one) && typeOf(one.Timestamp) === type)))
    return means.get(type)
  }
  return days.map(({ Timestamp }) => ({ ...(meanOf(typeOf(Timestamp)) ?? NOTHING), Timestamp }))
}

const NOTHING: Omit<EnergyPoint, 'Timestamp'> = {
  kWh: null,
  Cost: null,
  CarbonKg: null,
  Coverage: { Measured: 0, Estimated: 0, Corrected: 0, Missing: 0 },
  Resets: 0,
}

/** The mean of some points; a figure that one of them does not have is unknown. */
function mean(points: readonly EnergyPoint[]): EnergyPoint | undefined {
  const [first] = points
  if (!first) return undefined
  const meanOf = (of: (point: EnergyPoint) => number) =>
    points.reduce((sum, one) => sum + of(one), 0) / points.length
  const figureOf = (name: (typeof FIGURES)[number]) =>
    points.some((one) => one[name] === null) ? null : meanOf((one) => one[name] ?? 0)
  const counts = Object.keys(first.Coverage) as (keyof EnergyPoint['Coverage'])[]
  return {
    ...first,
    kWh: figureOf('kWh'),
    Cost: figureOf('Cost'),
    CarbonKg: figureOf('CarbonKg'),
    Coverage: Object.fromEntries(
      counts.map((name) => [name, Math.round(meanOf(({ Coverage }) => Coverage[name]))]),
    ) as EnergyPoint['Coverage'],
    Resets: 0,
  }
}
