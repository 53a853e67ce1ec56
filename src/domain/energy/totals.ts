import type { Coverage, EnergyPoint, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import { areComparable, completeShare, knownIntervals } from '../../../contract/energy/coverage.ts'
import type { EnergyMeasure } from './measures.ts'

/** Energy of a whole range. */
export interface Total {
  kWh: number | null
  /** NT$ of what has a tariff. */
  Cost: number | null
  CarbonKg: number | null
  Coverage: Coverage
  Resets: number
  /** Whether energy was used in a time that has no tariff. */
  withoutTariff: boolean
}

const FIELDS = { kwh: 'kWh', cost: 'Cost', co2: 'CarbonKg' } as const satisfies Record<
  EnergyMeasure,
  keyof EnergyPoint
>

/** A point's or a total's figure in a measure. */
export const figureOf = (
  of: Pick<EnergyPoint, 'kWh' | 'Cost' | 'CarbonKg'>,
  measure: EnergyMeasure,
): number | null => of[FIELDS[measure]]

/** Of a time of which nothing is known and nothing missed. */
const NO_COVERAGE: Coverage = {
  Measured: 0,
  Between: 0,
  Estimated: 0,
  Corrected: 0,
  Missing: 0,
  Withheld: 0,
}
const COUNTS = Object.keys(NO_COVERAGE) as (keyof Coverage)[]

/** What two times, or two meters, know together. */
export const addCoverage = (a: Coverage, b: Coverage): Coverage =>
  Object.fromEntries(COUNTS.map((field) => [field, a[field] + b[field]])) as Coverage

/** Points together: what is known is added up, and nothing known is null, not zero. */
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

const known = knownIntervals

/** 0..1 of what is known that was shared between two readings of a meter on time; 0 when nothing is known. */
export const betweenShare = (coverage: Coverage): number =>
  known(coverage) === 0 ? 0 : coverage.Between / known(coverage)

/** 0..1 of what is known that was estimated; 0 when nothing is known. */
export const estimatedShare = (coverage: Coverage): number =>
  known(coverage) === 0 ? 0 : coverage.Estimated / known(coverage)

/** 0..1 of what is known that a person said or an import brought; 0 when nothing is known. */
export const correctedShare = (coverage: Coverage): number =>
  known(coverage) === 0 ? 0 : coverage.Corrected / known(coverage)

/** When the first period begins of which something is known or missed, epoch ms; undefined where that is the very first, or none. */
export function beganAt(points: readonly EnergyPoint[]): number | undefined {
  const first = points.findIndex(({ Coverage }) => Object.values(Coverage).some((count) => count > 0))
  return first > 0 ? points[first]?.Timestamp : undefined
}

/** Whether there is nothing of any of these periods, and nothing is missed: no meter had begun yet. */
export const isBeforeMeters = (points: readonly EnergyPoint[]): boolean =>
  points.every(({ Coverage }) => Object.values(Coverage).every((count) => count === 0))

/** 0..1 of the time so far of which nothing is known. */
export function missingShare(coverage: Coverage): number {
  const all = known(coverage) + coverage.Missing
  return all === 0 ? 0 : coverage.Missing / all
}

/** 0..1 of the time so far that does not count because readings wait for a decision. */
export function quarantinedShare(coverage: Coverage): number {
  const all = known(coverage) + coverage.Missing
  return all === 0 ? 0 : coverage.Withheld / all
}

export interface Difference {
  before: number
  /** Now less before. */
  by: number
  /** `by` as a part of before; null when that is zero. */
  share: number | null
  /** Whether only what has ended of a running period was compared. */
  soFar: boolean
  /** Whether bars were left out because either period hardly knows them. */
  partly: boolean
  /** 0..1 of either period, as far as it is compared, that is known well enough: of now, and of before. */
  complete: readonly [number, number]
}

/** Whether two bars may be compared in a measure; one without another need only be known. */
function areAlike(a: EnergyPoint | undefined, b: EnergyPoint | undefined, measure: EnergyMeasure): boolean {
  const both = [a, b].filter((point) => point !== undefined)
  return (
    both.every((point) => figureOf(point, measure) !== null) &&
    areComparable(both.map(({ Coverage }) => Coverage))
  )
}

/**
 * The difference to the compared period, like with like: of a period that still runs only the bars that have ended count, and
 * as many of the other; where either hardly knows a bar, it counts on neither side.
 *
 * ends     when each bar of the period ends
 * returns  undefined when either side knows nothing
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
  const ended = (of: readonly EnergyPoint[]) => (soFar ? of.slice(0, finished) : of)
  const [here, there] = [ended(points), ended(compared)]
  const partly = (here.length > there.length ? here : there).some(
    (_, i) => !areAlike(here[i], there[i], measure),
  )
  const counted = (of: readonly EnergyPoint[]) =>
    partly ? of.filter((_, i) => here[i] && there[i] && areAlike(here[i], there[i], measure)) : of
  const sum = (of: readonly EnergyPoint[]) => figureOf(totalOf(counted(of)), measure)
  const [is, was] = [sum(here), sum(there)]
  if (is === null || was === null) return undefined
  const complete = [completeShare(totalOf(here).Coverage), completeShare(totalOf(there).Coverage)] as const
  return { before: was, by: is - was, share: was === 0 ? null : (is - was) / was, soFar, partly, complete }
}

/** The points of a series by its key. */
export const totalPointsOf = (
  series: readonly EnergySeries[] | undefined,
  key: string,
): readonly EnergyPoint[] => series?.find(({ Key }) => Key === key)?.Points ?? []

/** The points of a series of the home as a whole, which has one key; none while it loads. */
export const wholeOf = (series: readonly EnergySeries[] | undefined): readonly EnergyPoint[] =>
  series?.[0]?.Points ?? []
