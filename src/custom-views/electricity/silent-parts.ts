import { isPartly } from '../../ui/chart/partly.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { missingShare } from '../../domain/energy/totals.ts'
import type { MeterNode } from './meter-forest.ts'

/**
 * Number of subtracted meters that were silent for a part of the time, so that their energy appears in the remainder.
 *
 * span  time span of the figures
 */
export const silentParts = ({ parts = [] }: MeterNode, span: ChartView, now: number): number =>
  parts.filter((coverage) => isPartly(missingShare(coverage), span, now)).length
