import type { HistorySeries } from '../../../contract/devices/history-calls.ts'

/** State of a device from a time on. */
export interface ReportedState {
  at: number
  /** Undefined while the state is unknown. */
  value: number | undefined
  /** Index in the series; undefined at the start or end of an unknown period, where no value is stored. */
  place?: number
}

/** Values of a series in ascending order; for a state also the times at which it became unknown and known again. */
export function reportedStates({ Timestamps, Values, Unknown }: HistorySeries): ReportedState[] {
  const [first] = Timestamps
  if (first === undefined) return []
  const told: ReportedState[] = []
  let place = 0
  let held: number | undefined
  /** Consumes values while `takes` returns true; values within an unknown period only determine the state after it. */
  const take = (takes: (at: number) => boolean, known: boolean) => {
    for (; place < Timestamps.length && takes(Timestamps[place] as number); place++) {
      held = Values[place]
      if (known) told.push({ at: Timestamps[place] as number, value: held, place })
    }
  }
  for (const { From, To: end } of Unknown) {
    const To = end ?? Infinity
    if (To <= first) continue
    take((at) => at <= From, true)
    told.push({ at: Math.max(From, first), value: undefined })
    take((at) => at < To, false)
    if (end !== null && Timestamps[place] !== end) told.push({ at: end, value: held })
  }
  take(() => true, true)
  return told
}

/** Removes repeated values. */
export const changesOf = (told: readonly ReportedState[]): ReportedState[] =>
  told.filter(({ value }, i) => i === 0 || value !== told[i - 1]?.value)
