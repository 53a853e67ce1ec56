import type { EnergyPoint } from './meter-data-calls.ts'
import { knownIntervals } from './coverage.ts'
import type { DayType } from '../tariffs/tariff-terms.ts'

const FIGURES = ['kWh', 'Cost', 'CarbonKg'] as const
/** A day of which less than half is known says nothing of its kind. */
const isKnown = ({ kWh, Coverage }: EnergyPoint): boolean =>
  kWh !== null && knownIntervals(Coverage) >= Coverage.Missing

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
  days: readonly EnergyPoint[],
  base: readonly EnergyPoint[],
  typeOf: (timestamp: number) => DayType,
): EnergyPoint[] {
  const means = new Map<DayType, EnergyPoint | undefined>()
  const meanOf = (type: DayType): EnergyPoint | undefined => {
    if (!means.has(type))
      means.set(type, mean(base.filter((one) => isKnown(one) && typeOf(one.Timestamp) === type)))
    return means.get(type)
  }
  return days.map((day) => ({
    ...(meanOf(typeOf(day.Timestamp)) ?? nothingOf(day)),
    Timestamp: day.Timestamp,
  }))
}

/** A point of which nothing is known. */
const nothingOf = (point: EnergyPoint): EnergyPoint => ({
  ...point,
  kWh: null,
  Cost: null,
  CarbonKg: null,
  Coverage: coverageOf(point, () => 0),
  Resets: 0,
})

type Coverage = EnergyPoint['Coverage']
const coverageOf = (of: EnergyPoint, count: (name: keyof Coverage) => number): Coverage =>
  Object.fromEntries(
    (Object.keys(of.Coverage) as (keyof Coverage)[]).map((name) => [name, count(name)]),
  ) as Coverage

/** The mean of some points; a figure that one of them does not have is unknown. */
function mean(points: readonly EnergyPoint[]): EnergyPoint | undefined {
  const [first] = points
  if (!first) return undefined
  const meanOf = (of: (point: EnergyPoint) => number) =>
    points.reduce((sum, one) => sum + of(one), 0) / points.length
  const figureOf = (name: (typeof FIGURES)[number]) =>
    points.some((one) => one[name] === null) ? null : meanOf((one) => one[name] ?? 0)
  return {
    ...first,
    kWh: figureOf('kWh'),
    Cost: figureOf('Cost'),
    CarbonKg: figureOf('CarbonKg'),
    Coverage: coverageOf(first, (name) => Math.round(meanOf(({ Coverage }) => Coverage[name]))),
    Resets: 0,
  }
}
