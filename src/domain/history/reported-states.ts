import type { HistorySeries } from '../../../contract/devices/history-calls.ts'

/** From a moment on this was a device's state. */
export interface ReportedState {
  at: number
  /** Undefined where nobody could know it. */
  value: number | undefined
  /** Its place in the series; undefined where none is stored: a time of which nothing is known begins there, or ends. */
  place?: number
}

/**
 * The values of a series, and of a state also from when on nobody could know it, and from when on it holds again, ascending; of
 * what is measured there is nothing else than its values.
 */
export function reportedStates({ Timestamps, Values, Unknown }: HistorySeries): ReportedState[] {
  const [first] = Timestamps
  if (first === undefined) return []
  const told: ReportedState[] = []
  let place = 0
  let held: number | undefined
  /** The values while `takes` says so; those of a time of which nothing is known only say what holds after it. */
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

/** Of neighbours that say the same the first. */
export const changesOf = (told: readonly ReportedState[]): ReportedState[] =>
  told.filter(({ value }, i) => i === 0 || value !== told[i - 1]?.value)
