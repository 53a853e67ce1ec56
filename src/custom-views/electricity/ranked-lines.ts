import type { EnergyPoint, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import {
  differenceOf,
  figureOf,
  totalPointsOf,
  totalOf,
  type Difference,
  type Total,
} from '../../domain/energy/totals.ts'
import { leavesOf, type MeterNode } from './meter-forest.ts'
import type { RankedSeries } from './use-ranked.ts'

/** Subjects of a ranking; machines are meters without submeters. */
export const RANKED = ['machine', 'meter', 'room', 'use', 'category'] as const
export type RankedBy = (typeof RANKED)[number]

/** Order: by the figure itself or by its change. */
export const ORDERS = ['amount', 'change'] as const
export type Order = (typeof ORDERS)[number]

export interface RankedLine {
  key: string
  total: Pick<Total, 'kWh' | 'Cost' | 'CarbonKg' | 'Coverage'>
  value: number | null
  /** Undefined without a comparison, or if either side is unknown. */
  change: Difference | undefined
}

const metersIn = (forest: readonly MeterNode[]): string[] =>
  forest.flatMap(({ key, kind, children = [] }) => (kind === 'meter' ? [key, ...metersIn(children)] : []))

export const keysOf = (
  by: RankedBy,
  forest: readonly MeterNode[],
  series: readonly EnergySeries[],
): string[] =>
  by === 'meter'
    ? metersIn(forest)
    : by === 'machine'
      ? leavesOf(forest).map(({ key }) => key)
      : series.map(({ Key }) => Key)

/**
 * Lines of a ranking in order: the greatest value or increase first, unknown ones last.
 *
 * now  epoch ms: only finished bars of a running period are compared
 */
export function rankedLines(
  keys: readonly string[],
  { series = [], before, ends }: RankedSeries,
  measure: EnergyMeasure,
  order: Order,
  now: number,
): RankedLine[] {
  const lines = keys.map((key): RankedLine => {
    const points: readonly EnergyPoint[] = totalPointsOf(series, key)
    const total = totalOf(points)
    return {
      key,
      total,
      value: figureOf(total, measure),
      change: before && differenceOf(points, totalPointsOf(before, key), ends, now, measure),
    }
  })
  const weight = ({ value, change }: RankedLine) => (order === 'change' ? (change?.by ?? null) : value)
  return lines.toSorted((a, b) => {
    const [x, y] = [weight(a), weight(b)]
    return x === null || y === null ? Number(x === null) - Number(y === null) : y - x
  })
}
