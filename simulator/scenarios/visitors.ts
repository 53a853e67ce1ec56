const MINUTE = 60_000

/** Recurring rush while the demo is watched: cars that charge together. World times in epoch ms. */
export interface Rush {
  /** Start of the first one. */
  from: number
  /** End of the first one; each later one ends a whole number of `RUSH_EVERY` after it. */
  until: number
}

/** A visit during a rush, in seconds: delay after its beginning, and time until departure after its end; negative to leave before it. */
export interface Visit {
  late: number
  stay: number
}

/** Interval in ms between the ends of two rushes, and duration of one; `Rush` defines the first. */
export const RUSH_INTERVAL_MS = 60 * MINUTE
export const RUSH_LASTS = 11 * MINUTE
/** Minimum remainder of a quarter of an hour in which a rush can exceed the contract capacity. */
const ENOUGH = 7.5 * MINUTE
/** Time for the user who started the demo to open the page. */
const LEAD = 45_000
const QUARTER = 15 * MINUTE

/**
 * The rushes of a demo that starts at a time: the first begins at once and ends with a quarter of an hour of the clock, in which
 * demand is billed.
 *
 * now         epoch ms
 * worldStart  the world time then
 */
export function rushFrom(now: number, worldStart = now): Rush {
  const begin = now + LEAD
  const quarterEnd = Math.ceil(begin / QUARTER) * QUARTER
  const until = quarterEnd - begin >= ENOUGH ? quarterEnd : quarterEnd + QUARTER
  return { from: worldStart + LEAD, until: worldStart + until - now }
}

/** Whether a visitor is present at a time; without a rush there are none. */
export function isVisiting(rush: Rush | undefined, visit: Visit | undefined, at: number): boolean {
  if (!rush || !visit) return false
  const [late, stay] = [visit.late * 1000, visit.stay * 1000]
  if (at < rush.from + late) return false
  if (at < rush.until) return at < rush.until + stay
  const sinceEnd = (at - rush.until) % RUSH_INTERVAL_MS
  return (
    sinceEnd < stay ||
    (sinceEnd >= RUSH_INTERVAL_MS - RUSH_LASTS + late && sinceEnd < RUSH_INTERVAL_MS + stay)
  )
}
