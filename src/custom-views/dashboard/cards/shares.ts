import type { Coverage, EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import { missingShare, totalOf } from '../../../domain/energy/totals.ts'
import type { ChartView } from '../../../ui/chart/model.ts'
import { isPartly } from '../../../ui/chart/partly.ts'

export interface Share {
  key: string
  kWh: number
  /** Share of the sum of all positive parts, 0..1; 0 if not positive. */
  share: number
  coverage: Coverage
}

/** Parts of a total, the greatest first; unknown and zero parts are omitted. */
export function sharesOf(series: readonly EnergySeries[]): Share[] {
  const knownTotals = series.flatMap(({ Key, Points }) => {
    const { kWh, Coverage } = totalOf(Points)
    return kWh === null || kWh === 0 ? [] : [{ key: Key, kWh, coverage: Coverage }]
  })
  const sum = knownTotals.reduce((all, { kWh }) => all + Math.max(0, kWh), 0)
  return knownTotals
    .map((part) => ({ ...part, share: sum > 0 ? Math.max(0, part.kWh) / sum : 0 }))
    .toSorted((a, b) => b.kWh - a.kWh)
}

/**
 * Keys of the parts that should have data but have none: they may be the largest.
 *
 * span  the time span of the total
 */
export const silentOf = (series: readonly EnergySeries[], span: ChartView, now: number): string[] =>
  series.flatMap(({ Key, Points }) => {
    const { kWh, Coverage } = totalOf(Points)
    return kWh === null && isPartly(missingShare(Coverage), span, now) ? [Key] : []
  })
