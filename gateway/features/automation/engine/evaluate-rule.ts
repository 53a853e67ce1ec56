import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import { isPeriodOpen, nextPeriodChange } from '../logic/period-schedule.ts'
import { sumPeriodOf } from '../logic/predict-crossing.ts'
import { type Conditions, isMeterSum } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import {
  type ComparedCondition,
  silenceChangesAt,
} from '../../../../contract/automation/evaluate-conditions.ts'
import {
  type NearMiss,
  stepTruth,
  TRUTH_TIMERS,
  type TruthEvent,
  type TruthRule,
  type TruthTimer,
} from '../logic/condition-state.ts'
import type { ConditionTrace, ConditionTarget } from '../../../../contract/automation/run-calls.ts'
import type { CompiledRule } from './compile.ts'
import type { LogEntry, Present } from './log.ts'
import { type Change, type RuleState, type ObservedValue, valuesOf } from './rule-state.ts'
import { valueAt } from './condition-index.ts'

/** Timers that an evaluation sets, at most one of each kind per rule. */
export const EVALUATION_TIMERS = [...TRUTH_TIMERS, 'period', 'silent'] as const
export type EvaluationTimer = (typeof EVALUATION_TIMERS)[number]
/** Due times, epoch ms. */
export type EvaluationTimers = Map<EvaluationTimer, number>

/** Maximum difference between device and gateway clock, ms. */
const MAX_CLOCK_SKEW_MS = 60_000
/** A timer that is processed later than this, ms, was due while no gateway ran. */
const DOWNTIME_THRESHOLD_MS = 60_000
/** Time after the start of a period from which its sums are trusted, ms. */
const PERIOD_GRACE_MS = 60_000
/** The value of a meter is unknown after this number of report intervals without a report. */
export const STALE_AFTER_INTERVALS = 3

/** Action that results from an evaluation; actions are executed in order. */
export type RuleAction = {
  at: number
  trace: ConditionTrace[]
  cause: Change | null
  /** For alarms: time at which the conditions became true by the device's clock, epoch ms, and the delay until it was reported. */
  saidAt: number
  lateBy: number
} & (
  | { do: 'fire'; edgeNo: number; extends: boolean }
  | { do: 'skip'; reason: NearMiss }
  | { do: 'end' | 'noData' | 'recall' | 'clear' }
)

/** Inputs of an evaluation. */
export interface EvaluationInput {
  rule: CompiledRule & { rule: { Conditions: Conditions }; truth: TruthRule }
  /** Null before the first evaluation. */
  memory: RuleState | null
  /** Whether the rule is new, changed or newly enabled, so that its truth must be armed. */
  startsAgain: boolean
  /** Changes of its devices since the last evaluation, in order. */
  log: readonly LogEntry[]
  /** Current state of its devices by UID; required if `needsCurrentValues` is true. */
  present: ReadonlyMap<string, Present>
  /** Computed measures for its conditions, by condition index. */
  measures: ReadonlyMap<number, number | null>
  waits: ReadonlyMap<EvaluationTimer, number>
  place: Place
  now: number
}

export interface Evaluation {
  memory: RuleState
  waits: EvaluationTimers
  acts: RuleAction[]
}

interface Draft extends Evaluation {
  input: EvaluationInput
}

/** Whether an evaluation needs the current state of the devices. */
export const needsCurrentValues = (
  { watched, devices }: CompiledRule,
  waits: EvaluationInput['waits'],
  now: number,
): boolean =>
  watched.some(({ source }) => source === 'figure' || source === 'silence') ||
  (devices.length > 0 && watched.some(({ source }) => source === 'measure')) ||
  holdElapsedWhileDown(waits, now)

const holdElapsedWhileDown = (waits: EvaluationInput['waits'], now: number): boolean =>
  (waits.get('hold') ?? Infinity) < now - DOWNTIME_THRESHOLD_MS

/**
 * Evaluates a rule: processes the changes since the last evaluation and the due timers in order of time, and then samples the current
 * values.
 */
export function evaluateRule(input: EvaluationInput): Evaluation {
  const { memory, now } = input
  const draft: Draft = {
    input,
    memory: memory ? structuredClone(memory) : createMemory(),
    waits: new Map(input.waits),
    acts: [],
  }
  if (input.startsAgain || !memory) {
    armRule(draft)
    return draft
  }
  for (const { moment, entries } of momentsOf(input.log, now)) {
    const at = Math.max(moment, Math.min(draft.memory.asOf, now))
    runDueTimers(draft, at)
    applyReport(draft, entries, at)
  }
  sampleCurrentValues(draft)
  runDueTimers(draft, now + 1)
  return draft
}

const createMemory = (): RuleState => ({
  // The first step ignores it.
  truth: undefined as unknown as RuleState['truth'],
  asOf: 0,
  observed: [],
  offline: [],
  cause: null,
  owed: null,
  told: null,
  ahead: null,
})

/** Applies one event to the truth, and records the resulting timers and actions. */
function applyEvent(draft: Draft, event: TruthEvent, at: number, cause?: Change): void {
  const { input, memory, waits, acts } = draft
  const was = memory.truth?.truth
  const { state, effects } = stepTruth(input.rule.truth, memory.truth, event, at)
  memory.truth = state
  memory.asOf = at
  if (state.truth === true && was !== true) memory.cause = cause ?? null
  const { saidAt = at, lateBy = 0 } = state
  for (const effect of effects)
    if (effect.do === 'wait') waits.set(effect.wait, effect.dueAt)
    else if (effect.do === 'dropWait') waits.delete(effect.wait)
    else acts.push({ at, trace: traceOf(draft), cause: cause ?? memory.cause, saidAt, lateBy, ...effect })
}

/** Arms the truth with the current values, as if they had always been so. */
function armRule(draft: Draft): void {
  const { input, memory, waits } = draft
  const { rule, present, now, place } = input
  memory.offline = [...present.values()].filter(({ isOnline }) => !isOnline).map(({ uid }) => uid)
  memory.observed = rule.watched.map((_, i) => observationOf(draft, i))
  Object.assign(memory, { told: null, ahead: null })
  const { Period } = rule.rule.Conditions
  applyEvent(
    draft,
    {
      kind: 'begin',
      because: 'saved',
      awake: isPeriodOpen(Period, now, place),
      values: valuesOf(rule, memory),
    },
    now,
  )
  waits.delete('period')
  updatePeriodTimer(draft, now)
  updateSilenceTimer(draft)
}

/** Current value of a condition, unless its source is the log. */
function observationOf(draft: Draft, i: number): ObservedValue {
  const { input } = draft
  const { rule, present, measures, now } = input
  const watched = rule.watched[i]
  const device = watched && present.get(watched.condition.PeripheralUID)
  if (watched?.source === 'measure') return { value: measures.get(i) ?? null, at: now }
  if (!watched || !device) return { value: null, at: null }
  if (watched.source === 'online') return { value: device.isOnline ? 1 : 0, at: now }
  if (device.timestamp === null) return { value: null, at: null }
  if (watched.source === 'silence') return silenceAt(draft, device.uid, now)
  const isStale =
    watched.source === 'figure' &&
    device.frequency !== null &&
    now - device.timestamp > device.frequency * STALE_AFTER_INTERVALS * 1000
  const value = isStale ? undefined : valueAt(device.values ?? {}, watched.condition.Field)
  return { value: value ?? null, at: device.timestamp }
}

/** Silence of a device in seconds at a time, epoch ms; 0 if it has reported since, null if it has never reported. */
function silenceAt({ input }: Draft, uid: string, moment: number): ObservedValue {
  const last = input.present.get(uid)?.timestamp ?? null
  return last === null ? { value: null, at: null } : { value: Math.max(0, moment - last) / 1000, at: moment }
}

/** Log entries of the same time: one report writes all of its changes, in order of their names. */
interface Moment {
  /** Assumed time of the changes, epoch ms. */
  moment: number
  entries: LogEntry[]
}

function momentsOf(log: readonly LogEntry[], now: number): Moment[] {
  const moments: Moment[] = []
  for (const entry of log) {
    const last = moments.at(-1)
    const before = last?.entries.at(-1)
    const isSame =
      before !== undefined &&
      before.uid === entry.uid &&
      before.timestamp === entry.timestamp &&
      before.late === entry.late &&
      before.field < entry.field &&
      before.field !== ONLINE &&
      entry.field !== ONLINE
    if (last && isSame) last.entries.push(entry)
    else moments.push({ moment: momentOf(entry, now), entries: [entry] })
  }
  // An entry that was written before another one also happened before it, whatever the clocks of the devices.
  for (let i = moments.length - 2; i >= 0; i--) {
    const [one, next] = [moments[i] as Moment, moments[i + 1] as Moment]
    one.moment = Math.min(one.moment, next.moment)
  }
  return moments
}

/** The connection state carries the gateway's timestamp, other entries that of the device. */
const momentOf = ({ field, timestamp }: LogEntry, now: number): number =>
  field === ONLINE ? Math.min(timestamp, now) : Math.min(Math.max(timestamp, now - MAX_CLOCK_SKEW_MS), now)

/** Applies the changes of one report, or of the connection state of a device. */
function applyReport(draft: Draft, entries: readonly LogEntry[], moment: number): void {
  const { input, memory } = draft
  const { rule, now } = input
  const changed: number[] = []
  let cause: Change | undefined
  let isRelevant = false
  for (const { uid, field, before, value, timestamp, late } of entries) {
    if (late) continue
    if (field === ONLINE) {
      memory.offline = memory.offline.filter((one) => one !== uid)
      if (value === 0) memory.offline.push(uid)
      isRelevant = true
    }
    rule.watched.forEach(({ condition, source }, i) => {
      if (condition.PeripheralUID !== uid || condition.Field !== field || source === 'figure') return
      memory.observed[i] = { value, at: timestamp }
      isRelevant = true
      if (field !== ONLINE) cause ??= { uid, field, value, at: timestamp }
      if (before !== null) changed.push(i)
    })
  }
  const at = entries[0]?.timestamp ?? now
  if (!isRelevant) return
  sampleReporting(draft, entries, moment)
  const received = entries[0]?.field === ONLINE ? at : now
  applyEvent(
    draft,
    { kind: 'observed', at, received, values: valuesOf(rule, memory), changed },
    moment,
    cause,
  )
}

/** Samples the values of devices that reported: figures of the same report, sums that depend on it, and the end of a silence. */
function sampleReporting(draft: Draft, entries: readonly LogEntry[], moment: number): void {
  const { input, memory } = draft
  for (const { uid, field, timestamp, late } of entries) {
    if (late) continue
    const isNewest = field !== ONLINE && input.present.get(uid)?.timestamp === timestamp
    input.rule.watched.forEach(({ condition, source }, i) => {
      if (condition.PeripheralUID !== uid) return
      if (source === 'silence')
        memory.observed[i] = silenceAt(draft, uid, field === ONLINE ? moment : timestamp)
      else if (source === 'figure' && isNewest) memory.observed[i] = observationOf(draft, i)
      else if (
        source === 'measure' &&
        isNewest &&
        input.measures.has(i) &&
        periodStart(draft, i) === undefined
      )
        memory.observed[i] = observationOf(draft, i)
    })
  }
}

/** Start of the current hour, day or month of a sum, if the last observed value belongs to an earlier one. */
function periodStart({ input, memory }: Draft, i: number): number | undefined {
  const { Field = '' } = input.rule.watched[i]?.condition ?? {}
  const { value = null, at = null } = memory.observed[i] ?? {}
  const fresh = input.measures.get(i)
  if (!isMeterSum(Field) || value === null || at === null || fresh === undefined) return undefined
  const { from } = sumPeriodOf(Field, input.now, input.place.zone)
  // A value that is not lower right after the start was computed before it.
  const isOfIt = fresh === null || fresh < value || input.now - from > PERIOD_GRACE_MS
  return at < from && isOfIt ? from : undefined
}

/** Resets sums to zero at the start of their hour, day or month, whatever their present value. */
function beginPeriods(draft: Draft): void {
  const { input, memory } = draft
  const begun = input.rule.watched.map((_, i) => periodStart(draft, i))
  const first = Math.max(...begun.map((from) => from ?? -Infinity))
  if (first === -Infinity) return
  const at = Math.min(Math.max(first, memory.asOf), input.now)
  runDueTimers(draft, at)
  memory.observed = memory.observed.map((old, i) => (begun[i] === undefined ? old : { value: 0, at }))
  applyEvent(draft, { kind: 'observed', at, received: at, values: valuesOf(input.rule, memory) }, at)
}

/** Samples the current values. */
function sampleCurrentValues(draft: Draft): void {
  beginPeriods(draft)
  const { input, memory } = draft
  const { rule, now } = input
  let at: number | undefined
  const observed = rule.watched.map(({ source }, i) => {
    const old = memory.observed[i] ?? { value: null, at: null }
    if (source === 'event' || source === 'online') return old
    if (source === 'measure' && !input.measures.has(i)) return old
    const fresh = observationOf(draft, i)
    if (fresh.value !== old.value) at = Math.max(at ?? 0, fresh.value === null ? now : (fresh.at ?? now))
    return fresh
  })
  if (at === undefined) return updateSilenceTimer(draft)
  runDueTimers(draft, Math.min(Math.max(at, now - MAX_CLOCK_SKEW_MS), now))
  memory.observed = observed
  applyEvent(draft, { kind: 'observed', at, received: now, values: valuesOf(rule, memory) }, now)
  updateSilenceTimer(draft)
}

/** Applies the timers that were due before a time, in order. */
function runDueTimers(draft: Draft, before: number): void {
  // Bounded: a timer that is set again for the same time would never end.
  for (let left = 100; left > 0; left--) {
    const next = [...draft.waits].filter(([, dueAt]) => dueAt < before).toSorted((a, b) => a[1] - b[1])[0]
    if (!next) return
    const [kind, dueAt] = next
    draft.waits.delete(kind)
    if (kind === 'period') updatePeriodTimer(draft, dueAt)
    else if (kind !== 'silent') runTruthWait(draft, kind, dueAt)
  }
}

function runTruthWait(draft: Draft, wait: TruthTimer, dueAt: number): void {
  const { now, rule, place } = draft.input
  if (wait === 'hold' && dueAt < now - DOWNTIME_THRESHOLD_MS && draft.memory.truth.truth === true) {
    const values = valuesOf(rule, draft.memory)
    const awake = isPeriodOpen(rule.rule.Conditions.Period, now, place)
    const holdGoesOn = haveAllReportedSince(draft, dueAt)
    return applyEvent(draft, { kind: 'begin', because: 'started', awake, values, holdGoesOn }, now)
  }
  // A repetition of a condition that is still true fires once now, not once per missed interval.
  applyEvent(draft, { kind: 'due', wait }, wait === 'repeat' ? now : dueAt)
}

/** Whether each device of the conditions has reported since a time, so that no contrary change was missed. */
const haveAllReportedSince = ({ input }: Draft, moment: number): boolean =>
  input.rule.watched.every(
    ({ condition, source }) =>
      (source !== 'event' && source !== 'figure') ||
      (input.present.get(condition.PeripheralUID)?.timestamp ?? 0) >= moment,
  )

/** Opens or closes the active period as of a time, and sets the timer for the next change. */
function updatePeriodTimer(draft: Draft, at: number): void {
  const { rule, place } = draft.input
  const { Period } = rule.rule.Conditions
  if (Period.length === 0) return
  applyEvent(draft, { kind: 'awake', awake: isPeriodOpen(Period, at, place) }, at)
  const next = nextPeriodChange(Period, at, place)
  if (next !== undefined) draft.waits.set('period', next)
}

/** Sets the timer for the time at which a silence changes a condition's verdict. */
function updateSilenceTimer(draft: Draft): void {
  const { rule, present, now } = draft.input
  if (!rule.watched.some(({ source }) => source === 'silence')) return
  const turns = rule.watched.flatMap(({ condition, source }) => {
    const timestamp = present.get(condition.PeripheralUID)?.timestamp ?? null
    return source === 'silence' && timestamp !== null
      ? (silenceChangesAt(condition, timestamp, now) ?? [])
      : []
  })
  draft.waits.delete('silent')
  if (turns.length > 0) draft.waits.set('silent', Math.min(...turns))
}

/** Trace of the conditions, for the record of the run. */
function traceOf({ input, memory }: Draft): ConditionTrace[] {
  const values = valuesOf(input.rule, memory)
  return input.rule.watched.map(({ condition }, i) => ({
    PeripheralUID: condition.PeripheralUID,
    Field: condition.Field,
    Value: values[i] ?? null,
    At: memory.observed[i]?.at ?? null,
    Verdict: values[i] === undefined ? null : (memory.truth.verdicts[i] ?? null),
    Needed: neededBy(condition),
  }))
}

/** Target of a condition; a change has no value to compare with. */
function neededBy({ Logical, Status, Clear }: ComparedCondition): ConditionTarget {
  return {
    Logical,
    Status,
    ...(Clear !== undefined && { Clear: typeof Clear === 'number' ? Clear : [...Clear] }),
  }
}
