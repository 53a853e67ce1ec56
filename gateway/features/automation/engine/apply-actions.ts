import { type AlarmContext, applyAlarmAction, predictionAfter, readingsAfterUpdate } from './alarms.ts'
import type { CompiledRule } from './compile.ts'
import type { Engine } from './engine.ts'
import type { ConditionRule, Evaluation, EvaluationInput, RuleAction, RuleState } from './rule-state.ts'
import { MAX_RUN_DEPTH, readRunDepth, runsTooOften, suspendRule } from './loops.ts'
import { planRun, type RunPlanner } from './plan-run.ts'
import { blockReasonOf, endSkipReason, firingSkipReason } from './why-not-run.ts'
import { emitScheduleChanges } from './reschedule.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import { type LockedRule, writeState } from './states.ts'
import { deleteTimers } from './timers.ts'

/** Minimum interval between two records that a blocked rule would have run, ms. */
const BLOCK_RECORD_INTERVAL_MS = 600_000

/** State and timers of a rule after the actions of an evaluation. */
export type RuleUpdate = Pick<Evaluation, 'state' | 'timers'>

interface Options {
  mode: EvaluationInput['mode']
  /** Whether the automations of the home are paused. */
  isPaused: boolean
  /** For predicted alarms: kWh in the last 60 minutes, null if unknown; if undefined, the prediction does not change. */
  pace: number | null | undefined
  zone: string
  now: number
}

/** Dependencies of planning the runs of one rule. */
interface Planning {
  engine: Engine
  planner: RunPlanner
  rule: ConditionRule
  isPaused: boolean
  now: number
}

/**
 * Applies the actions of an evaluation in its transaction: plans runs, records why a rule did not run, and raises, updates and clears its
 * alarm. A rule that may not act only has that recorded.
 */
export async function applyActions(
  engine: Engine,
  planner: RunPlanner,
  rule: ConditionRule,
  evaluation: Evaluation,
  { mode, isPaused, pace, zone, now }: Options,
): Promise<RuleUpdate> {
  if (mode === 'observeOnly') {
    const state = await recordBlockedRun(engine, planner, rule, evaluation, now)
    return { state, timers: evaluation.timers }
  }
  const { Alarm: alarm } = rule.rule
  const alarming = alarm && { alarms: engine.ports.alarms, tx: planner.tx, rule, alarm, now }
  const applied = await applyInOrder({ engine, planner, rule, isPaused, now }, alarming, evaluation)
  if (!alarming) return applied
  let { state } = applied
  state = { ...state, recordedReadings: await readingsAfterUpdate(alarming, state) }
  if (alarming.alarm.Ahead && pace !== undefined)
    state = { ...state, prediction: await predictionAfter(alarming, state, pace, zone) }
  return { state, timers: applied.timers }
}

async function applyInOrder(
  planning: Planning,
  alarming: AlarmContext | undefined,
  { state: before, timers, actions }: Evaluation,
): Promise<RuleUpdate> {
  if (actions.length === 0) return { state: before, timers }
  const { engine, planner, rule, now } = planning
  let state = before
  let isSuspended = false
  for (const action of actions) {
    if (action.do === 'end') state = await planEnd(engine, planner, rule, { ...planning, state })
    else if (action.do === 'skip')
      await planRun(engine, planner, rule, {
        now,
        cause: causeOf(rule),
        conditions: action.trace,
        notRun: { state: 'skipped', reason: action.reason },
      })
    else {
      if (alarming) state = { ...state, recordedReadings: await applyAlarmAction(alarming, action, state) }
      // A rule may raise an alarm without any other action.
      if (action.do !== 'fire' || (alarming && rule.rule.Actions.length === 0)) continue
      const fired = await planFiring(planning, action, { state, isSuspended })
      state = fired.state
      isSuspended ||= fired.isSuspended
    }
  }
  if (state.pendingEnd) return { state, timers }
  // Without a run there is nothing to end.
  return withoutEnd({ state, timers })
}

function withoutEnd<T extends { state: RuleState; timers: Evaluation['timers'] }>(applied: T): T {
  const { state } = applied
  const timers = new Map(applied.timers)
  timers.delete('end')
  return { ...applied, state: { ...state, truth: { ...state.truth, isEndPending: false } }, timers }
}

/** Cause that runs of a rule are recorded with. */
const causeOf = ({ truth }: ConditionRule) => (truth.alarm ? 'alarm' : 'condition')

/**
 * Plans the run that an evaluation fires, or records why it does not run.
 *
 * isSuspended  whether the rule was suspended during this evaluation, before or after this firing
 */
async function planFiring(
  { engine, planner, rule, isPaused, now }: Planning,
  action: Extract<RuleAction, { do: 'fire' }>,
  { state, isSuspended }: { state: RuleState; isSuspended: boolean },
): Promise<{ state: RuleState; isSuspended: boolean }> {
  const { tx } = planner
  const depth = action.cause ? await readRunDepth(tx, { tenant: rule.tenant, ...action.cause }) : 0
  const isTooOften = isSuspended || (!isPaused && (await runsTooOften(tx, rule, now)))
  const notRun = firingSkipReason({ isPaused, isLoop: depth > MAX_RUN_DEPTH, isTooOften })
  const runId = await planRun(engine, planner, rule, {
    now,
    cause: causeOf(rule),
    edgeNo: action.edgeNo,
    depth,
    conditions: action.trace,
    ...(notRun && { notRun }),
  })
  // A suspended alarm rule could not notify anyone, so it is not suspended: only the actions of this run are skipped.
  if (rule.truth.alarm) return { state, isSuspended: false }
  if (isTooOften && !isSuspended) {
    await suspendRule(engine, tx, rule, 'tooOften', now)
    planner.changed.push(rule)
    await emitScheduleChanges(tx, [rule])
  }
  if (notRun || runId === undefined) return { state, isSuspended: isTooOften }
  const { EndDuration, EndActions: actions, Order: order } = rule.rule
  // When a running effect is extended, the first run keeps the values to restore.
  if (EndDuration === 0 || (action.extends && state.pendingEnd)) return { state, isSuspended: false }
  return { state: { ...state, pendingEnd: { runId, actions, order, depth } }, isSuspended: false }
}

/** Plans the run that ends another. */
async function planEnd(
  engine: Engine,
  planner: RunPlanner,
  row: RuleRow,
  { state, isPaused, now }: { state: RuleState; isPaused: boolean; now: number },
): Promise<RuleState> {
  const { pendingEnd } = state
  if (pendingEnd) {
    const { actions, order, depth, runId } = pendingEnd
    const notRun = endSkipReason(isPaused)
    await planRun(engine, planner, row, {
      now,
      cause: 'end',
      actions: actions === 'restore' ? [] : actions,
      order,
      depth,
      restores: actions === 'restore' ? runId : null,
      ...(notRun && { notRun }),
    })
  }
  return { ...state, pendingEnd: null }
}

/** Ends what a disabled or suspended rule has begun, once that is due; returns the rule as stored then. */
export async function runDueEnd(
  engine: Engine,
  planner: RunPlanner,
  locked: LockedRule,
  now: number,
): Promise<LockedRule> {
  const { row, state, timers, isPaused } = locked
  if (!state?.truth.isEndPending || (timers.get('end') ?? Infinity) > now) return locked
  const ended = await planEnd(engine, planner, row, { state, isPaused, now })
  const after = withoutEnd({ ...locked, state: ended })
  await writeState(planner.tx, row, after, now)
  await deleteTimers(planner.tx, row, ['end'])
  return after
}

/** Records from time to time that a rule would have run but may not act. */
async function recordBlockedRun(
  engine: Engine,
  planner: RunPlanner,
  row: CompiledRule,
  { actions, state }: Evaluation,
  now: number,
): Promise<RuleState> {
  const notRun = blockReasonOf(row)
  const fired = actions.find((action) => action.do === 'fire')
  const isRecorded = now - (state.blockRecordedAt ?? -Infinity) < BLOCK_RECORD_INTERVAL_MS
  if (!notRun || !fired || isRecorded) return state
  const cause = row.type === 4 ? 'alarm' : 'condition'
  await planRun(engine, planner, row, {
    now,
    cause,
    edgeNo: fired.edgeNo,
    conditions: fired.trace,
    notRun,
  })
  return { ...state, blockRecordedAt: now }
}
