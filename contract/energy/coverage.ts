import type { Coverage } from './meter-data-calls.ts'

/** How many intervals of a time have any figure, estimates too. */
export const knownIntervals = ({ Measured, Between, Estimated, Corrected }: Coverage): number =>
  Measured + Between + Estimated + Corrected

/** How many intervals of a time should be known by now. */
const dueIntervals = (coverage: Coverage): number => knownIntervals(coverage) + coverage.Missing

/**
 * 0..1 of the time so far that is known well enough for hours and longer: measured, between two readings of a meter on time, or
 * corrected. What was estimated over a silence is not. 0 where nothing is due.
 */
export function completeShare(coverage: Coverage): number {
  const due = dueIntervals(coverage)
  return due === 0 ? 0 : (coverage.Measured + coverage.Between + coverage.Corrected) / due
}

/** 0..1 of the time so far of which no interval of 15 minutes was measured: a mean over more hides what it was made of. */
export function unmeasuredShare(coverage: Coverage): number {
  const due = dueIntervals(coverage)
  return due === 0 ? 0 : (coverage.Between + coverage.Estimated + coverage.Missing) / due
}

/** A bar of which less than this is known, or less than this of what is known of the other, says nothing about a difference. */
const LEAST_KNOWN = 0.5

/** Whether bars of two times may be compared: each is known, and neither much better than the other; one alone need only be known. */
export function areComparable(coverages: readonly Coverage[]): boolean {
  const counts = coverages.map(knownIntervals)
  return (
    coverages.every((coverage, i) => dueIntervals(coverage) * LEAST_KNOWN <= (counts[i] ?? 0)) &&
    Math.min(...counts) >= Math.max(...counts) * LEAST_KNOWN
  )
}

/** Of two times that are compared each must be as complete as this for a percentage, and for one without a mark. */
export const MIN_COMPLETE_SHARE = 0.8
const PLAINLY_COMPLETE = 0.98
/** A month's highest demand is the highest that was seen where less than this was measured. */
const PEAK_MEASURED = 0.98

/** How a change between two times may be said in per cent, by how complete each is: plainly, about, or not at all. */
export function percentageOf(...complete: readonly [number, number]): 'plain' | 'about' | 'none' {
  const least = Math.min(...complete)
  return least >= PLAINLY_COMPLETE ? 'plain' : least >= MIN_COMPLETE_SHARE ? 'about' : 'none'
}

/** Whether the highest demand that was seen in a time may be less than the highest that was. */
export const isPeakAtLeast = (coverage: Coverage): boolean => unmeasuredShare(coverage) > 1 - PEAK_MEASURED
