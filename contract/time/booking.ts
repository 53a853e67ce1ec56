/** Where no home says which clock hangs in a room. */
export const DEFAULT_ZONE = 'Asia/Taipei'
export const MINUTE = 60_000
/** The longest booking: a day and a night. */
export const MAX_BOOKING_MINUTES = 24 * 60
/** How far ahead a room can be booked, in days. */
const MAX_DAYS_AHEAD = 366

/** A period of time, epoch ms, [start, end): who ends when another begins does not overlap. */
export interface Period {
  StartTimestamp: number
  EndTimestamp: number
}

/** Whether two periods have a moment in common. */
export const periodsOverlap = (a: Period, b: Period): boolean =>
  a.StartTimestamp < b.EndTimestamp && b.StartTimestamp < a.EndTimestamp

/**
 * What is wrong with the period of a booking, or undefined: it begins and ends on whole minutes, is at most a day long and
 * does not begin before the minute that is running, nor later than a year from now.
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
 * The periods within another in which nothing is booked.
 *
 * busy     in any order; may overlap each other and reach beyond `within`
 * minutes  shorter gaps are left out
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
