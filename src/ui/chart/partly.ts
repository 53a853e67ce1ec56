import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { ChartView } from './model.ts'

/** Readings of the last half hour may still arrive, in ms. */
const ARRIVAL_DELAY_MS = 2 * QUARTER_MS

/**
 * Whether a figure must be marked as incomplete.
 *
 * missing  unknown share, 0..1, of the elapsed time
 * special  in an unfinished period, half an hour may be missing: meters send within that time
 */
export const isPartly = (missing: number, { from, to }: ChartView, now: number): boolean =>
  missing > 0 && (now >= to || missing * (now - from) > ARRIVAL_DELAY_MS)
