import type { Coverage, EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import { missingShare, totalOf } from '../../../domain/energy/totals.ts'
import type { ChartView } from '../../../ui/chart/model.ts'
import { isPartly } from '../../../ui/chart/partly.ts'

/** A line of a division. */
export interface Share {
  key: string
  kWh: number
  /** 0..1 of all that is above zero; 0 for what is not. */
  share: number
  coverage: Coverage
}

/** The lines of a division, the greatest first; those of which nothing is known, or that used nothing, stay away. */
export function sharesOf(series: readonly EnergySeries[]): Share[] {
  const known = series.flatMap(({ Key, Points }) => {
    const { kWh, Coverage } = totalOf(Points)
    return kWh === null || kWh === 0 ? [] : [{ key: Key, kWh, coverage: Coverage }]
  })
  const sum = known.reduce((all, { kWh }) => all + Math.max(0, kWh), 0)
  return known
    .map((one) => ({ ...one, share: sum > 0 ? Math.max(0, one.kWh) / sum : 0 }))
    .toSorted((a, b) => b.kWh - a.kWh)
}

/**
 * The lines of a division that should have told something and told nothing: they may have used most.
 *
 * span  the time that is divided
 */
export const silentOf = (series: readonly EnergySeries[], span: ChartView, now: number): string[] =>
  series.flatMap(({ Key, Points }) => {
    const { kWh, Coverage } = totalOf(Points)
    return kWh === null && isPartly(missingShare(Coverage), span, now) ? [Key] : []
  })
