import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { TruthRule } from '../logic/condition-state.ts'
import { type AlarmDeps, applyAlarmAction, updatePredictedAlarm, updateAlarmReadings } from './alarms.ts'
import { compileRule, type CompiledRule, ruleKey, isActiveRule } from './compile.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import type { Engine } from './engine.ts'
import { blockedRun } from './skipped-runs.ts'
import { removeFromIndex, updateIndex } from './rule-index.ts'
import { type LogEntry, readLog, readPresent, readPresentAndPositions } from './log.ts'
import { runDepthOf, MAX_RUN_DEPTH, suspendRule, runsTooOften } from './loops.ts'
import { type RuleState, verdictsOf } from './rule-state.ts'
import { type RunPlanner, createRunPlanner, planRun } from './plan-run.ts'
import { emitScheduleChanges } from './reschedule.ts'
import type { RuleKey } from '../rules/rule-rows.ts'
import { type LockedRule, lockRuleState, readLockedRules, type StoredState, writeState } from './states.ts'
import {
  type RuleAction,
  needsCurrentValues,
  evaluateRule,
  type Evaluation,
  EVALUATION_TIMERS,
  type EvaluationTimers,
} from './evaluate-rule.ts'
import { deleteTimers, setTimers } from './timers.ts'

/** Computed measures for the conditions of a rule, by condition index. */
export type MeasuredValues = ReadonlyMap<number, number | null>

/**
 * Outcome of an evaluation: nothing changed but the time of the check, something changed, or the rule has no conditions to watch any
 * longer.
 */
export type EvaluationOutcome = 'same' | 'moved' | 'gone'

/** Minimum interval between two records that a blocked rule would have run, ms. */
const LOCKED_NOTE_INTERVAL_MS = 600_000

type Watching = CompiledRule & { rule: { Conditions: Conditions }; truth: TruthRule }

/**
 * Evaluates a rule in one transaction: changes of its devices since the last evaluation, due timers, and current values. The result depends
 * on the log, not on the caller: redundant and concurrent calls have no effect.
 *
 * measures  conditions on omitted measures keep their verdict
 * pace      for predicted alarms: kWh in the last 60 minutes, null if unknown; if omitted, the prediction does not change
 */
export async function evaluateStoredRule(
  engine: Engine,
  key: RuleKey,
  measures: MeasuredValues = new Map(),
  pace?: number | null,
): Promise<EvaluationOutcome> {
  const now = engine.clock.now()
  const decided = await createRunPlanner(engine, (part) =>
    decideIn(engine, part, key, { measures, pace }, now),
  )
  engine.metrics.decisions.inc({ outcome: decided.outcome })
  if (!decided.rule || !decided.memory) removeFromIndex(engine.known, ruleKey(key))
  else updateIndex(engine.known, decided.rule, verdictsOf(decided.rule, decided.memory), decided.memory.told)
  for (const at of decided.due) engine.dueAt(at)
  return decided.outcome
}

interface Decided {
  outcome: EvaluationOutcome
  /** Only for a rule that continues to watch. */
  rule?: CompiledRule
  memory?: RuleState
  /** Due times of its timers, epoch ms. */
  due: number[]
}

async function decideIn(
  engine: Engine,
  part: RunPlanner,
  key: RuleKey,
  { measures, pace }: { measures: MeasuredValues; pace: number | null | undefined },
  now: number,
): Promise<Decided> {
  const stored = await lockRuleState(part.tx, key)
  const held = stored && (await readLockedRules(part.tx, key, { now, sunOf: engine.sunOf }))
  if (!held) return { outcome: 'gone', due: [] }
  const { row, waits, place, isPaused } = held
  if (!row.isReady || !row.rule.Conditions) await endResting(engine, part, { ...held, stored, now })
  if (!isActiveRule(row) || !row.rule.Conditions) return { outcome: 'gone', due: [] }
  const rule = compileRule(row.isReady ? row : followedOnly(row)) as Watching
  const startsAgain = stored.version !== rule.version || !stored.memory
  const log = startsAgain ? [] : await readLog(part.tx, rule.tenant, stored.positions, stored.replayedAt)
  const begun = startsAgain ? await readPresentAndPositions(part.tx, rule.tenant, rule.devices) : undefined
  const isAsked = !begun && needsCurrentValues(rule, waits, now)
  const present = begun ?? (isAsked ? await readPresent(part.tx, rule.tenant, rule.devices) : [])
  const promised = { endsAt: waits.get('end'), owesEnd: stored.memory?.truth.owesEnd ?? false }
  if (!row.isReady) waits.delete('end')
  const turned = evaluateRule({
    rule,
    memory: stored.memory,
    startsAgain,
    log,
    present: new Map(present.map((device) => [device.uid, device])),
    measures,
    waits,
    place,
    now,
  })
  if (row.isReady) await carryOut(engine, part, rule, { ...turned, isPaused, now })
  else await noteHeld(engine, part, row, { ...turned, ...promised, now })
  const alarming = alarmingOf(engine, part, rule, turned.memory, now)
  if (alarming) {
    await updateAlarmReadings(alarming)
    if (alarming.alarm.Ahead && pace !== undefined) await updatePredictedAlarm(alarming, pace, place.zone)
  }
  const positions = begun
    ? Object.fromEntries(begun.map(({ uid, position }) => [uid, position]))
    : positionsAfter(stored.positions, log)
  const isSame =
    !startsAgain && log.length === 0 && JSON.stringify(turned.memory) === JSON.stringify(stored.memory)
  if (!isSame)
    await writeState(
      part.tx,
      key,
      { version: rule.version, positions, memory: turned.memory, replayedAt: 'now' },
      now,
    )
  if (promised.endsAt !== undefined) waits.set('end', promised.endsAt)
  const due = await writeWaits(part, rule, waits, turned.waits)
  return { outcome: isSame ? 'same' : 'moved', rule, memory: turned.memory, due }
}

const positionsAfter = (
  positions: Record<string, number>,
  log: readonly LogEntry[],
): Record<string, number> => ({
  ...positions,
  ...Object.fromEntries(log.map(({ uid, seq }) => [uid, seq])),
})

/** Stores changed timers; returns the due times of new ones. */
async function writeWaits(
  { tx }: RunPlanner,
  rule: RuleRow,
  before: EvaluationTimers,
  after: EvaluationTimers,
): Promise<number[]> {
  const set = [...after].filter(([kind, dueAt]) => before.get(kind) !== dueAt)
  const dropped = EVALUATION_TIMERS.filter((kind) => before.has(kind) && !after.has(kind))
  await deleteTimers(tx, rule, dropped)
  await setTimers(
    tx,
    rule,
    set.map(([kind, dueAt]) => ({ kind, dueAt })),
  )
  return set.map(([, dueAt]) => dueAt)
}

/** Executes the actions of an evaluation: stores runs and skipped runs, and updates alarms. Without a run there is nothing to end. */
async function carryOut(
  engine: Engine,
  part: RunPlanner,
  rule: Watching,
  { acts, memory, waits, isPaused, now }: Evaluation & { isPaused: boolean; now: number },
): Promise<void> {
  if (acts.length === 0) return
  const cause = causeOf(rule)
  const alarming = alarmingOf(engine, part, rule, memory, now)
  let rests = false
  for (const act of acts) {
    if (act.do === 'end') await runEnd(engine, part, rule, { memory, isPaused, now })
    else if (act.do === 'skip')
      await planRun(engine, part, rule, {
        now,
        cause,
        conditions: act.trace,
        notRun: { state: 'skipped', reason: act.reason },
      })
    else {
      if (alarming) await applyAlarmAction(alarming, act)
      // A rule may raise an alarm without any other action.
      if (act.do === 'fire' && !(alarming && rule.rule.Actions.length === 0))
        rests = (await fire(engine, part, rule, { act, memory, isPaused, rests, now })) || rests
    }
  }
  if (!memory.owed) {
    memory.truth.owesEnd = false
    waits.delete('end')
  }
}

/** Cause that its runs are recorded with. */
const causeOf = ({ truth }: Watching) => (truth.alarm ? 'alarm' : 'condition')

/** Alarm context of a rule in this transaction; undefined for a rule without an alarm. */
function alarmingOf(
  { ports: { alarms } }: Engine,
  { tx }: RunPlanner,
  rule: Watching,
  memory: RuleState,
  now: number,
): AlarmDeps | undefined {
  const { Alarm: alarm } = rule.rule
  return alarm && { alarms, tx, rule, alarm, memory, now }
}

interface Firing {
  act: Extract<RuleAction, { do: 'fire' }>
  memory: RuleState
  isPaused: boolean
  /** Whether the rule was suspended during this evaluation. */
  rests: boolean
  now: number
}

/** Stores the run that an evaluation fires; returns whether the rule is suspended instead. */
async function fire(engine: Engine, part: RunPlanner, rule: Watching, firing: Firing): Promise<boolean> {
  const { act, memory, isPaused, now } = firing
  const depth = act.cause ? await runDepthOf(part.tx, { tenant: rule.tenant, ...act.cause }) : 0
  const isTooOften = firing.rests || (!isPaused && (await runsTooOften(part.tx, rule, now)))
  const notRun = isPaused
    ? ({ state: 'skipped', reason: 'paused' } as const)
    : depth > MAX_RUN_DEPTH
      ? ({ state: 'loopStopped', reason: null } as const)
      : isTooOften && ({ state: 'skipped', reason: 'moreOften' } as const)
  const runId = await planRun(engine, part, rule, {
    now,
    cause: causeOf(rule),
    edgeNo: act.edgeNo,
    depth,
    conditions: act.trace,
    ...(notRun && { notRun }),
  })
  // A suspended alarm rule could not notify anyone, so it is not suspended: only the actions of this run are skipped.
  if (rule.truth.alarm) return false
  if (isTooOften && !firing.rests) {
    await suspendRule(engine, part.tx, rule, 'tooOften', now)
    part.changed.push(rule)
    await emitScheduleChanges(part.tx, [rule])
  }
  if (notRun || runId === undefined) return isTooOften
  const { EndDuration, EndActions: actions, Order: order } = rule.rule
  // When a running effect is extended, the first run keeps the values to restore.
  if (EndDuration > 0 && !(act.extends && memory.owed)) memory.owed = { runId, actions, order, depth }
  return false
}

/** Stores the run that ends another. */
async function runEnd(
  engine: Engine,
  part: RunPlanner,
  row: RuleRow,
  { memory, isPaused, now }: { memory: RuleState; isPaused: boolean; now: number },
): Promise<void> {
  const { owed } = memory
  memory.owed = null
  if (!owed) return
  const restores = owed.actions === 'restore'
  await planRun(engine, part, row, {
    now,
    cause: 'end',
    actions: owed.actions === 'restore' ? [] : owed.actions,
    order: owed.order,
    depth: owed.depth,
    restores: restores ? owed.runId : null,
    ...(isPaused && { notRun: { state: 'skipped', reason: 'paused' } }),
  })
}

/** Ends what a disabled or suspended rule has begun, as its run stated. */
async function endResting(
  engine: Engine,
  part: RunPlanner,
  {
    row,
    stored: { version, positions, memory, replayedAt },
    waits,
    isPaused,
    now,
  }: LockedRule & { stored: StoredState; now: number },
): Promise<void> {
  if (!memory?.truth.owesEnd || (waits.get('end') ?? Infinity) > now) return
  memory.truth.owesEnd = false
  await runEnd(engine, part, row, { memory, isPaused, now })
  await writeState(part.tx, row, { version, positions, memory, replayedAt }, now)
  await deleteTimers(part.tx, row, ['end'])
  waits.delete('end')
}

/** The rule as followed while it may not act: only its conditions count. It raises no alarm and ends only runs that began before. */
const followedOnly = (row: RuleRow): RuleRow => {
  const { Alarm: _alarm, ...rule } = row.rule
  return { ...row, rule: { ...rule, EndDuration: 0 } }
}

/** Records from time to time that a blocked rule would have run. */
async function noteHeld(
  engine: Engine,
  part: RunPlanner,
  row: RuleRow,
  {
    acts,
    memory,
    waits,
    endsAt,
    owesEnd,
    now,
  }: Evaluation & { endsAt: number | undefined; owesEnd: boolean; now: number },
): Promise<void> {
  memory.truth.owesEnd = owesEnd
  if (endsAt !== undefined) waits.set('end', endsAt)
  const notRun = blockedRun(row)
  const fired = acts.find((act) => act.do === 'fire')
  if (!notRun || !fired || now - (memory.heldAt ?? -Infinity) < LOCKED_NOTE_INTERVAL_MS) return
  memory.heldAt = now
  const cause = row.type === 4 ? 'alarm' : 'condition'
  await planRun(engine, part, row, { now, cause, edgeNo: fired.edgeNo, conditions: fired.trace, notRun })
}
