/** Quarter-hours and milliseconds of an hour. */
export const QUARTERS_OF_HOUR = 4
export const HOUR_MS = 3_600_000

/** Energy of a day in 15-minute intervals. */
interface ResolvedDay {
  /** Total number of intervals due for its meters. */
  total: number
  /** Number of meters whose hour of each interval is resolved: measured in it, or corrected by the hour or less. */
  resolved: ArrayLike<number>
}

/**
 * Share of resolved hours over several days, 0 to 1; 0 without any. The energy of other hours is only known as a sum over a longer time.
 */
export function resolvedShare(days: Iterable<ResolvedDay>): number {
  let [resolved, total] = [0, 0]
  for (const day of days) {
    for (let i = 0; i < day.resolved.length; i++) resolved += day.resolved[i] as number
    total += day.total
  }
  return total ? Math.min(1, resolved / total) : 0
}

/** Number of days before an examination of a home whose features it reads. */
export const FEATURE_DAYS = 113
