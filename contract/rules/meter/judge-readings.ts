import type { Sample } from '../energy/intervals.ts'

/** The most that a meter can pass of which nothing else is known (meter-limit.ts), in kW. */
export const MAX_POWER_KW = 10_000
/** What no meter passes, whoever says so, in kW: 2 GW. */
export const CEILING_KW = 2_000_000
/** Two readings may be closer than a counter's step is fine: what it moved is judged over a minute at least, in ms. */
const SHORTEST_SPAN = 60_000
/** A counter that falls and is back within this, in ms, was misread once and not replaced. */
export const MAX_GLITCH = 3 * 3_600_000

export type JudgedReason = 'jump' | 'glitch'

/** A stored reading with what is known of it. */
export interface Reading extends Sample {
  /** What a person decided; dropped ones are not handed in. Samples of a replacement are accepted. */
  accepted?: boolean
  /** What the meter said that it passes, in W. */
  power?: number | null
}

/** The most that the meter may pass at a moment (epoch ms), in kW; a number where it is always the same. */
export type MaxKw = number | ((timestamp: number) => number)

/** Where the judging stands between two readings. */
export interface JudgeState {
  /** The last reading that counts. */
  last?: Sample
  /** Newest of the readings that follow a jump up, each true to the one before it. */
  jumped?: Sample
}

export interface Judgement {
  /** Readings that count, ascending. */
  accepted: Sample[]
  quarantined: { timestamp: number; kwh: number; reason: JudgedReason }[]
}

/** The power that a meter tells is its counter's, give or take. */
const CONFIRMED = 0.2

/**
 * Whether the counter can have moved from one to the other: upwards, and with no more power than there can be, or with as much
 * as the meter itself tells.
 */
function follows(next: Reading, before: Sample, maxKw: MaxKw): boolean {
  const kwh = next.kwh - before.kwh
  if (kwh < 0) return false
  const kw = (kwh * 3_600_000) / Math.max(SHORTEST_SPAN, next.timestamp - before.timestamp)
  if (kw <= (typeof maxKw === 'number' ? maxKw : maxKw(next.timestamp))) return true
  return (
    kw <= CEILING_KW && typeof next.power === 'number' && Math.abs(next.power / 1000 - kw) <= CONFIRMED * kw
  )
}

/**
 * Tells readings that cannot be true from those that count.
 *
 * readings   of one meter, ascending, all that are stored after the state's ones
 * state      where an earlier judging stood; nothing for the meter's first reading
 * jump       implies more than `maxKw`, and something else than the meter tells; those that go on at the jumped level are
 *            quarantined with it, whatever time passes, until one follows the last that counts again, or a person accepts one
 * glitch     a single fall of which the next reading, within 3 h of the last that counts, knows nothing
 * resets     every other fall counts: the meter was replaced or reset. So does one that nothing follows yet
 */
export function judgeReadings(
  readings: readonly Reading[],
  { last, jumped }: JudgeState = {},
  maxKw: MaxKw = MAX_POWER_KW,
): Judgement {
  const judgement: Judgement = { accepted: [], quarantined: [] }
  /** A fall that the next reading explains. */
  let low: Reading | undefined

  const accept = (reading: Sample) => {
    judgement.accepted.push(reading)
    last = reading
    jumped = undefined
  }
  const quarantine = ({ timestamp, kwh }: Sample, reason: JudgedReason) =>
    judgement.quarantined.push({ timestamp, kwh, reason })

  for (const reading of readings) {
    if (low && last) {
      const misread =
        !reading.restarts && follows(reading, last, maxKw) && reading.timestamp - last.timestamp <= MAX_GLITCH
      if (misread) quarantine(low, 'glitch')
      else accept(low)
      low = undefined
    }
    if (!last || reading.accepted || reading.restarts || follows(reading, last, maxKw)) {
      // Time makes any level look possible: what goes on at the jumped one is no return.
      if (jumped && !reading.accepted && !reading.restarts && follows(reading, jumped, maxKw)) {
        quarantine(reading, 'jump')
        jumped = reading
      } else accept(reading)
    } else if (reading.kwh < last.kwh) {
      jumped = undefined
      low = reading
    } else {
      quarantine(reading, 'jump')
      jumped = reading
    }
  }
  if (low) accept(low)
  judgement.quarantined.sort((a, b) => a.timestamp - b.timestamp)
  return judgement
}
