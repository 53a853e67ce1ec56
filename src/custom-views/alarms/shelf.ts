import { MAX_SHELVE_MS } from '../../../contract/alarms/calls.ts'
import { fromWallTimeInput, toWallTimeInput } from '../../lib/wall-input.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Durations of shelving; `own` is a chosen time. */
export const SHELVE_DURATIONS = ['hour', 'four', 'morning', 'own'] as const
export type ShelveDuration = (typeof SHELVE_DURATIONS)[number]

/** Next 08:00 in the home's time zone, at most 24 hours from now. */
export function nextMorning(now: number, zone: string): number {
  const morningOf = (at: number) =>
    fromWallTimeInput(`${toWallTimeInput(at, zone).slice(0, 10)}T08:00`, zone) ?? at
  const today = morningOf(now)
  const next = today > now ? today : morningOf(now + DAY)
  return Math.min(next, now + MAX_SHELVE_MS)
}

/** own  value of a date and time field */
export function shelveEnd(
  length: ShelveDuration,
  own: string,
  now: number,
  zone: string,
): number | undefined {
  if (length === 'own') return fromWallTimeInput(own, zone)
  return length === 'hour' ? now + HOUR : length === 'four' ? now + 4 * HOUR : nextMorning(now, zone)
}

export function shelfFault(until: number | undefined, now: number): 'pastTime' | 'tooLong' | undefined {
  if (until === undefined || until <= now) return 'pastTime'
  // Tolerance: a time chosen to the minute may slightly exceed the maximum.
  return until > now + MAX_SHELVE_MS ? 'tooLong' : undefined
}
