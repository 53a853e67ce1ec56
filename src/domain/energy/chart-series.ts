import type { EnergyPoint, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import type { Figures, TimeSeries } from '../../ui/chart/model.ts'
import { OTHERS_COLOR, REST_COLOR, type SeriesColor } from '../../ui/chart/energy-colors.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from './measures.ts'
import { betweenShare, estimatedShare, figureOf, missingShare, totalOf } from './totals.ts'

/** Maximum number of distinguishable series in a stack; the smallest are summed up as the rest. */
export const MAX_SERIES = 8
export const REST = 'rest'
/** Key of the energy that main meters counted and their sub-meters did not. */
const UNTRACKED = 'untracked'

export interface Words {
  nameOf: (key: string) => string
  colorOf: (key: string, i: number) => SeriesColor
  rest: string
  before: string
}

/** Points at the timestamps of the chart. */
function aligned(points: readonly EnergyPoint[], starts: readonly number[]): (EnergyPoint | undefined)[] {
  const byTime = new Map(points.map((point) => [point.Timestamp, point]))
  return starts.map((start) => byTime.get(start))
}

function toSeries(
  key: string,
  points: readonly (EnergyPoint | undefined)[],
  starts: readonly number[],
  measure: EnergyMeasure,
): Pick<TimeSeries, 'key' | 'times' | 'values' | 'figures' | 'between' | 'estimated' | 'missing' | 'draw'> {
  const values = (measured: EnergyMeasure): Figures =>
    points.map((point) => (point ? figureOf(point, measured) : null))
  return {
    key,
    draw: 'bars',
    times: starts,
    values: values(measure),
    figures: Object.fromEntries(ENERGY_MEASURES.map((measured) => [measured, values(measured)])),
    between: points.map((point) => (point ? betweenShare(point.Coverage) : 0)),
    estimated: points.map((point) => (point ? estimatedShare(point.Coverage) : 0)),
    missing: missingOf(points),
  }
}

const missingOf = (points: readonly (EnergyPoint | undefined)[]): number[] =>
  points.map((point) => (point ? missingShare(point.Coverage) : 0))

/** Sum of the known values of several series, point by point. */
function sumByTime(series: readonly EnergySeries[]): EnergyPoint[] {
  const byTime = new Map<number, EnergyPoint[]>()
  for (const { Points } of series)
    for (const point of Points) {
      const existing = byTime.get(point.Timestamp)
      if (existing) existing.push(point)
      else byTime.set(point.Timestamp, [point])
    }
  return [...byTime].map(([Timestamp, points]) => {
    const { kWh, Cost, CarbonKg, Coverage, Resets } = totalOf(points)
    return { Timestamp, kWh, Cost, CarbonKg, Coverage, Resets }
  })
}

/**
 * Bars of a chart: a stack of series, the largest first, and next to it the compared period as a single series.
 *
 * starts    start times of the bars; the bars of the compared period are placed at the same positions, in order
 * special   series without any figure are left out, unless only the compared period has figures; their missing data still counts
 * as missing in the bars of the others
 */
export function chartSeries(
  energySeries: readonly EnergySeries[],
  compared: { series: readonly EnergySeries[]; starts: readonly number[] } | undefined,
  starts: readonly number[],
  measure: EnergyMeasure,
  words: Words,
): TimeSeries[] {
  const withValues = energySeries.filter(({ Points }) =>
    Points.some((point) => figureOf(point, measure) !== null),
  )
  const candidates = withValues.length === 0 && compared ? energySeries : withValues
  const size = new Map(candidates.map((entry) => [entry, figureOf(totalOf(entry.Points), measure) ?? 0]))
  const sorted = candidates.toSorted((a, b) => (size.get(b) ?? 0) - (size.get(a) ?? 0))
  const isTruncated = sorted.length > MAX_SERIES
  // Untracked energy always has its own series; it is not merged into the rest.
  const consumers = sorted.filter(({ Key }) => Key !== UNTRACKED)
  const untracked = sorted.filter(({ Key }) => Key === UNTRACKED)
  const namedCount = MAX_SERIES - 1 - untracked.length
  const missing = missingOf(aligned(sumByTime(energySeries), starts))
  const visibleSeries = isTruncated ? [...consumers.slice(0, namedCount), ...untracked] : sorted
  const series = visibleSeries.map(({ Key, Points }, i): TimeSeries => ({
    ...toSeries(`is ${Key}`, aligned(Points, starts), starts, measure),
    missing,
    label: words.nameOf(Key),
    color: words.colorOf(Key, i),
    stack: 'is',
  }))
  if (isTruncated)
    series.push({
      ...toSeries(REST, aligned(sumByTime(consumers.slice(namedCount)), starts), starts, measure),
      missing,
      label: words.rest,
      color: OTHERS_COLOR,
      stack: 'is',
    })
  if (compared) {
    const points = aligned(sumByTime(compared.series), compared.starts)
    // The n-th bar of the compared period is placed at the n-th bar of this period.
    const alignedPoints = starts.map((_, i) => points[i])
    series.push({
      ...toSeries('before', alignedPoints, starts, measure),
      label: words.before,
      color: REST_COLOR,
      stack: 'before',
      isFaint: true,
      trueTimes: starts.map((start, i) => compared.starts[i] ?? start),
    })
  }
  return series
}
