import { isPartly } from '../../ui/chart/partly.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { missingShare } from '../../domain/energy/totals.ts'
import type { MeterNode } from './meter-forest.ts'

/**
 * How many of the meters that a remainder is computed from were silent for a part of the time: what those used then seems to be the
 * remainder's.
 *
 * span  the time of the figures
 */
export const silentParts = ({ parts = [] }: MeterNode, span: ChartView, now: number): number =>
  parts.filter((coverage) => isPartly(missingShare(coverage), span, now)).length
