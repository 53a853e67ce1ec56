import type { AlarmPart } from '../../../../contract/automation/alarm-part.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import { withDefaultClear } from './default-clear.ts'
import {
  type ComparedConditions,
  evaluateConditions,
  type KnownValues,
} from '../../../../contract/automation/evaluate-conditions.ts'

/** Time for which a hold survives unknown conditions, ms. */
export const UNKNOWN_HOLD_GRACE_MS = 60_000
/** Maximum difference between a report's timestamp and its arrival at which the timestamp is used, ms. */
const MAX_TIMESTAMP_SKEW_MS = 60_000
/** Age in ms above which a report updates the conditions but fires nothing. */
export const LATE_REPORT_MS = 120_000

/**
 * Parts of an automation that determine when it fires.
 *
 * alarm  for type 4: the alarm is raised while its conditions are true, regardless of how they became true
 */
export interface TruthRule {
  Conditions: ComparedConditions
  EndDuration: number
  alarm?: Pick<AlarmPart, 'ClearAfter' | 'NoData'> | undefined
}

/** Rule as it is evaluated: an alarm's conditions have their hysteresis. */
export const truthRuleOf = ({
  Conditions,
  EndDuration,
  Alarm,
}: {
  Conditions: Conditions
  EndDuration: number
  Alarm?: AlarmPart | undefined
}): TruthRule =>
  Alarm
    ? { Conditions: withDefaultClear(Conditions), EndDuration: 0, alarm: Alarm }
    : { Conditions, EndDuration }

/**
 * State of an automation's conditions; plain data, stored between steps.
 *
 * truth         null while unknown
 * knownTruth    last known truth, so that true, unknown, true is no edge; null until first known
 * since         time since which knownTruth has its value, epoch ms
 * verdicts      last known verdict of each condition, in order, for hysteresis
 * isPeriodOpen  whether its Period is open
 * edgeNo        number of times it has fired
 * holdDueAt     end of the running hold (For); null without one
 * isEndPending  whether it has fired and its end actions have not run since
 * raised        reason for an open alarm: true conditions, or no data
 * reportedAt    device timestamp of the report that made the conditions true; delayMs  its age on arrival, ms
 */
export interface TruthState {
  truth: boolean | null
  knownTruth: boolean | null
  since: number | null
  verdicts: (boolean | null)[]
  isPeriodOpen: boolean
  edgeNo: number
  lastFiredAt: number | null
  lastTrueAt: number | null
  holdDueAt: number | null
  isEndPending: boolean
  raised?: 'conditions' | 'noData' | null
  reportedAt?: number
  delayMs?: number
}

/** Timers of an automation's conditions, at most one of each kind; `stepTruth` receives a `timer` event when one expires. */
export const TRUTH_TIMERS = ['hold', 'unknown', 'repeat', 'end', 'clear', 'noData'] as const
export type TruthTimer = (typeof TRUTH_TIMERS)[number]

/**
 * Events of an automation.
 *
 * begin     it was saved, enabled or resumed, or the gateway started: conditions are evaluated again, and nothing fires unless
 *           Repeat. `keepsHold`, after a start: no stored value contradicts the running hold
 * observed  values were reported, or became unknown. `at` by the device's clock, `received` by the gateway's
 * period    its Period opened or closed
 * timer     a timer expired
 */
export type TruthEvent =
  | ({
      kind: 'begin'
      because: 'saved' | 'started'
      isPeriodOpen: boolean
      keepsHold?: boolean
    } & KnownValues)
  | ({ kind: 'observed'; at: number; received: number } & KnownValues)
  | { kind: 'period'; isOpen: boolean }
  | { kind: 'timer'; timer: TruthTimer }

/** Reason that it nearly fired: one of SKIP_REASONS of a run. */
export type NearMiss = 'tooSoon' | 'outsidePeriod' | 'unknown' | 'late'

/**
 * Effects of a step.
 *
 * fire         runs the actions. `extends`: the end of an earlier firing is still pending, and the state before that one counts
 * end          runs the end actions
 * noData       raises an alarm for lack of data
 * recall       the alarm is still open: raises it again if a person has cleared it meanwhile
 * clear        clears the alarm
 * skip         it nearly fired
 * setTimer     sets a timer; replaces one of the same kind
 * cancelTimer  cancels a timer, if set
 */
export type TruthEffect =
  | TruthAction
  | { do: 'setTimer'; timer: TruthTimer; dueAt: number }
  | { do: 'cancelTimer'; timer: TruthTimer }

/** Effects that are carried out outside of the state: by a run, a record that it did not run, or an alarm. */
export type TruthAction =
  | { do: 'fire'; edgeNo: number; extends: boolean }
  | { do: 'end' | 'noData' | 'recall' | 'clear' }
  | { do: 'skip'; reason: NearMiss }

export interface TruthStep {
  state: TruthState
  effects: TruthEffect[]
}

interface Draft extends TruthStep {
  rule: TruthRule
  now: number
  /** Time of the event, by the device's clock if that is trusted. */
  at: number
  isLate: boolean
}

/**
 * Next state of an automation's conditions, and its effects (decision 3.1 of the automation's semantics).
 *
 * state  undefined before the first `begin`
 * now    epoch ms by the gateway's clock
 */
export function stepTruth(
  rule: TruthRule,
  state: TruthState | undefined,
  event: TruthEvent,
  now: number,
): TruthStep {
  const draft: Draft = { rule, state: { ...(state ?? UNKNOWN) }, effects: [], now, at: now, isLate: false }
  if (event.kind === 'begin') begin(draft, event)
  else if (event.kind === 'observed') observe(draft, event)
  else if (event.kind === 'period') setPeriodOpen(draft, event.isOpen)
  else onTimer(draft, event.timer)
  if (rule.alarm) updateAlarmTimers(draft, event.kind === 'begin' ? undefined : state)
  return { state: draft.state, effects: draft.effects }
}

/** State of an automation's conditions with the due times of its timers, epoch ms; the map may contain timers of the caller. */
export interface TimedTruth<Timer extends string> {
  truth: TruthState | undefined
  timers: ReadonlyMap<Timer | TruthTimer, number>
}

/** Applies an event to conditions and their timers; returns both, and the resulting actions in execution order. */
export function advanceTruth<Timer extends string>(
  rule: TruthRule,
  { truth, timers: before }: TimedTruth<Timer>,
  event: TruthEvent,
  now: number,
): { truth: TruthState; timers: Map<Timer | TruthTimer, number>; actions: TruthAction[] } {
  const { state, effects } = stepTruth(rule, truth, event, now)
  const timers = new Map(before)
  const actions: TruthAction[] = []
  for (const effect of effects)
    if (effect.do === 'setTimer') timers.set(effect.timer, effect.dueAt)
    else if (effect.do === 'cancelTimer') timers.delete(effect.timer)
    else actions.push(effect)
  return { truth: state, timers, actions }
}

const UNKNOWN: TruthState = {
  truth: null,
  knownTruth: null,
  since: null,
  verdicts: [],
  isPeriodOpen: false,
  edgeNo: 0,
  lastFiredAt: null,
  lastTrueAt: null,
  holdDueAt: null,
  isEndPending: false,
}

const setTimer = ({ effects }: Draft, timer: TruthTimer, dueAt: number) =>
  effects.push({ do: 'setTimer', timer, dueAt })
const cancelTimer = ({ effects }: Draft, timer: TruthTimer) => effects.push({ do: 'cancelTimer', timer })
const skip = ({ effects }: Draft, reason: NearMiss) => effects.push({ do: 'skip', reason })

/** Minimum time between two firings, ms. */
const interval = ({ rule }: Draft) => rule.Conditions.RetriggerInterval * 1000

/** Earliest time of the next firing, epoch ms. A last firing in the future (the clock was set back) is ignored. */
function readyAt(draft: Draft): number {
  const { lastFiredAt } = draft.state
  // The interval between notifications of an alarm is enforced where they are sent.
  if (draft.rule.alarm) return draft.now
  return lastFiredAt === null || lastFiredAt > draft.now ? draft.now : lastFiredAt + interval(draft)
}

/** Evaluates the conditions and stores their last known verdicts. */
function updateVerdicts(draft: Draft, known: KnownValues) {
  const found = evaluateConditions(draft.rule.Conditions, known, draft.state.verdicts)
  const before = draft.state.verdicts
  draft.state.verdicts = found.verdicts.map((verdict, i) => verdict ?? before[i] ?? null)
  return { ...found, newlyTrue: found.verdicts.some((verdict, i) => verdict === true && before[i] !== true) }
}

function begin(draft: Draft, event: Extract<TruthEvent, { kind: 'begin' }>): void {
  const { rule, state, now } = draft
  const before = { ...state }
  const isStart = event.because === 'started'
  if (!isStart) Object.assign(state, { verdicts: [], lastFiredAt: null })
  const truth = updateVerdicts(draft, { values: event.values }).truth ?? null
  Object.assign(state, { truth, knownTruth: truth, isPeriodOpen: event.isPeriodOpen, holdDueAt: null })
  if (rule.alarm) Object.assign(state, { reportedAt: now, delayMs: 0 })
  if (!isStart) state.raised = null
  if (truth !== before.knownTruth || !isStart || before.truth === null) state.since = now
  if (before.truth === true && truth !== true) state.lastTrueAt = now
  resetTimers(draft, before)
  if (truth !== true || !event.isPeriodOpen) return
  if (isStart && before.holdDueAt !== null) {
    if (event.keepsHold) state.since = before.since
    edge(draft, (event.keepsHold && before.since) || now)
  } else if (rule.Conditions.Repeat || needsRaising(draft)) edge(draft, now)
}

/** Whether an alarm's conditions are true but it has not been raised for them. */
const needsRaising = ({ rule, state }: Draft): boolean =>
  rule.alarm !== undefined && state.truth === true && state.raised !== 'conditions'

/** Cancels the previous timers, except for a pending end. */
function resetTimers(draft: Draft, before: TruthState): void {
  const { rule, state, now } = draft
  for (const kind of ['hold', 'unknown', 'repeat', 'clear', 'noData'] as const)
    if (rule.alarm || (kind !== 'clear' && kind !== 'noData')) cancelTimer(draft, kind)
  if (!state.isEndPending) return
  if (state.truth === true) {
    if (rule.EndDuration) cancelTimer(draft, 'end')
  } else if (before.truth !== false) {
    if (rule.EndDuration) setTimer(draft, 'end', (state.lastTrueAt ?? now) + rule.EndDuration * 1000)
    else state.isEndPending = false
  }
}

function observe(draft: Draft, event: Extract<TruthEvent, { kind: 'observed' }>): void {
  const { state } = draft
  const at = Math.min(Math.max(event.at, event.received - MAX_TIMESTAMP_SKEW_MS), event.received)
  draft.at = at
  draft.isLate = event.received - event.at > LATE_REPORT_MS
  const previous = state.truth
  const { truth = null, pulse, newlyTrue } = updateVerdicts(draft, event)
  const effectsBefore = draft.effects.length
  if (truth !== previous) {
    state.truth = truth
    if (previous === true) state.lastTrueAt = at
    if (truth === true && draft.rule.alarm) {
      state.reportedAt = Math.min(event.at, event.received)
      state.delayMs = event.received - state.reportedAt
    }
    if (truth === null) becomeUnknown(draft, previous === false && newlyTrue && !pulse)
    else {
      if (previous === null && state.holdDueAt !== null) cancelTimer(draft, 'unknown')
      if (truth) becomeTrue(draft, at, previous)
      else becomeFalse(draft, at)
    }
  }
  const hasTried = draft.effects
    .slice(effectsBefore)
    .some(({ do: what }) => what === 'fire' || what === 'skip')
  if (!pulse || hasTried) return
  if (state.truth !== true) state.lastTrueAt = at
  attempt(draft)
}

function becomeUnknown(draft: Draft, isNearMiss: boolean): void {
  if (draft.state.holdDueAt !== null) setTimer(draft, 'unknown', draft.now + UNKNOWN_HOLD_GRACE_MS)
  if (isNearMiss) skip(draft, 'unknown')
}

function becomeFalse(draft: Draft, at: number): void {
  const { state, rule } = draft
  if (state.knownTruth !== false) Object.assign(state, { knownTruth: false, since: at })
  if (state.holdDueAt !== null) {
    state.holdDueAt = null
    cancelTimer(draft, 'hold')
  }
  if (rule.Conditions.Repeat) cancelTimer(draft, 'repeat')
  setEndTimer(draft)
}

function becomeTrue(draft: Draft, at: number, previous: boolean | null): void {
  const { state, rule, now } = draft
  if (state.isEndPending && rule.EndDuration) cancelTimer(draft, 'end')
  const before = state.knownTruth
  state.knownTruth = true
  if (rule.alarm && !needsRaising(draft)) {
    // The alarm is still open.
    state.since = at
    return
  }
  if (before === true && previous === null && !(needsRaising(draft) && state.holdDueAt === null)) {
    if (state.holdDueAt === null) {
      // It is unknown how long the conditions have been true.
      state.since = at
      if (rule.Conditions.Repeat && state.isPeriodOpen)
        setTimer(draft, 'repeat', Math.max(now, readyAt(draft)))
    } else if (state.holdDueAt <= now) endHold(draft)
    return
  }
  state.since = at
  if (before === false || rule.Conditions.Repeat || needsRaising(draft)) edge(draft, at)
}

/** Sets the timer of the end actions, counted from the last time the conditions were true. */
function setEndTimer(draft: Draft): void {
  const { state, rule, now } = draft
  if (state.isEndPending && rule.EndDuration)
    setTimer(draft, 'end', (state.lastTrueAt ?? now) + rule.EndDuration * 1000)
}

/** Conditions became true, or are true when the Period opens: starts the hold, or fires at once. */
function edge(draft: Draft, since: number): void {
  const { rule, state, now } = draft
  if (!state.isPeriodOpen || (draft.isLate && !rule.alarm)) return attempt(draft)
  const dueAt = since + rule.Conditions.For * 1000
  if (dueAt <= now) return attempt(draft)
  state.holdDueAt = dueAt
  setTimer(draft, 'hold', dueAt)
}

function attempt(draft: Draft): void {
  const { rule, state, now } = draft
  const repeats = rule.Conditions.Repeat && state.truth === true
  if (!state.isPeriodOpen) return void skip(draft, 'outsidePeriod')
  if (draft.isLate && !rule.alarm) {
    skip(draft, 'late')
    if (repeats) setTimer(draft, 'repeat', now + interval(draft))
    return
  }
  if (now < readyAt(draft)) {
    skip(draft, 'tooSoon')
    if (repeats) setTimer(draft, 'repeat', readyAt(draft))
    return
  }
  state.edgeNo++
  draft.effects.push({ do: 'fire', edgeNo: state.edgeNo, extends: state.isEndPending })
  state.lastFiredAt = now
  if (rule.alarm) state.raised = 'conditions'
  if (rule.EndDuration) state.isEndPending = true
  // A counter's change has no later end.
  if (state.truth !== true) setEndTimer(draft)
  if (repeats) setTimer(draft, 'repeat', now + interval(draft))
}

function endHold(draft: Draft): void {
  draft.state.holdDueAt = null
  cancelTimer(draft, 'hold')
  attempt(draft)
}

function setPeriodOpen(draft: Draft, isOpen: boolean): void {
  const { state, rule, now } = draft
  if (isOpen === state.isPeriodOpen) return
  state.isPeriodOpen = isOpen
  if (!isOpen) {
    if (rule.Conditions.Repeat) cancelTimer(draft, 'repeat')
    return
  }
  if (state.holdDueAt !== null) return
  if (state.truth === true) {
    if (!rule.alarm || needsRaising(draft)) edge(draft, state.since ?? now)
  }
  // Opening while true is an edge as soon as the truth is known.
  else if (state.truth === null && state.knownTruth === true)
    Object.assign(state, { knownTruth: false, since: now })
}

function onTimer(draft: Draft, kind: TruthTimer): void {
  const { state, rule, now } = draft
  if (kind === 'hold') {
    if (state.holdDueAt === null || state.truth !== true) return
    if (state.holdDueAt > now) setTimer(draft, 'hold', state.holdDueAt)
    else endHold(draft)
  } else if (kind === 'unknown') {
    if (state.truth !== null || state.holdDueAt === null) return
    // The hold starts from zero when the conditions are true again.
    Object.assign(state, { holdDueAt: null, knownTruth: false, since: now })
    cancelTimer(draft, 'hold')
    skip(draft, 'unknown')
    setEndTimer(draft)
  } else if (kind === 'repeat') {
    if (!rule.Conditions.Repeat || state.truth !== true || !state.isPeriodOpen || state.holdDueAt !== null)
      return
    if (now < readyAt(draft)) setTimer(draft, 'repeat', readyAt(draft))
    else attempt(draft)
  } else if (kind === 'clear') {
    if (state.raised && state.truth === false) clear(draft)
  } else if (kind === 'noData') {
    if (state.raised || state.truth !== null || !state.isPeriodOpen) return
    state.raised = 'noData'
    draft.effects.push({ do: 'noData' })
  } else if (state.isEndPending && !(state.truth === true && rule.EndDuration)) {
    state.isEndPending = false
    draft.effects.push({ do: 'end' })
  }
}

function clear({ state, effects }: Draft): void {
  state.raised = null
  effects.push({ do: 'clear' })
}

/** Sets or cancels the timers that clear an alarm or raise it for lack of data, after its conditions have changed. */
function updateAlarmTimers(draft: Draft, before: TruthState | undefined): void {
  const { rule, state, now, at } = draft
  const isSame =
    before?.truth === state.truth &&
    before.raised === state.raised &&
    before.isPeriodOpen === state.isPeriodOpen
  if (!rule.alarm || isSame) return
  const isNewTruth = before?.truth !== state.truth
  if (state.raised && state.truth === false) {
    if (!isNewTruth) return
    const dueAt = at + rule.alarm.ClearAfter * 1000
    if (dueAt <= now) clear(draft)
    else setTimer(draft, 'clear', dueAt)
  } else if (isNewTruth) cancelTimer(draft, 'clear')
  const isOpen = before?.raised === 'conditions' && state.raised === 'conditions'
  if (isNewTruth && state.truth === true && isOpen && before.truth === null)
    draft.effects.push({ do: 'recall' })
  if (rule.alarm.NoData !== 'alarm') return
  if (state.truth !== null || state.raised || !state.isPeriodOpen) cancelTimer(draft, 'noData')
  else setTimer(draft, 'noData', now + Math.max(UNKNOWN_HOLD_GRACE_MS, rule.Conditions.For * 1000))
}
