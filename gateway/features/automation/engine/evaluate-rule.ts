import type { ComparedCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import type { ConditionTarget, ConditionTrace } from '../../../../contract/automation/run-calls.ts'
import { advanceTruth, type TruthEvent, type TruthState, type TruthTimer } from '../logic/condition-state.ts'
import { isPeriodOpen, nextPeriodChange } from '../logic/schedule-clock.ts'
import {
  type ConditionRule,
  type Evaluation,
  type EvaluationInput,
  type EvaluationTimer,
  type EvaluationTimers,
  type Change,
  type RuleState,
  valuesOf,
} from './rule-state.ts'
import type { LogEntry } from './log.ts'
import {
  eventsOf,
  type TimedEvent,
  currentValue,
  nextSilenceChange,
  valuesAfterReport,
  wasDueInDowntime,
} from './values.ts'

/**
 * Evaluates a rule: applies the events since the last evaluation in order of time. Pure: the same input gives the same result on every
 * gateway. `applyActions` turns the actions into runs and alarms, and `why-not-run.ts` states why one does not run.
 */
export function evaluateRule(input: EvaluationInput): Evaluation {
  if (input.mode === 'active') return evaluate(input)
  const { timers, state, actions } = evaluate({ ...input, timers: withTimer(input.timers, 'end', undefined) })
  const isEndPending = input.state?.truth.isEndPending ?? false
  return {
    state: { ...state, truth: { ...state.truth, isEndPending } },
    timers: withTimer(timers, 'end', input.timers.get('end')),
    actions,
  }
}

function evaluate(input: EvaluationInput): Evaluation {
  const { state, timers } = input
  let evaluation: Evaluation
  if (input.reset || !state) evaluation = begin(input)
  else {
    evaluation = { state, timers, actions: [] }
    for (const event of eventsOf(input, () => evaluation)) evaluation = applyEvent(input, evaluation, event)
  }
  if (!input.rule.watched.some(({ source }) => source === 'silence')) return evaluation
  return { ...evaluation, timers: withTimer(evaluation.timers, 'silent', nextSilenceChange(input)) }
}

/** Begins a rule with the current values, as if they had always been so. */
function begin(input: EvaluationInput): Evaluation {
  const { rule, current, calendar, now, state: before } = input
  const state = {
    ...(before ?? NEW_STATE),
    offline: [...current.values()].filter(({ isOnline }) => !isOnline).map(({ uid }) => uid),
    observed: rule.watched.map((_, i) => currentValue(input, i)),
    recordedReadings: null,
    prediction: null,
  }
  const evaluation = advance(
    rule,
    { state, timers: input.timers, actions: [] },
    {
      kind: 'begin',
      because: 'saved',
      isPeriodOpen: isPeriodOpen(rule.rule.Conditions.Period, now, calendar),
      values: valuesOf(rule, state),
    },
    now,
  )
  return applyPeriod(input, { ...evaluation, timers: withTimer(evaluation.timers, 'period', undefined) }, now)
}

const NEW_STATE: RuleState = {
  // The first event ignores it.
  truth: undefined as unknown as TruthState,
  asOf: 0,
  observed: [],
  offline: [],
  cause: null,
  pendingEnd: null,
}

function applyEvent(input: EvaluationInput, evaluation: Evaluation, event: TimedEvent): Evaluation {
  if (event.kind === 'report') return applyReport(input, evaluation, event)
  if (event.kind === 'timer') {
    const rest = { ...evaluation, timers: withTimer(evaluation.timers, event.timer, undefined) }
    if (event.timer === 'period') return applyPeriod(input, rest, event.at)
    // A change by silence is found with the current values.
    return event.timer === 'silent' ? rest : applyTruthTimer(input, rest, event.timer, event.at)
  }
  const state = { ...evaluation.state, observed: event.observed }
  return advance(
    input.rule,
    { ...evaluation, state },
    { kind: 'observed', at: event.observedAt, received: event.at, values: valuesOf(input.rule, state) },
    event.at,
  )
}

/** Applies the changes of one report, or of the connection state of a device, unless no condition depends on them. */
function applyReport(
  input: EvaluationInput,
  evaluation: Evaluation,
  { entries, at }: TimedEvent & { kind: 'report' },
): Evaluation {
  const { rule, now } = input
  const [first] = entries
  if (!first || first.late) return evaluation
  const changes = entries.flatMap((entry) => changesOf(rule, entry))
  if (changes.length === 0 && first.field !== ONLINE) return evaluation
  const state = {
    ...evaluation.state,
    observed: valuesAfterReport(input, evaluation.state.observed, entries, at),
    offline: offlineAfter(evaluation.state.offline, first),
  }
  return advance(
    rule,
    { ...evaluation, state },
    {
      kind: 'observed',
      at: first.timestamp,
      received: first.field === ONLINE ? first.timestamp : now,
      values: valuesOf(rule, state),
      changed: changes.filter(({ isFirst }) => !isFirst).map(({ i }) => i),
    },
    at,
    changes.find(({ change }) => change.field !== ONLINE)?.change,
  )
}

/** Conditions that depend on a log entry, by index; isFirst  the value before it was unknown. */
const changesOf = (
  { watched }: ConditionRule,
  { uid, field, before, value, timestamp }: LogEntry,
): { i: number; isFirst: boolean; change: Change }[] =>
  watched.flatMap(({ condition, source }, i) =>
    condition.PeripheralUID === uid && condition.Field === field && source !== 'figure'
      ? [{ i, isFirst: before === null, change: { uid, field, value, at: timestamp } }]
      : [],
  )

function offlineAfter(offline: readonly string[], { uid, field, value }: LogEntry): readonly string[] {
  if (field !== ONLINE) return offline
  const others = offline.filter((one) => one !== uid)
  return value === 0 ? [...others, uid] : others
}

/** Opens or closes the active period as of a time, and sets the timer for the next change. */
function applyPeriod({ rule, calendar }: EvaluationInput, evaluation: Evaluation, at: number): Evaluation {
  const { Period } = rule.rule.Conditions
  if (Period.length === 0) return evaluation
  const isOpen = isPeriodOpen(Period, at, calendar)
  const after = advance(rule, evaluation, { kind: 'period', isOpen }, at)
  const next = nextPeriodChange(Period, at, calendar)
  return next === undefined ? after : { ...after, timers: withTimer(after.timers, 'period', next) }
}

function applyTruthTimer(
  input: EvaluationInput,
  evaluation: Evaluation,
  timer: TruthTimer,
  dueAt: number,
): Evaluation {
  const { rule, calendar, now } = input
  const { state } = evaluation
  if (timer === 'hold' && wasDueInDowntime(dueAt, now) && state.truth.truth === true)
    return advance(
      rule,
      evaluation,
      {
        kind: 'begin',
        because: 'started',
        isPeriodOpen: isPeriodOpen(rule.rule.Conditions.Period, now, calendar),
        values: valuesOf(rule, state),
        keepsHold: haveAllReportedSince(input, dueAt),
      },
      now,
    )
  // A repetition of a condition that is still true fires once now, not once per missed interval.
  return advance(rule, evaluation, { kind: 'timer', timer }, timer === 'repeat' ? now : dueAt)
}

/** Whether each device of the conditions has reported since a time, so that no contrary change was missed. */
const haveAllReportedSince = ({ rule, current }: EvaluationInput, at: number): boolean =>
  rule.watched.every(
    ({ condition, source }) =>
      (source !== 'event' && source !== 'figure') ||
      (current.get(condition.PeripheralUID)?.timestamp ?? 0) >= at,
  )

/** Applies one event to the conditions and their timers, and adds the resulting actions. */
function advance(
  rule: ConditionRule,
  { state: before, timers: timersBefore, actions }: Evaluation,
  event: TruthEvent,
  at: number,
  change: Change | null = null,
): Evaluation {
  const next = advanceTruth(rule.truth, { truth: before.truth, timers: timersBefore }, event, at)
  const { truth } = next
  const hasBecomeTrue = truth.truth === true && before.truth?.truth !== true
  const state = { ...before, truth, asOf: at, cause: hasBecomeTrue ? change : before.cause }
  if (next.actions.length === 0) return { state, timers: next.timers, actions }
  const { reportedAt = at, delayMs = 0 } = truth
  const context = { at, trace: traceOf(rule, state), cause: change ?? state.cause, reportedAt, delayMs }
  return {
    state,
    timers: next.timers,
    actions: [...actions, ...next.actions.map((action) => ({ ...context, ...action }))],
  }
}

/** Timers with one of them set to a due time, or cancelled. */
function withTimer(
  timers: EvaluationTimers,
  timer: EvaluationTimer,
  dueAt: number | undefined,
): EvaluationTimers {
  const changed = new Map(timers)
  if (dueAt === undefined) changed.delete(timer)
  else changed.set(timer, dueAt)
  return changed
}

/** Trace of the conditions, for the record of the run. */
function traceOf({ watched }: ConditionRule, state: RuleState): ConditionTrace[] {
  const values = valuesOf({ watched }, state)
  return watched.map(({ condition }, i) => ({
    PeripheralUID: condition.PeripheralUID,
    Field: condition.Field,
    Value: values[i] ?? null,
    At: state.observed[i]?.at ?? null,
    Verdict: values[i] === undefined ? null : (state.truth.verdicts[i] ?? null),
    Needed: targetOf(condition),
  }))
}

/** Target of a condition; a change has no value to compare with. */
const targetOf = ({ Logical, Status, Clear }: ComparedCondition): ConditionTarget => ({
  Logical,
  Status,
  ...(Clear !== undefined && { Clear: typeof Clear === 'number' ? Clear : [...Clear] }),
})
