import { knownIntervals } from '../../../contract/energy/coverage.ts'
import { ReadingState, type Coverage } from '../../../contract/energy/meter-data-calls.ts'

/**
 * Data quality of an interval; if several apply, the last of these is used.
 *
 * between     a part was distributed between two readings of a meter that reports less often than every 15 minutes, but on time
 * estimated   a part was distributed over a gap in the readings
 * corrected   a part was entered by a user, or imported
 * incomplete  a part is unknown: the figure is too low
 * unfinished  the interval has not ended: the figure is provisional
 * missing     nothing is known
 */
export const QUALITIES = [
  'measured',
  'between',
  'estimated',
  'corrected',
  'incomplete',
  'unfinished',
  'missing',
] as const

/** States of a stored reading, which decide whether it counts. */
export const READING_STATES = ReadingState.options

export function qualityOf(coverage: Coverage, hasEnded: boolean): (typeof QUALITIES)[number] {
  const { Between, Estimated, Corrected, Missing } = coverage
  if (Missing > 0 && knownIntervals(coverage) === 0) return 'missing'
  if (!hasEnded) return 'unfinished'
  if (Missing > 0) return 'incomplete'
  if (Corrected > 0) return 'corrected'
  if (Estimated > 0) return 'estimated'
  return Between > 0 ? 'between' : 'measured'
}
