import type { EnergyPoint } from './meter-data-calls.ts'
import { knownIntervals } from './coverage.ts'
import type { DayType } from '../time/periods.ts'

const FIGURES = ['kWh', 'Cost', 'CarbonKg'] as const
/** Whether at least half of the due intervals are known. */
const isKnown = ({ kWh, Coverage }: EnergyPoint): boolean =>
  kWh !== null && knownIntervals(Coverage) >= Coverage.Missing

/**
 * Projects the base period onto the calendar of another: each day gets the mean of the base days of its type (weekday, Saturday, off-peak
 * day), so that a month with more workdays does not appear to use more.
 *
 * days     days of the period; their values are ignored
 * base     days to compare with
 * typeOf   type of the day that begins at a timestamp, epoch ms
 * returns  one point per entry of `days`; null values and zero coverage if `base` has no known day of that type
 */
export function calendarAdjusted(
  days: readonly EnergyPoint[],
  base: readonly EnergyPoint[],
  typeOf: (timestamp: number) => DayType,
): EnergyPoint[] {
  const meanOfType = new Map<DayType, EnergyPoint | undefined>()
  const meanOf = (type: DayType): EnergyPoint | undefined => {
    if (!meanOfType.has(type))
      meanOfType.set(type, mean(base.filter((point) => isKnown(point) && typeOf(point.Timestamp) === type)))
    return meanOfType.get(type)
  }
  return days.map((day) => ({
    ...(meanOf(typeOf(day.Timestamp)) ?? nothingOf(day)),
    Timestamp: day.Timestamp,
  }))
}

/** Copy of a point without values. */
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

/** Mean of several points; a value that is null in one of them is null. */
function mean(points: readonly EnergyPoint[]): EnergyPoint | undefined {
  const [first] = points
  if (!first) return undefined
  const meanOf = (of: (point: EnergyPoint) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const figureOf = (name: (typeof FIGURES)[number]) =>
    points.some((point) => point[name] === null) ? null : meanOf((one) => one[name] ?? 0)
  return {
    ...first,
    kWh: figureOf('kWh'),
    Cost: figureOf('Cost'),
    CarbonKg: figureOf('CarbonKg'),
    Coverage: coverageOf(first, (name) => Math.round(meanOf(({ Coverage }) => Coverage[name]))),
    Resets: 0,
  }
}
