/** Time zone of a room without a home. */
export const DEFAULT_ZONE = 'Asia/Taipei'
export const MINUTE = 60_000
/** Maximum duration of a booking: 24 hours. */
export const MAX_BOOKING_MINUTES = 24 * 60
/** Maximum number of days that a room can be booked in advance. */
const MAX_DAYS_AHEAD = 366

/** Period of time, epoch ms, half-open [start, end): adjacent periods do not overlap. */
export interface Period {
  StartTimestamp: number
  EndTimestamp: number
}

export const periodsOverlap = (a: Period, b: Period): boolean =>
  a.StartTimestamp < b.EndTimestamp && b.StartTimestamp < a.EndTimestamp

/**
 * Validates the period of a booking; undefined if valid: it begins and ends on whole minutes, lasts at most a day, and begins neither
 * before the current minute nor later than a year from now.
 */
export function periodProblem(
  { StartTimestamp, EndTimestamp }: Period,
  now: number,
): { field: keyof Period; reason: 'invalid' | 'endBeforeStart' | 'tooBig' | 'past' } | undefined {
  if (StartTimestamp % MINUTE) return { field: 'StartTimestamp', reason: 'invalid' }
  if (EndTimestamp % MINUTE) return { field: 'EndTimestamp', reason: 'invalid' }
  if (EndTimestamp <= StartTimestamp) return { field: 'EndTimestamp', reason: 'endBeforeStart' }
  if (EndTimestamp - StartTimestamp > MAX_BOOKING_MINUTES * MINUTE)
    return { field: 'EndTimestamp', reason: 'tooBig' }
  if (StartTimestamp < now - (now % MINUTE)) return { field: 'StartTimestamp', reason: 'past' }
  if (StartTimestamp > now + MAX_DAYS_AHEAD * 24 * 60 * MINUTE)
    return { field: 'StartTimestamp', reason: 'tooBig' }
  return undefined
}

/**
 * Free periods within another.
 *
 * busy     in any order; may overlap each other and extend beyond `within`
 * minutes  minimum length of a returned period
 * returns  ascending, none touching another
 */
export function freePeriods(busy: readonly Period[], within: Period, minutes: number): Period[] {
  const free: Period[] = []
  let from = within.StartTimestamp
  const keep = (until: number) => {
    if (until - from >= minutes * MINUTE) free.push({ StartTimestamp: from, EndTimestamp: until })
  }
  for (const taken of busy.toSorted((a, b) => a.StartTimestamp - b.StartTimestamp)) {
    if (!periodsOverlap(taken, within)) continue
    keep(taken.StartTimestamp)
    from = Math.max(from, taken.EndTimestamp)
  }
  keep(within.EndTimestamp)
  return free
}
