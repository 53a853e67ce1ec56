import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import { silenceChangesAt } from '../../../../contract/automation/evaluate-conditions.ts'
import { isMeterSum } from '../../../../contract/automation/condition.ts'
import { sumPeriodOf } from '../logic/predict-crossing.ts'
import type { CompiledRule } from './compile.ts'
import { valueAt } from './condition-index.ts'
import type {
  EvaluationInput,
  EvaluationTimers,
  ObservedValue,
  RuleState,
  Evaluation,
  EvaluationTimer,
} from './rule-state.ts'
import type { LogEntry } from './log.ts'

/** A timer that is processed later than this, ms, was due while no gateway ran. */
const DOWNTIME_THRESHOLD_MS = 60_000
/** Time after the start of a period from which its sums are trusted, ms. */
const PERIOD_GRACE_MS = 60_000
/** The value of a meter is unknown after this number of report intervals without a report. */
export const STALE_AFTER_INTERVALS = 3

const UNKNOWN: ObservedValue = { value: null, at: null }

/** Observed values of the conditions, and their time, epoch ms. */
interface Sample {
  at: number
  observed: ObservedValue[]
}

/** Whether an evaluation needs the current status of the devices. */
export const needsCurrentStatus = (
  { watched, devices }: CompiledRule,
  timers: EvaluationTimers,
  now: number,
): boolean =>
  watched.some(({ source }) => source === 'figure' || source === 'silence') ||
  (devices.length > 0 && watched.some(({ source }) => source === 'measure')) ||
  wasDueInDowntime(timers.get('hold') ?? Infinity, now)

/** Whether a timer was due while no gateway ran. */
export const wasDueInDowntime = (dueAt: number, now: number): boolean => dueAt < now - DOWNTIME_THRESHOLD_MS

/** Current value of a condition. That of a state is the value in the status, which may be newer than the log. */
export function currentValue(input: EvaluationInput, i: number): ObservedValue {
  const { rule, current, measures, now } = input
  const watched = rule.watched[i]
  const device = watched && current.get(watched.condition.PeripheralUID)
  if (watched?.source === 'measure') return { value: measures.get(i) ?? null, at: now }
  if (!watched || !device) return UNKNOWN
  if (watched.source === 'online') return { value: device.isOnline ? 1 : 0, at: now }
  if (device.timestamp === null) return UNKNOWN
  if (watched.source === 'silence') return silenceAt(input, device.uid, now)
  const isStale =
    watched.source === 'figure' &&
    device.frequency !== null &&
    now - device.timestamp > device.frequency * STALE_AFTER_INTERVALS * 1000
  const value = isStale ? undefined : valueAt(device.values ?? {}, watched.condition.Field)
  return { value: value ?? null, at: device.timestamp }
}

/** Silence of a device in seconds at a time, epoch ms; 0 if it has reported since, null if it has never reported. */
function silenceAt({ current }: EvaluationInput, uid: string, at: number): ObservedValue {
  const last = current.get(uid)?.timestamp ?? null
  return last === null ? UNKNOWN : { value: Math.max(0, at - last) / 1000, at }
}

/**
 * Values after a report: the logged changes, and of the devices that reported the figures of the same report, the sums that depend on
 * it, and the end of a silence. Late changes are ignored.
 *
 * at  assumed time of the report, epoch ms
 */
export function valuesAfterReport(
  input: EvaluationInput,
  before: readonly ObservedValue[],
  entries: readonly LogEntry[],
  at: number,
): ObservedValue[] {
  const { watched } = input.rule
  const observed = [...before]
  for (const { uid, field, value, timestamp } of entries)
    for (const [i, { condition, source }] of watched.entries())
      if (condition.PeripheralUID === uid && condition.Field === field && source !== 'figure')
        observed[i] = { value, at: timestamp }
  for (const { uid, field, timestamp } of entries) {
    const isNewest = field !== ONLINE && input.current.get(uid)?.timestamp === timestamp
    for (const [i, { condition, source }] of watched.entries()) {
      if (condition.PeripheralUID !== uid) continue
      if (source === 'silence') observed[i] = silenceAt(input, uid, field === ONLINE ? at : timestamp)
      else if (isNewest && (source === 'figure' || isComputedForPeriod(input, observed, i)))
        observed[i] = currentValue(input, i)
    }
  }
  return observed
}

/** Whether a condition is on a measure that was computed, for the same hour, day or month as its last observed value. */
const isComputedForPeriod = (
  input: EvaluationInput,
  observed: readonly ObservedValue[],
  i: number,
): boolean =>
  input.rule.watched[i]?.source === 'measure' &&
  input.measures.has(i) &&
  periodStart(input, observed, i) === undefined

/** Start of the current hour, day or month of a sum, if the last observed value belongs to an earlier one. */
function periodStart(
  { rule, measures, calendar, now }: EvaluationInput,
  observed: readonly ObservedValue[],
  i: number,
): number | undefined {
  const { Field = '' } = rule.watched[i]?.condition ?? {}
  const { value, at } = observed[i] ?? UNKNOWN
  const computed = measures.get(i)
  if (!isMeterSum(Field) || value === null || at === null || computed === undefined) return undefined
  const { from } = sumPeriodOf(Field, now, calendar.zone)
  // A value that is not lower right after the start was computed before it.
  const isOfPeriod = computed === null || computed < value || now - from > PERIOD_GRACE_MS
  return at < from && isOfPeriod ? from : undefined
}

/**
 * Values at the start of an hour, day or month: its sums are zero, whatever their present value.
 *
 * returns  undefined if none has begun since the last evaluation
 */
function sumsAfterReset(input: EvaluationInput, { observed, asOf }: RuleState): Sample | undefined {
  const starts = input.rule.watched.map((_, i) => periodStart(input, observed, i))
  const latest = Math.max(...starts.map((from) => from ?? -Infinity))
  if (latest === -Infinity) return undefined
  const at = Math.min(Math.max(latest, asOf), input.now)
  return { at, observed: observed.map((value, i) => (starts[i] === undefined ? value : { value: 0, at })) }
}

/** Current values, except those from the log; undefined if none has changed. */
function sampledValues(input: EvaluationInput, { observed }: RuleState): Sample | undefined {
  const { rule, measures, now } = input
  let at: number | undefined
  const sampled = rule.watched.map(({ source }, i) => {
    const previous = observed[i] ?? UNKNOWN
    if (source === 'event' || source === 'online') return previous
    if (source === 'measure' && !measures.has(i)) return previous
    const current = currentValue(input, i)
    if (current.value !== previous.value)
      at = Math.max(at ?? 0, current.value === null ? now : (current.at ?? now))
    return current
  })
  return at === undefined ? undefined : { at, observed: sampled }
}

/** Time at which a silence changes a condition's verdict, epoch ms; undefined if none does. */
export function nextSilenceChange({ rule, current, now }: EvaluationInput): number | undefined {
  const changes = rule.watched.flatMap(({ condition, source }) => {
    const timestamp = current.get(condition.PeripheralUID)?.timestamp ?? null
    return source === 'silence' && timestamp !== null
      ? (silenceChangesAt(condition, timestamp, now) ?? [])
      : []
  })
  return changes.length > 0 ? Math.min(...changes) : undefined
}

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
