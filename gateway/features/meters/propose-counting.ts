import type { Sample } from '../../../contract/meters/intervals.ts'
import { CEILING_KW } from '../../../contract/meters/validate-readings.ts'

/** Minimum number of readings, and minimum time in ms, after which a jump is lasting. */
export const LASTING = { readings: 3, ms: 3_600_000 } as const
/** Maximum ratio of the first step to the following ones at which the power has risen; a larger one means another level of the counter. */
const TIMES_NEXT = 2
/** Factor by which a proposed limit exceeds the observed power. */
const MARGIN = 1.2

/** A run of readings quarantined as jumps that has not ended. */
export interface JumpRun {
  /** The last reading that counts, before the run. */
  before: Sample
  first: Sample
  last: Sample
  count: number
  /** Power of the step to the first reading, and the highest of the steps within the run, in kW. */
  firstKw: number
  nextKw: number
  /** Last reading before the counter fell, and the first after it; undefined if it did not fall recently. */
  fall?: { from: Sample; to: Sample } | undefined
}

export type CountingProposal =
  | { Kind: 'limit'; LimitKw: number }
  | { Kind: 'replacements'; Replacements: { At: number; OldKwh: number; NewKwh: number }[] }

/** Proposal that makes a lasting jump count once a person accepts it; undefined if nothing explains the jump. */
export function proposeCounting(run: JumpRun): CountingProposal | undefined {
  const { before, first, last, count, firstKw, nextKw, fall } = run
  if (count < LASTING.readings || last.timestamp - first.timestamp < LASTING.ms) return undefined
  if (firstKw <= TIMES_NEXT * nextKw) {
    const LimitKw = roundUp(MARGIN * Math.max(firstKw, nextKw))
    return LimitKw <= CEILING_KW ? { Kind: 'limit', LimitKw } : undefined
  }
  if (!fall || first.kwh < fall.from.kwh) return undefined
  // The energy counted between fall and return is part of the counter's movement until it returned.
  const counted = before.kwh - fall.to.kwh
  return {
    Kind: 'replacements',
    Replacements: [
      { At: fall.to.timestamp, OldKwh: fall.from.kwh, NewKwh: fall.to.kwh },
      {
        At: first.timestamp,
        OldKwh: before.kwh,
        NewKwh: Math.min(first.kwh, fall.from.kwh + counted),
      },
    ],
  }
}

/** Rounds up to two significant digits. */
function roundUp(kw: number): number {
  const step = 10 ** (Math.floor(Math.log10(kw)) - 1)
  return Math.round(Math.ceil(kw / step) * step * 1e6) / 1e6
}
