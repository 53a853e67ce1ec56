import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { TruthRule } from '../logic/condition-state.ts'
import { type AlarmDeps, applyAlarmAction, updatePredictedAlarm, updateAlarmReadings } from './alarms.ts'
import { compileRule, type CompiledRule, ruleKey, type RuleRow, isActiveRule } from './compile.ts'
import type { Engine } from './engine.ts'
import { blockedRun } from './skipped-runs.ts'
import { removeFromIndex, updateIndex } from './rule-index.ts'
import { type LogEntry, readLog, readPresent, readPresentAndPositions } from './log.ts'
import { runDepthOf, MAX_RUN_DEPTH, suspendRule, runsTooOften } from './loops.ts'
import { type RuleState, verdictsOf } from './rule-state.ts'
import { type RunPlanner, createRunPlanner, planRun } from './plan-run.ts'
import { emitScheduleChanges } from './reschedule.ts'
import type { RuleKey } from './rule-rows.ts'
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

/** What others compute for conditions of a rule, by their index. */
export type MeasuredValues = ReadonlyMap<number, number | null>

/** What came of a decision: nothing but the time it was looked at, something, or that the rule watches nothing any more. */
export type EvaluationOutcome = 'same' | 'moved' | 'gone'

/** Between two notes that a rule which may not act would have run, ms. */
const LOCKED_NOTE_INTERVAL_MS = 600_000

type Watching = CompiledRule & { rule: { Conditions: Conditions }; truth: TruthRule }

/**
 * Decides a rule in one transaction: what was written of its devices since it was decided last, what is due, and what is measured
 * now. The log decides, and not who asks: to be asked in vain, twice or by several gateways changes nothing.
 *
 * measures  where they are left out, conditions on them stay as they were
 * pace      of what tells ahead: kWh in the last 60 minutes, null while that is not known, left out where it stays as it was
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
  /** Of what watches on. */
  rule?: CompiledRule
  memory?: RuleState
  /** When something of it becomes due, epoch ms. */
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

/** Stores what became of the waits; answers when the new ones are due. */
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

/** Stores the runs of a turn, and those that nearly were; what did not run has nothing to end. */
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
      // An alarm may do nothing but tell.
      if (act.do === 'fire' && !(alarming && rule.rule.Actions.length === 0))
        rests = (await fire(engine, part, rule, { act, memory, isPaused, rests, now })) || rests
    }
  }
  if (!memory.owed) {
    memory.truth.owesEnd = false
    waits.delete('end')
  }
}

/** What its runs are said to come from. */
const causeOf = ({ truth }: Watching) => (truth.alarm ? 'alarm' : 'condition')

/** A rule that raises alarms, in this transaction; undefined for another one. */
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
  /** It has begun to rest in this very turn. */
  rests: boolean
  now: number
}

/** Stores the run of a turn of the conditions; answers whether the rule begins to rest instead. */
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
  // An alarm that rests tells nobody anything: only what it does is left out.
  if (rule.truth.alarm) return false
  if (isTooOften && !firing.rests) {
    await suspendRule(engine, part.tx, rule, 'tooOften', now)
    part.changed.push(rule)
    await emitScheduleChanges(part.tx, [rule])
  }
  if (notRun || runId === undefined) return isTooOften
  const { EndDuration, EndActions: actions, Order: order } = rule.rule
  // What was before the first of several runs is what the last one ends with.
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

/** Of a rule that is switched off or rests: what it has begun ends as it was promised. */
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

/** Of a rule that may not act only the conditions count: it raises nothing, and its end is that of what it had begun before. */
const followedOnly = (row: RuleRow): RuleRow => {
  const { Alarm: _alarm, ...rule } = row.rule
  return { ...row, rule: { ...rule, EndDuration: 0 } }
}

/** Notes that a rule which may not act would have run, now and then. */
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
