import type { ComparedWith } from '../../../../contract/energy/meter-data-calls.ts'
import type { Series } from './series.ts'

/** Whether any energy is known. */
const isKnown = (series: readonly Series[]): boolean =>
  series.some(({ Points }) => Points.some(({ kWh }) => kWh !== null))

/**
 * Reads the range to compare with. Data of a year ago is often unknown: the fallback replaces it if that is known.
 *
 * readCompared  reads the series of the range that a comparison leads to
 */
export async function compareWithFallback<Read extends { series: readonly Series[] }>(
  compare: ComparedWith,
  fallback: ComparedWith,
  readCompared: (compare: ComparedWith) => Promise<Read>,
): Promise<Read & { With: ComparedWith }> {
  const wanted = await readCompared(compare)
  if (compare.startsWith('lastYear') && !isKnown(wanted.series)) {
    const other = await readCompared(fallback)
    if (isKnown(other.series)) return { ...other, With: fallback }
  }
  return { ...wanted, With: compare }
}

/** Comparisons that `compareWithFallback` may read. */
export const comparisonsOf = (compare: ComparedWith, fallback: ComparedWith): ComparedWith[] =>
  compare.startsWith('lastYear') ? [compare, fallback] : [compare]
