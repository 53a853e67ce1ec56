import { knownIntervals } from '../../../contract/energy/coverage.ts'
import { ReadingState, type Coverage } from '../../../contract/energy/meter-data-calls.ts'

/**
 * How well the energy of an interval is known; of several that are true the last of these is told.
 *
 * between     a part was shared between two readings of a meter that reports less often than every 15 minutes, but on time
 * estimated   a part was shared over a silence
 * corrected   a part was said by a person, or imported
 * incomplete  of a part nothing is known: the figure is too small
 * unfinished  it has not ended: the figure is what is known so far
 * missing     nothing is known of any part
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

/** Whether a stored reading counts. */
export const READING_STATES = ReadingState.options

/** How well the energy of an interval is known. */
export function qualityOf(coverage: Coverage, hasEnded: boolean): (typeof QUALITIES)[number] {
  const { Between, Estimated, Corrected, Missing } = coverage
  if (Missing > 0 && knownIntervals(coverage) === 0) return 'missing'
  if (!hasEnded) return 'unfinished'
  if (Missing > 0) return 'incomplete'
  if (Corrected > 0) return 'corrected'
  if (Estimated > 0) return 'estimated'
  return Between > 0 ? 'between' : 'measured'
}
