import { JITTER_KWH, JITTER_REACH, levelAt, MAX_GAP_MS, type Sample } from './intervals.ts'

/** Maximum power of a meter without a known limit (meter-limit.ts), in kW. */
export const MAX_POWER_KW = 10_000
/** Upper bound for the power of any meter, in kW: 2 GW. */
export const CEILING_KW = 2_000_000
/** Minimum time in ms over which power is computed, because readings may be closer than the counter's resolution allows. */
export const MIN_SPAN_MS = 60_000
/** Maximum duration in ms of a fall to a value other than 0 that counts as a misreading instead of a replacement. */
export const MAX_GLITCH_MS = 3 * 3_600_000

/**
 * Reason that a reading does not count. A person decides on jumps and glitches. The others are explained by later readings: `dip` is a
 * counter that read 0 and returned, or may return; `clock` is a clock that had not been set yet.
 */
export const JUDGED_REASONS = ['jump', 'glitch', 'dip', 'clock'] as const
export type ValidationReason = (typeof JUDGED_REASONS)[number]
export const isExplained = (reason: ValidationReason): boolean => reason === 'dip' || reason === 'clock'

/** Maximum number of readings at a misread lower value; more mean that the counter was reset. */
export const MAX_GLITCH_READINGS = 8
/** Time before the first increase of a counter that starts at 0 in which its readings of 0 count, in ms. */
export const COUNTED_ZEROS_MS = 12 * 3_600_000
/**
 * Time for which readings of 0 after a fall wait for the counter to return, in ms; after that they count as a reset. Each validation
 * revisits all waiting readings.
 */
export const MAX_ZEROS_MS = 90 * 86_400_000
/**
 * Limits by which a meter's first readings come from an unset clock: their maximum number and span, the minimum time before the next
 * reading, and the maximum increase of the counter in it; others must follow that reading within a day.
 */
export const UNSET_CLOCK = {
  readings: 8,
  lastsMs: 3_600_000,
  beforeMs: 7 * 86_400_000,
  movedKwh: 1,
  nextMs: 86_400_000,
} as const

/** Stored reading with its metadata. */
export interface Reading extends Sample {
  /** Whether a person accepted it; dropped readings are not passed in. Samples of a replacement are accepted. */
  accepted?: boolean
  /** Power that the meter reported, in W. */
  power?: number | null
}

/** Maximum power of the meter at a timestamp (epoch ms), in kW; a number if constant. */
export type MaxKw = number | ((timestamp: number) => number)

export interface ValidationState {
  /** Readings that count, ascending: the next is compared with the last, and the earlier ones determine its level. */
  counted?: readonly Sample[]
  /** Latest reading after an upward jump; each of these is consistent with the previous one. */
  jumped?: Sample | undefined
}

export interface ReadingValidation {
  /** Readings that count, ascending. */
  accepted: Sample[]
  quarantined: { timestamp: number; kwh: number; reason: ValidationReason }[]
  /** First and last of the readings after a fall that later ones may still explain, in epoch ms. */
  lows?: { first: number; last: number }
}

/** Maximum relative difference between reported and computed power. */
const CONFIRMED = 0.2

/**
 * Whether the counter can have moved from a level to a reading: not down by more than its last digit, and at a power within the limit or
 * confirmed by the meter itself.
 */
function follows(next: Reading, { timestamp, kwh: level }: Sample, maxKw: MaxKw): boolean {
  const kwh = next.kwh - level
  if (kwh < -JITTER_KWH) return false
  const kw = (kwh * 3_600_000) / Math.max(MIN_SPAN_MS, next.timestamp - timestamp)
  if (kw <= (typeof maxKw === 'number' ? maxKw : maxKw(next.timestamp))) return true
  return (
    kw <= CEILING_KW && typeof next.power === 'number' && Math.abs(next.power / 1000 - kw) <= CONFIRMED * kw
  )
}

/**
 * Separates implausible readings from those that count.
 *
 * readings   of one meter, ascending; all that are stored after those of the state
 * state      result of an earlier validation; empty when starting at the meter's first reading
 * jump       implies more than `maxKw`, and differs from the reported power; readings that continue at the higher level are quarantined
 *            with it, regardless of time, until one follows the last that counts again, or a person accepts one
 * dip        a fall to 0, and the readings of 0 after it: the counter returns to at least its earlier value, and the span between is one,
 *            or it has not increased again yet, for 90 days at most
 * glitch     a fall to another value that lasts a few readings, and a return within 3 h of the last reading that counts
 * clock      first readings of a meter whose clock was not set (`UNSET_CLOCK`)
 * resets     every other fall counts: the meter was replaced or reset. So does one to a value other than 0 that has no successor yet
 */
export function validateReadings(
  readings: readonly Reading[],
  { counted = [], jumped }: ValidationState = {},
  maxKw: MaxKw = MAX_POWER_KW,
): ReadingValidation {
  const judgement: ReadingValidation = { accepted: [], quarantined: [] }
  /** Latest readings that count. */
  const recent = counted.slice(-JITTER_REACH - 1)
  /** Last of them, at the level that the counter has reached. */
  let last: Sample | undefined
  /** Readings after a fall that later ones explain: all of 0, or all of another value. */
  let lows: Reading[] = []

  const reach = () => {
    const newest = recent.at(-1)
    last = newest && { timestamp: newest.timestamp, kwh: levelAt(recent, recent.length - 1) }
  }
  const accept = (reading: Sample) => {
    judgement.accepted.push(reading)
    recent.push(reading)
    if (recent.length > JITTER_REACH + 1) recent.shift()
    reach()
    jumped = undefined
  }
  const quarantine = ({ timestamp, kwh }: Sample, reason: ValidationReason) =>
    judgement.quarantined.push({ timestamp, kwh, reason })

  /** Classifies the readings after a fall by the next one; false while that belongs to them. */
  const explainLows = (next: Reading, before: Sample): boolean => {
    const [first, newest] = [lows[0] as Reading, lows.at(-1) as Reading]
    const isZero = first.kwh === 0
    const silence = next.timestamp - before.timestamp
    const isDecided = next.restarts === true || next.accepted === true
    if (!next.restarts && follows(next, before, maxKw) && silence <= (isZero ? MAX_GAP_MS : MAX_GLITCH_MS))
      for (const low of lows) quarantine(low, isZero ? 'dip' : 'glitch')
    else if (
      !isDecided &&
      (isZero
        ? next.kwh === 0 && silence <= MAX_ZEROS_MS
        : Math.abs(next.kwh - first.kwh) <= JITTER_KWH &&
          silence <= MAX_GLITCH_MS &&
          lows.length < MAX_GLITCH_READINGS)
    )
      return false
    // A jump above the value before the fall does not explain the fall.
    else if (isZero && !isDecided && next.kwh >= before.kwh) for (const low of lows) quarantine(low, 'dip')
    else
      for (const low of lows)
        if (isZero && newest.timestamp - low.timestamp > COUNTED_ZEROS_MS) quarantine(low, 'dip')
        else accept(low)
    lows = []
    return true
  }

  reach()
  const unset = counted.length === 0 ? countUnsetClock(readings) : 0
  for (const reading of readings.slice(0, unset)) quarantine(reading, 'clock')
  for (const reading of readings.slice(unset)) {
    if (lows.length > 0 && last && !explainLows(reading, last)) {
      lows.push(reading)
      continue
    }
    if (!last || reading.accepted || reading.restarts || follows(reading, last, maxKw)) {
      // Given enough time, any level is plausible: continuing at the jumped level is no return.
      if (jumped && !reading.accepted && !reading.restarts && follows(reading, jumped, maxKw)) {
        quarantine(reading, 'jump')
        jumped = reading
      } else accept(reading)
    } else if (reading.kwh < last.kwh) {
      jumped = undefined
      lows = [reading]
    } else {
      quarantine(reading, 'jump')
      jumped = reading
    }
  }
  const [first, newest] = [lows[0], lows.at(-1)]
  if (first && newest) judgement.lows = { first: first.timestamp, last: newest.timestamp }
  for (const low of lows)
    if (low.kwh === 0) quarantine(low, 'dip')
    else accept(low)
  judgement.quarantined.sort((a, b) => a.timestamp - b.timestamp)
  return judgement
}

/** Number of a meter's first readings whose clock was not set. */
function countUnsetClock(readings: readonly Reading[]): number {
  const first = readings[0]
  const gap = readings.findIndex(
    ({ timestamp }, i) => i > 0 && timestamp - (readings[i - 1] as Reading).timestamp >= UNSET_CLOCK.beforeMs,
  )
  const [before, after, next] = [readings[gap - 1], readings[gap], readings[gap + 1]]
  if (!first || !before || !after || !next || gap > UNSET_CLOCK.readings) return 0
  if (readings.slice(0, gap + 1).some(({ accepted, restarts }) => accepted || restarts)) return 0
  const isLost = after.timestamp - before.timestamp > MAX_GAP_MS
  const isStill = Math.abs(after.kwh - before.kwh) <= UNSET_CLOCK.movedKwh
  return before.timestamp - first.timestamp <= UNSET_CLOCK.lastsMs &&
    next.timestamp - after.timestamp <= UNSET_CLOCK.nextMs &&
    (isLost || isStill)
    ? gap
    : 0
}
