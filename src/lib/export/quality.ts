import { ReadingState, type Coverage } from '../../../contract/procedures/meter-data.ts'

/**
 * How well the energy of an interval is known; of several that are true the last of these is told.
 *
 * estimated   a part was shared between readings further apart than 15 minutes
 * corrected   a part was said by a person, or imported
 * incomplete  of a part nothing is known: the figure is too small
 * unfinished  it has not ended: the figure is what is known so far
 * missing     nothing is known of any part
 */
export const QUALITIES = [
  'measured',
  'estimated',
  'corrected',
  'incomplete',
  'unfinished',
  'missing',
] as const

/** Whether a stored reading counts. */
export const READING_STATES = ReadingState.options

/** How well the energy of an interval is known. */
export function qualityOf(
  { Measured, Estimated, Corrected, Missing }: Coverage,
  hasEnded: boolean,
): (typeof QUALITIES)[number] {
  if (Missing > 0 && Measured + Estimated + Corrected === 0) return 'missing'
  if (!hasEnded) return 'unfinished'
  if (Missing > 0) return 'incomplete'
  if (Corrected > 0) return 'corrected'
  return Estimated > 0 ? 'estimated' : 'measured'
}
