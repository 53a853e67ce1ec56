import type { EnergyPoint, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import type { Figures, TimeSeries } from '../../ui/chart/model.ts'
import { OTHERS_COLOR, REST_COLOR, type SeriesColor } from '../../ui/chart/energy-colors.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from './measures.ts'
import { betweenShare, estimatedShare, figureOf, missingShare, totalOf } from './totals.ts'

/** More than so many in a stack cannot be told apart: the smallest are added up as the rest. */
export const MOST_SERIES = 8
export const REST = 'rest'
/** The key of what main meters counted and no meter below them. */
const UNTRACKED = 'untracked'

export interface Words {
  nameOf: (key: string) => string
  colorOf: (key: string, i: number) => SeriesColor
  rest: string
  before: string
}

/** Points by their moments, at the moments of the chart. */
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

/** Several series as one: what is known of them added up, point by point. */
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
 * The bars of a chart: a stack of what the energy is divided by, the greatest first, and beside it the period it is compared with
 * as one.
 *
 * starts    of the chart's bars; the compared period's bars stand at the same places, its first at the first
 * special   series without any figure stay away, unless only the compared period has figures; what is missing of them is
 *           missing of the bars of the others all the same
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
  // What no sub-meter saw is no small consumer: it never goes under in the rest.
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
    // Its bars stand at the places of this period's, in order.
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
