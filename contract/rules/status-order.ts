/** Reports whose clock is further ahead than this are refused: one would block every true report after it. */
export const MAX_CLOCK_AHEAD_MS = 10 * 60_000

/**
 * Epoch milliseconds of a device Timestamp: longer than 10 digits is milliseconds, otherwise seconds (§4).
 *
 * returns  undefined for what is no moment: NaN, negative, fractions of a millisecond
 */
export function toMillis(timestamp: number): number | undefined {
  if (!Number.isFinite(timestamp) || timestamp < 0) return undefined
  const whole = Math.trunc(timestamp)
  return String(whole).length > 10 ? whole : Math.round(timestamp * 1000)
}

/** Whether a report replaces the stored one: an older Timestamp is ignored, an equal one is not older (§4). */
export const supersedes = (next: { Timestamp: number }, prev: { Timestamp: number } | undefined): boolean =>
  prev === undefined || next.Timestamp >= prev.Timestamp

/** Whether every value that was asked for is what the device now reports. */
export const confirms = (status: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([field, value]) => status[field] === value)

/** Whether a reading is younger than its meter's update frequency in seconds (§4). */
export const isCurrent = (timestamp: number, frequencySeconds: number, now: number): boolean =>
  now - timestamp <= frequencySeconds * 1000
