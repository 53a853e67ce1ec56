import type { Sample } from '../energy/intervals.ts'

/** The most that one meter can pass, in kW: what implies more is no energy but a fault, such as Wh taken for kWh. */
export const MAX_POWER_KW = 10_000
/** Two readings may be closer than a counter's step is fine: what it moved is judged over a minute at least, in ms. */
const SHORTEST_SPAN = 60_000
/** A counter that falls and is back within this, in ms, was misread once and not replaced. */
export const MAX_GLITCH = 3 * 3_600_000

export type JudgedReason = 'jump' | 'glitch'

/** A stored reading with what is known of it. */
export interface Reading extends Sample {
  /** What a person decided; dropped ones are not handed in. Samples of a replacement are accepted. */
  accepted?: boolean
}

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

/** Whether the counter can have moved from one to the other: upwards, and with no more power than there can be. */
const follows = (next: Sample, before: Sample, maxKw: number): boolean =>
  next.kwh >= before.kwh &&
  next.kwh - before.kwh <= (maxKw * Math.max(SHORTEST_SPAN, next.timestamp - before.timestamp)) / 3_600_000

/**
 * Tells readings that cannot be true from those that count.
 *
 * readings   of one meter, ascending, all that are stored after the state's ones
 * state      where an earlier judging stood; nothing for the meter's first reading
 * jump       implies more than `maxKw`; those that go on at the jumped level are quarantined with it, whatever time passes, until
 *            one follows the last that counts again, or a person accepts one
 * glitch     a single fall of which the next reading, within 3 h of the last that counts, knows nothing
 * resets     every other fall counts: the meter was replaced or reset. So does one that nothing follows yet
 */
export function judgeReadings(
  readings: readonly Reading[],
  { last, jumped }: JudgeState = {},
  maxKw: number = MAX_POWER_KW,
): Judgement {
  const judgement: Judgement = { accepted: [], quarantined: [] }
  /** A fall that the next reading explains. */
  let low: Sample | undefined

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
