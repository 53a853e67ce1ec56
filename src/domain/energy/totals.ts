import type { Coverage, EnergyPoint, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import { areComparable, completeShare, knownIntervals } from '../../../contract/energy/coverage.ts'
import type { EnergyMeasure } from './measures.ts'

/** Energy of a whole period. */
export interface Total {
  kWh: number | null
  /** NT$ of the energy that has a tariff. */
  Cost: number | null
  CarbonKg: number | null
  Coverage: Coverage
  Resets: number
  /** Whether energy was used at a time without a tariff. */
  withoutTariff: boolean
}

const FIELDS = { kwh: 'kWh', cost: 'Cost', co2: 'CarbonKg' } as const satisfies Record<
  EnergyMeasure,
  keyof EnergyPoint
>

/** Figure of a point or total in a measure. */
export const figureOf = (
  of: Pick<EnergyPoint, 'kWh' | 'Cost' | 'CarbonKg'>,
  measure: EnergyMeasure,
): number | null => of[FIELDS[measure]]

/** Coverage of a period without known or missing intervals. */
const NO_COVERAGE: Coverage = {
  Measured: 0,
  Between: 0,
  Estimated: 0,
  Corrected: 0,
  Missing: 0,
  Withheld: 0,
}
const COUNTS = Object.keys(NO_COVERAGE) as (keyof Coverage)[]

export const addCoverage = (a: Coverage, b: Coverage): Coverage =>
  Object.fromEntries(COUNTS.map((field) => [field, a[field] + b[field]])) as Coverage

/** Sum of the known values of points; null, not zero, if none is known. */
export function totalOf(points: readonly EnergyPoint[]): Total {
  const total: Total = {
    kWh: null,
    Cost: null,
    CarbonKg: null,
    Coverage: { ...NO_COVERAGE },
    Resets: 0,
    withoutTariff: false,
  }
  for (const point of points) {
    for (const field of ['kWh', 'Cost', 'CarbonKg'] as const)
      if (point[field] !== null) total[field] = (total[field] ?? 0) + point[field]
    for (const field of COUNTS) total.Coverage[field] += point.Coverage[field]
    total.Resets += point.Resets
    if (point.kWh !== null && point.kWh !== 0 && point.Cost === null) total.withoutTariff = true
  }
  return total
}

const knownCounts = knownIntervals

/** Share (0..1) of the known intervals that lies between two readings of a meter that reports on time; 0 if none is known. */
export const betweenShare = (coverage: Coverage): number =>
  knownCounts(coverage) === 0 ? 0 : coverage.Between / knownCounts(coverage)

/** Share (0..1) of the known intervals that was estimated; 0 if none is known. */
export const estimatedShare = (coverage: Coverage): number =>
  knownCounts(coverage) === 0 ? 0 : coverage.Estimated / knownCounts(coverage)

/** Share (0..1) of the known intervals that was entered or imported; 0 if none is known. */
export const correctedShare = (coverage: Coverage): number =>
  knownCounts(coverage) === 0 ? 0 : coverage.Corrected / knownCounts(coverage)

/** Start of the first point that has known or missing intervals, epoch ms; undefined if that is the very first point, or there is none. */
export function beganAt(points: readonly EnergyPoint[]): number | undefined {
  const first = points.findIndex(({ Coverage }) => Object.values(Coverage).some((count) => count > 0))
  return first > 0 ? points[first]?.Timestamp : undefined
}

/** Whether no point has known or missing intervals, because no meter existed yet. */
export const isBeforeMeters = (points: readonly EnergyPoint[]): boolean =>
  points.every(({ Coverage }) => Object.values(Coverage).every((count) => count === 0))

/** Share (0..1) of the elapsed time without data. */
export function missingShare(coverage: Coverage): number {
  const all = knownCounts(coverage) + coverage.Missing
  return all === 0 ? 0 : coverage.Missing / all
}

/** Share (0..1) of the elapsed time that is missing because of quarantined readings. */
export function quarantinedShare(coverage: Coverage): number {
  const all = knownCounts(coverage) + coverage.Missing
  return all === 0 ? 0 : coverage.Withheld / all
}

export interface Difference {
  before: number
  /** Current value minus the previous one. */
  by: number
  /** `by` divided by `before`; null if `before` is zero. */
  share: number | null
  /** Whether only the completed part of a running period was compared. */
  soFar: boolean
  /** Whether bars were left out because either period has too little data for them. */
  partly: boolean
  /** Share (0..1) of the compared part of the current and of the previous period that has data. */
  complete: readonly [number, number]
}

/** Whether two bars are comparable in a measure; a bar without a counterpart only needs to be known. */
function areAlike(a: EnergyPoint | undefined, b: EnergyPoint | undefined, measure: EnergyMeasure): boolean {
  const points = [a, b].filter((point) => point !== undefined)
  return (
    points.every((point) => figureOf(point, measure) !== null) &&
    areComparable(points.map(({ Coverage }) => Coverage))
  )
}

/**
 * Difference to the compared period. Of a running period only completed bars count, with as many of the other period; a bar with too little
 * data in either period is left out of both.
 *
 * ends     end time of each bar of the period
 * returns  undefined if either side has no data
 */
export function differenceOf(
  points: readonly EnergyPoint[],
  compared: readonly EnergyPoint[],
  ends: readonly number[],
  now: number,
  measure: EnergyMeasure,
): Difference | undefined {
  const finished = ends.filter((end) => end <= now).length
  const soFar = finished < ends.length
  const endedPoints = (of: readonly EnergyPoint[]) => (soFar ? of.slice(0, finished) : of)
  const [currentPoints, comparedPoints] = [endedPoints(points), endedPoints(compared)]
  const partly = (currentPoints.length > comparedPoints.length ? currentPoints : comparedPoints).some(
    (_, i) => !areAlike(currentPoints[i], comparedPoints[i], measure),
  )
  const comparable = (of: readonly EnergyPoint[]) =>
    partly
      ? of.filter(
          (_, i) =>
            currentPoints[i] && comparedPoints[i] && areAlike(currentPoints[i], comparedPoints[i], measure),
        )
      : of
  const sum = (of: readonly EnergyPoint[]) => figureOf(totalOf(comparable(of)), measure)
  const [is, previous] = [sum(currentPoints), sum(comparedPoints)]
  if (is === null || previous === null) return undefined
  const complete = [
    completeShare(totalOf(currentPoints).Coverage),
    completeShare(totalOf(comparedPoints).Coverage),
  ] as const
  return {
    before: previous,
    by: is - previous,
    share: previous === 0 ? null : (is - previous) / previous,
    soFar,
    partly,
    complete,
  }
}

export const totalPointsOf = (
  series: readonly EnergySeries[] | undefined,
  key: string,
): readonly EnergyPoint[] => series?.find(({ Key }) => Key === key)?.Points ?? []

/** Points of a series of the whole home, which has a single key; empty while loading. */
export const wholeOf = (series: readonly EnergySeries[] | undefined): readonly EnergyPoint[] =>
  series?.[0]?.Points ?? []
