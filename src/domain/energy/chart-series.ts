import type { EnergyPoint, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import type { Figures, TimeSeries } from '../../ui/chart/model.ts'
import { OTHERS_COLOR, REST_COLOR, type SeriesColor } from '../../ui/chart/energy-colors.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from './measures.ts'
import { betweenShare, estimatedShare, figureOf, missingShare, totalOf } from './totals.ts'

/** Maximum number of distinguishable series in a stack; the smallest are summed up as the rest. */
export const MOST_SERIES = 8
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
  const values = (wanted: EnergyMeasure): Figures =>
    points.map((point) => (point ? figureOf(point, wanted) : null))
  return {
    key,
    draw: 'bars',
    times: starts,
    values: values(measure),
    figures: Object.fromEntries(ENERGY_MEASURES.map((one) => [one, values(one)])),
    between: points.map((point) => (point ? betweenShare(point.Coverage) : 0)),
    estimated: points.map((point) => (point ? estimatedShare(point.Coverage) : 0)),
    missing: missingOf(points),
  }
}

const missingOf = (points: readonly (EnergyPoint | undefined)[]): number[] =>
  points.map((point) => (point ? missingShare(point.Coverage) : 0))

/** Sum of the known values of several series, point by point. */
function together(series: readonly EnergySeries[]): EnergyPoint[] {
  const byTime = new Map<number, EnergyPoint[]>()
  for (const { Points } of series)
    for (const point of Points) {
      const same = byTime.get(point.Timestamp)
      if (same) same.push(point)
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
  found: readonly EnergySeries[],
  compared: { series: readonly EnergySeries[]; starts: readonly number[] } | undefined,
  starts: readonly number[],
  measure: EnergyMeasure,
  words: Words,
): TimeSeries[] {
  const some = found.filter(({ Points }) => Points.some((point) => figureOf(point, measure) !== null))
  const known = some.length === 0 && compared ? found : some
  const size = new Map(known.map((one) => [one, figureOf(totalOf(one.Points), measure) ?? 0]))
  const sorted = known.toSorted((a, b) => (size.get(b) ?? 0) - (size.get(a) ?? 0))
  const many = sorted.length > MOST_SERIES
  // Untracked energy always has its own series; it is not merged into the rest.
  const consumers = sorted.filter(({ Key }) => Key !== UNTRACKED)
  const untracked = sorted.filter(({ Key }) => Key === UNTRACKED)
  const named = MOST_SERIES - 1 - untracked.length
  const missing = missingOf(aligned(together(found), starts))
  const shown = many ? [...consumers.slice(0, named), ...untracked] : sorted
  const series = shown.map(({ Key, Points }, i): TimeSeries => ({
    ...toSeries(`is ${Key}`, aligned(Points, starts), starts, measure),
    missing,
    label: words.nameOf(Key),
    color: words.colorOf(Key, i),
    stack: 'is',
  }))
  if (many)
    series.push({
      ...toSeries(REST, aligned(together(consumers.slice(named)), starts), starts, measure),
      missing,
      label: words.rest,
      color: OTHERS_COLOR,
      stack: 'is',
    })
  if (compared) {
    const points = aligned(together(compared.series), compared.starts)
    // The n-th bar of the compared period is placed at the n-th bar of this period.
    const placed = starts.map((_, i) => points[i])
    series.push({
      ...toSeries('before', placed, starts, measure),
      label: words.before,
      color: REST_COLOR,
      stack: 'before',
      faint: true,
      trueTimes: starts.map((start, i) => compared.starts[i] ?? start),
    })
  }
  return series
}
