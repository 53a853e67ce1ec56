import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { ChartView } from './model.ts'

/** Of what still runs, readings of the last half hour may be on their way: ms. */
const ARRIVING = 2 * QUARTER_MS

/**
 * Whether the figure of a time must say that it lacks something.
 *
 * missing  0..1 of the time, as far as it has passed, of which nothing is known
 * special  of a time that still runs as much may be missing as meters send within half an hour
 */
export const isPartly = (missing: number, { from, to }: ChartView, now: number): boolean =>
  missing > 0 && (now >= to || missing * (now - from) > ARRIVING)
