import { isRecord } from '../kernel/is-record.ts'

/** Reports whose clock is further ahead than this are refused: one would block every true report after it. */
export const MAX_CLOCK_AHEAD_MS = 10 * 60_000

/** Maximum difference between two clocks that are right, ms: a time further ahead is that of a clock that is ahead. */
export const CLOCK_TOLERANCE_MS = 10_000

/**
 * Epoch milliseconds of a device Timestamp: longer than 10 digits is milliseconds, otherwise seconds (§4).
 *
 * returns  undefined for what is no moment: NaN, negative, fractions of a millisecond
 */
export function toMillis(timestamp: number): number | undefined {
  if (!Number.isFinite(timestamp) || timestamp < 0) return undefined
  return timestamp >= 1e10 ? Math.trunc(timestamp) : Math.round(timestamp * 1000)
}

/** Whether a report replaces the stored one: an older Timestamp is ignored, an equal one is not older (§4). */
export const supersedes = (next: { Timestamp: number }, prev: { Timestamp: number } | undefined): boolean =>
  prev === undefined || next.Timestamp >= prev.Timestamp

/**
 * Whether every value that was asked for is what the device now reports. Of a record only what was asked for counts; of
 * a list each entry that was asked for is matched by some entry, so that a thermostat's zones are told apart by NodeID.
 */
export const confirms = (status: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([field, value]) => shows(status[field], value))

/** Reported values in place of those that a command asked for, by their names: `setpoint: 18`, or `unknown` if there is none. */
export const reportedInstead = (status: Record<string, unknown>, values: Record<string, unknown>): string[] =>
  Object.entries(values).flatMap(([field, value]) => {
    const reported = status[field]
    if (shows(reported, value)) return []
    if (isRecord(value) && isRecord(reported)) return reportedInstead(reported, value)
    return [`${field}: ${reported === null || reported === undefined ? 'unknown' : JSON.stringify(reported)}`]
  })

function shows(reported: unknown, asked: unknown): boolean {
  if (Array.isArray(asked))
    return Array.isArray(reported) && asked.every((entry) => reported.some((shown) => shows(shown, entry)))
  if (isRecord(asked)) return isRecord(reported) && confirms(reported, asked)
  if (typeof asked === 'number' && typeof reported === 'number') return isSameNumber(reported, asked)
  return reported === asked
}

/** Hubs that scale in binary fractions report 21.600000000000001 for 21.6. */
const isSameNumber = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

/** Whether a reading is younger than its meter's update frequency in seconds (§4): at that age the next one is due. */
export const isCurrent = (timestamp: number, frequencySeconds: number, now: number): boolean =>
  now - timestamp < frequencySeconds * 1000
