import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import type { Evaluation, EvaluationInput, EvaluationTimer, EvaluationTimers } from './evaluation.ts'
import type { LogEntry } from './log.ts'
import type { ObservedValue } from './rule-state.ts'
import { sampledValues, sumsAfterReset } from './values.ts'

/** Maximum difference between device and gateway clock, ms. */
const MAX_CLOCK_SKEW_MS = 60_000

/**
 * Event of a rule, at a time in epoch ms.
 *
 * report  changes of one report of a device, or of its connection state
 * timer   a timer expired
 * values  values other than those of the log; observedAt  their time by the device's clock
 */
export type TimedEvent =
  | { kind: 'report'; at: number; entries: readonly LogEntry[] }
  | { kind: 'timer'; at: number; timer: EvaluationTimer }
  | { kind: 'values'; at: number; observedAt: number; observed: readonly ObservedValue[] }

/**
 * Events of an evaluation in order of time: reports of the log, the start of a new hour, day or month of sums, current values, and
 * each timer that is due before the next of them.
 *
 * progress  returns the evaluation after the events so far, because each event may set and cancel timers
 */
export function* eventsOf(
  input: EvaluationInput,
  progress: () => Pick<Evaluation, 'state' | 'timers'>,
): Generator<TimedEvent, void> {
  const { log, now } = input
  function* timersBefore(at: number): Generator<TimedEvent, void> {
    // Ends, because a timer that is due is only set again for a later time.
    for (let next = firstTimer(progress().timers, at); next; next = firstTimer(progress().timers, at))
      yield next
  }
  for (const { at: reportedAt, entries } of reportsOf(log, now)) {
    const at = Math.max(reportedAt, Math.min(progress().state.asOf, now))
    yield* timersBefore(at)
    yield { kind: 'report', at, entries }
  }
  const reset = sumsAfterReset(input, progress().state)
  if (reset) {
    yield* timersBefore(reset.at)
    yield { kind: 'values', at: reset.at, observedAt: reset.at, observed: reset.observed }
  }
  const sample = sampledValues(input, progress().state)
  if (sample) {
    yield* timersBefore(Math.min(Math.max(sample.at, now - MAX_CLOCK_SKEW_MS), now))
    yield { kind: 'values', at: now, observedAt: sample.at, observed: sample.observed }
  }
  yield* timersBefore(now + 1)
}

/** First timer that is due before a time. */
function firstTimer(timers: EvaluationTimers, before: number): TimedEvent | undefined {
  let first: (TimedEvent & { kind: 'timer' }) | undefined
  for (const [timer, at] of timers) if (at < (first?.at ?? before)) first = { kind: 'timer', at, timer }
  return first
}

/** Log entries of one report, which writes all of its changes in order of their names. */
interface Report {
  /** Assumed time of the changes, epoch ms. */
  at: number
  entries: LogEntry[]
}

function reportsOf(log: readonly LogEntry[], now: number): Report[] {
  const reports: Report[] = []
  for (const entry of log) {
    const last = reports.at(-1)
    const before = last?.entries.at(-1)
    if (last && before && isSameReport(before, entry)) last.entries.push(entry)
    else reports.push({ at: timeOf(entry, now), entries: [entry] })
  }
  // An entry that was written before another one also happened before it, whatever the clocks of the devices.
  for (let i = reports.length - 2; i >= 0; i--) {
    const [one, next] = [reports[i] as Report, reports[i + 1] as Report]
    one.at = Math.min(one.at, next.at)
  }
  return reports
}

const isSameReport = (before: LogEntry, entry: LogEntry): boolean =>
  before.uid === entry.uid &&
  before.timestamp === entry.timestamp &&
  before.late === entry.late &&
  before.field < entry.field &&
  before.field !== ONLINE &&
  entry.field !== ONLINE

/** The connection state carries the gateway's timestamp, other entries that of the device. */
const timeOf = ({ field, timestamp }: LogEntry, now: number): number =>
  field === ONLINE ? Math.min(timestamp, now) : Math.min(Math.max(timestamp, now - MAX_CLOCK_SKEW_MS), now)
