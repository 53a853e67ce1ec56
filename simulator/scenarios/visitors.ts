const MINUTE = 60_000

/** What comes again and again while one watches the demo: cars that charge together. Epoch ms at which people live. */
export interface Rush {
  /** Nothing of it happens before. */
  from: number
  /** When the first one is over; each later one ends a whole number of `RUSH_EVERY` after it. */
  until: number
}

/** Who comes with a rush, seconds: how long after its beginning, and how long they stay after its end; below 0 they leave before it. */
export interface Visit {
  late: number
  stay: number
}

/** ms from the end of one rush to the end of the next, and how long it lasts; the first is as long as `Rush` says. */
export const RUSH_EVERY = 60 * MINUTE
export const RUSH_LASTS = 11 * MINUTE
/** The least that is left of a quarter of an hour for a rush to exceed what is agreed in it. */
const ENOUGH = 7.5 * MINUTE
/** Time in which somebody who has started the demo finds the page. */
const LEAD = 45_000
const QUARTER = 15 * MINUTE

/**
 * The rushes of a demo that starts at a moment: the first begins at once and ends with a quarter of an hour by the clock, in which
 * demand is billed.
 *
 * now         epoch ms
 * worldStart  the moment at which people live then
 */
export function rushFrom(now: number, worldStart = now): Rush {
  const begin = now + LEAD
  const quarterEnd = Math.ceil(begin / QUARTER) * QUARTER
  const until = quarterEnd - begin >= ENOUGH ? quarterEnd : quarterEnd + QUARTER
  return { from: worldStart + LEAD, until: worldStart + until - now }
}

/** Whether a visitor is there at a moment; nobody comes without a rush. */
export function isVisiting(rush: Rush | undefined, visit: Visit | undefined, at: number): boolean {
  if (!rush || !visit) return false
  const [late, stay] = [visit.late * 1000, visit.stay * 1000]
  if (at < rush.from + late) return false
  if (at < rush.until) return at < rush.until + stay
  const sinceEnd = (at - rush.until) % RUSH_EVERY
  return sinceEnd < stay || (sinceEnd >= RUSH_EVERY - RUSH_LASTS + late && sinceEnd < RUSH_EVERY + stay)
}
