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
  const states: ReportedState[] = []
  let place = 0
  let lastValue: number | undefined
  /** Consumes values while `matches` returns true; values within an unknown period only determine the state after it. */
  const consume = (matches: (at: number) => boolean, isKnown: boolean) => {
    for (; place < Timestamps.length && matches(Timestamps[place] as number); place++) {
      lastValue = Values[place]
      if (isKnown) states.push({ at: Timestamps[place] as number, value: lastValue, place })
    }
  }
  for (const { From, To: end } of Unknown) {
    const To = end ?? Infinity
    if (To <= first) continue
    consume((at) => at <= From, true)
    states.push({ at: Math.max(From, first), value: undefined })
    consume((at) => at < To, false)
    if (end !== null && Timestamps[place] !== end) states.push({ at: end, value: lastValue })
  }
  consume(() => true, true)
  return states
}

/** Removes repeated values. */
export const changesOf = (states: readonly ReportedState[]): ReportedState[] =>
  states.filter(({ value }, i) => i === 0 || value !== states[i - 1]?.value)
