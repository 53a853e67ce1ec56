import { JITTER_KWH, JITTER_REACH, levelAt, MAX_GAP_MS, type Sample } from './intervals.ts'

/** Maximum power of a meter without a known limit (meter-limit.ts), in kW. */
export const MAX_POWER_KW = 10_000
/** What no meter passes, whoever says so, in kW: 2 GW. */
export const CEILING_KW = 2_000_000
/** Two readings may be closer than a counter's step is fine: what it moved is judged over a minute at least, in ms. */
const MIN_SPAN_MS = 60_000
/** A counter that falls to another figure than 0 and is back within this, in ms, was misread and not replaced. */
export const MAX_GLITCH_MS = 3 * 3_600_000

/**
 * Reason that a reading does not count. A person decides on jumps and glitches. The others explain themselves: `dip` is a counter that
 * read 0 and returned, or may return; `clock` is a clock that had not been set yet.
 */
export const JUDGED_REASONS = ['jump', 'glitch', 'dip', 'clock'] as const
export type ValidationReason = (typeof JUDGED_REASONS)[number]
export const isExplained = (reason: ValidationReason): boolean => reason === 'dip' || reason === 'clock'

/** Readings that a misread counter may show the same low figure for; more of them are a counter that was reset. */
export const MAX_GLITCH_READINGS = 8
/** Time before the first increase of a counter that starts at 0 in which its readings of 0 count, in ms. */
export const COUNTED_ZEROS_MS = 12 * 3_600_000
/**
 * Time for which readings of 0 after a fall wait for the counter to return, in ms; then they count, and the counter was reset. Each
 * reading passes over all that wait.
 */
export const MAX_ZEROS_MS = 90 * 86_400_000
/**
 * Limits by which a meter's first readings are those of a clock that was not set: their maximum number and span, the minimum time before
 * the next reading, and the maximum that the counter moves in it; others must follow that reading within a day.
 */
export const UNSET_CLOCK = {
  readings: 8,
  lastsMs: 3_600_000,
  beforeMs: 7 * 86_400_000,
  movedKwh: 1,
  nextMs: 86_400_000,
} as const

/** A stored reading with what is known of it. */
export interface Reading extends Sample {
  /** What a person decided; dropped ones are not handed in. Samples of a replacement are accepted. */
  accepted?: boolean
  /** What the meter said that it passes, in W. */
  power?: number | null
}

/** The most that the meter may pass at a moment (epoch ms), in kW; a number where it is always the same. */
export type MaxKw = number | ((timestamp: number) => number)

/** State of the judging between two readings. */
export interface ValidationState {
  /** Readings that count, ascending: the next is compared with the last, and those before it tell its level. */
  counted?: readonly Sample[]
  /** Newest of the readings that follow a jump up, each true to the one before it. */
  jumped?: Sample | undefined
}

export interface ReadingValidation {
  /** Readings that count, ascending. */
  accepted: Sample[]
  quarantined: { timestamp: number; kwh: number; reason: ValidationReason }[]
  /** The first and the last of the readings after a fall that later ones may still explain, in epoch ms. */
  lows?: { first: number; last: number }
}

/** The power that a meter tells is its counter's, give or take. */
const CONFIRMED = 0.2

/**
 * Whether the counter can have moved from a level to a reading: upwards, give or take its last digit, and with no more power than
 * there can be, or with as much as the meter itself tells.
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
 * Tells readings that cannot be true from those that count.
 *
 * readings   of one meter, ascending, all that are stored after the state's ones
 * state      that of an earlier judging; nothing from the meter's first reading on
 * jump       implies more than `maxKw`, and something else than the meter tells; those that go on at the jumped level are
 *            quarantined with it, whatever time passes, until one follows the last that counts again, or a person accepts one
 * dip        a fall to 0, and the readings of 0 after it: the counter returns to at least what it showed, and the span between is one,
 *            or it has not been seen to count again yet, for 90 days at most
 * glitch     a fall to another figure, at which it stays for a few readings, and a return within 3 h of the last that counts
 * clock      the first readings of a meter whose clock was not set (`UNSET_CLOCK`)
 * resets     every other fall counts: the meter was replaced or reset. So does one to another figure than 0 that nothing follows yet
 */
export function validateReadings(
  readings: readonly Reading[],
  { counted = [], jumped }: ValidationState = {},
  maxKw: MaxKw = MAX_POWER_KW,
): ReadingValidation {
  const judgement: ReadingValidation = { accepted: [], quarantined: [] }
  /** The last readings that count. */
  const recent = counted.slice(-JITTER_REACH - 1)
  /** The last of them, at the level that the counter has reached. */
  let last: Sample | undefined
  /** Readings after a fall that the next ones explain: all of 0, or all of another figure. */
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

  /** Judges the readings after a fall by the next one; false while that is one of them. */
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
    // A jump beyond what the counter showed before it fell says nothing of the fall.
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
      // Time makes any level look possible: what goes on at the jumped one is no return.
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
