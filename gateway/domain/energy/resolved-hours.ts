/** Quarters of an hour, and milliseconds of it. */
export const QUARTERS_OF_HOUR = 4
export const HOUR_MS = 3_600_000

/** Energy of a day by its intervals of 15 minutes. */
export interface ResolvedDay {
  /** Intervals that its meters should have, all together. */
  total: number
  /** The number of meters of which the hour of each interval is resolved: measured in it, or corrected by the hour or less. */
  resolved: ArrayLike<number>
}

/**
 * Share of the hours of some days that is resolved, 0 to 1; 0 without any. The energy of the other hours is known only as a sum over
 * a longer time.
 */
export function resolvedShare(days: Iterable<ResolvedDay>): number {
  let [resolved, total] = [0, 0]
  for (const day of days) {
    for (let i = 0; i < day.resolved.length; i++) resolved += day.resolved[i] as number
    total += day.total
  }
  return total ? Math.min(1, resolved / total) : 0
}
