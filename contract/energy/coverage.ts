import type { Coverage } from './meter-data-calls.ts'

/** Number of intervals with any value, including estimates. */
export const knownIntervals = ({ Measured, Between, Estimated, Corrected }: Coverage): number =>
  Measured + Between + Estimated + Corrected

/** Number of intervals that should be known by now. */
const dueIntervals = (coverage: Coverage): number => knownIntervals(coverage) + coverage.Missing

/**
 * Share of the elapsed time that is complete, 0..1: measured, between two readings of a meter on time, or corrected. Estimates over a
 * silence do not count. 0 if nothing is due.
 */
export function completeShare(coverage: Coverage): number {
  const due = dueIntervals(coverage)
  return due === 0 ? 0 : (coverage.Measured + coverage.Between + coverage.Corrected) / due
}

/** Share of the elapsed time without a measured 15-minute interval, 0..1: a mean over a longer time hides the variation within it. */
export function unmeasuredShare(coverage: Coverage): number {
  const due = dueIntervals(coverage)
  return due === 0 ? 0 : (coverage.Between + coverage.Estimated + coverage.Missing) / due
}

/** Minimum known share of each bar, and of the better known one, for a comparison. */
const MIN_KNOWN_SHARE = 0.5

/** Whether bars of several periods can be compared: each is known, and none much better than another. */
export function areComparable(coverages: readonly Coverage[]): boolean {
  const counts = coverages.map(knownIntervals)
  return (
    coverages.every((coverage, i) => dueIntervals(coverage) * MIN_KNOWN_SHARE <= (counts[i] ?? 0)) &&
    Math.min(...counts) >= Math.max(...counts) * MIN_KNOWN_SHARE
  )
}

/** Minimum completeness of both compared periods for a percentage; below PLAINLY_COMPLETE it is marked as approximate. */
export const MIN_COMPLETE_SHARE = 0.8
const PLAINLY_COMPLETE = 0.98
/** Measured share below which a month's highest demand is only a lower bound. */
const PEAK_MEASURED = 0.98

/** Precision in which a change between two periods may be shown as a percentage, by their completeness. */
export function percentageOf(...complete: readonly [number, number]): 'plain' | 'about' | 'none' {
  const lowest = Math.min(...complete)
  return lowest >= PLAINLY_COMPLETE ? 'plain' : lowest >= MIN_COMPLETE_SHARE ? 'about' : 'none'
}

/** Whether the measured peak demand is only a lower bound. */
export const isPeakAtLeast = (coverage: Coverage): boolean => unmeasuredShare(coverage) > 1 - PEAK_MEASURED
