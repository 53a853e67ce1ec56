import type { ComparedFigure } from '../../../contract/reports/calls.ts'
import type { Coverage, EnergyPoint } from '../../../contract/energy/meter-data-calls.ts'
import { completeShare, knownIntervals, percentageOf } from '../../../contract/energy/coverage.ts'

const NO_COVERAGE: Coverage = {
  Measured: 0,
  Between: 0,
  Estimated: 0,
  Corrected: 0,
  Missing: 0,
  Withheld: 0,
}

/** Sums of some points; null if unknown. */
export interface ReportSums {
  kWh: number | null
  /** Also null if a known point has no price. */
  Cost: number | null
  CarbonKg: number | null
  coverage: Coverage
  resets: number
  /** Number of periods, and number of those that a meter should have reported: nothing is missing before the first one. */
  periods: number
  due: number
}

export const NO_SUMS: ReportSums = {
  kWh: null,
  Cost: null,
  CarbonKg: null,
  coverage: NO_COVERAGE,
  resets: 0,
  periods: 0,
  due: 0,
}

/** Sum of the known values; null if there are none. */
export const addKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length ? known.reduce((sum, one) => sum + one, 0) : null
}

const isPriced = (points: readonly Pick<EnergyPoint, 'kWh' | 'Cost'>[]): boolean =>
  points.every(({ kWh, Cost }) => kWh === null || Cost !== null)

export const addCoverage = (all: readonly Coverage[]): Coverage => {
  const sum = { ...NO_COVERAGE }
  for (const one of all) for (const key of Object.keys(sum) as (keyof Coverage)[]) sum[key] += one[key]
  return sum
}

export function sumOf(points: readonly EnergyPoint[]): ReportSums {
  return {
    kWh: addKnown(points.map(({ kWh }) => kWh)),
    Cost: isPriced(points) ? addKnown(points.map(({ Cost }) => Cost)) : null,
    CarbonKg: addKnown(points.map(({ CarbonKg }) => CarbonKg)),
    coverage: addCoverage(points.map(({ Coverage }) => Coverage)),
    resets: points.reduce((sum, { Resets }) => sum + Resets, 0),
    periods: points.length,
    due: points.filter(({ Coverage }) => isDue(Coverage)).length,
  }
}

/** Sums over several homes. */
export const addSums = (all: readonly ReportSums[]): ReportSums => ({
  kWh: addKnown(all.map(({ kWh }) => kWh)),
  Cost: isPriced(all) ? addKnown(all.map(({ Cost }) => Cost)) : null,
  CarbonKg: addKnown(all.map(({ CarbonKg }) => CarbonKg)),
  coverage: addCoverage(all.map(({ coverage }) => coverage)),
  resets: all.reduce((sum, { resets }) => sum + resets, 0),
  periods: all.reduce((sum, { periods }) => sum + periods, 0),
  due: all.reduce((sum, { due }) => sum + due, 0),
})

/** Whether a meter should have reported the period by now. */
export const isDue = (coverage: Coverage): boolean => knownIntervals(coverage) + coverage.Missing > 0

/** Complete share of all periods: days before the first meter count as unknown, although nothing is missing from them. */
const completeOf = ({ coverage, periods, due }: ReportSums): number =>
  periods === 0 ? 0 : (completeShare(coverage) * due) / periods

/** Share of the time that was entered by a person or an import, 0 to 1. */
export function correctedShare(coverage: Coverage): number {
  const due = knownIntervals(coverage) + coverage.Missing
  return due === 0 ? 0 : coverage.Corrected / due
}

/**
 * A figure with that of the previous year, and the change if both can be compared.
 *
 * isAlike  whether both cover the same sites
 */
function comparedFigure(
  Now: number | null,
  Before: number | null,
  complete: readonly [number, number],
  isAlike: boolean,
): ComparedFigure {
  const said = Now === null || Before === null || Before <= 0 || !isAlike ? 'none' : percentageOf(...complete)
  return {
    Now,
    Before,
    Change: said === 'none' ? null : (Now as number) / (Before as number) - 1,
    Said: said,
  }
}

/** Figures of a period with those of the previous year. */
export function comparedSums(now: ReportSums, before: ReportSums, isAlike = true) {
  const complete = [completeOf(now), completeOf(before)] as const
  const figure = (of: 'kWh' | 'Cost' | 'CarbonKg') => comparedFigure(now[of], before[of], complete, isAlike)
  return {
    kWh: figure('kWh'),
    Cost: figure('Cost'),
    CarbonKg: figure('CarbonKg'),
    Complete: complete[0],
    CompleteBefore: complete[1],
  }
}
