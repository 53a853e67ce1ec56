import type { Db } from '../../../kernel/db.ts'
import type { RuleKey } from '../rules/rule-rows.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { type RuleUpdate, applyActions, runDueEnd } from './apply-actions.ts'
import { compileRule, isActiveRule, ruleKey, type CompiledRule } from './compile.ts'
import type { Engine } from './engine.ts'
import { evaluateRule } from './evaluate-rule.ts'
import {
  type ConditionRule,
  EVALUATION_TIMERS,
  type EvaluationInput,
  type EvaluationTimers,
  type RuleState,
  storedStateOf,
  verdictsOf,
} from './rule-state.ts'
import { readCurrentStatus, readCurrentStatusAndPositions, readLog } from './log.ts'
import { createRunPlanner, type RunPlanner } from './plan-run.ts'
import { removeFromIndex, updateIndex } from './rule-index.ts'
import { type LockedRule, lockRule, writeState } from './states.ts'
import { deleteTimers, setTimers } from './timers.ts'
import { needsCurrentStatus } from './values.ts'
import type { HomeDemand, MeterSums } from './ports.ts'

/** Computed measures for the conditions of a rule, by condition index. */
type MeasuredValues = ReadonlyMap<number, number | null>

/**
 * Outcome of an evaluation: nothing changed but the time of the check, something changed, or the rule has no conditions to watch any
 * longer.
 */
type EvaluationOutcome = 'same' | 'moved' | 'gone'

interface Decision extends RuleUpdate {
  outcome: EvaluationOutcome
  rule: ConditionRule
  /** Due times of new timers, epoch ms. */
  due: number[]
}

/**
 * Decides a rule in one transaction: locks its state, reads the changes of its devices since the last evaluation, evaluates it, applies
 * the actions, and saves state and timers. The result depends on the log, not on the caller: redundant and concurrent calls have no effect.
 *
 * measures  conditions on omitted measures keep their verdict
 * pace      for predicted alarms: kWh in the last 60 minutes, null if unknown; if omitted, the prediction does not change
 */
export async function decideRule(
  engine: Engine,
  key: RuleKey,
  measures: MeasuredValues = new Map(),
  pace?: number | null,
): Promise<EvaluationOutcome> {
  const now = engine.clock.now()
  const decision = await createRunPlanner(engine, (planner) =>
    decideIn(engine, planner, key, { measures, pace, now }),
  )
  const outcome = decision?.outcome ?? 'gone'
  engine.metrics.decisions.inc({ outcome })
  if (!decision) removeFromIndex(engine.ruleIndex, ruleKey(key))
  else {
    const { rule, state } = decision
    updateIndex(engine.ruleIndex, rule, verdictsOf(rule, state), state.recordedReadings)
    for (const at of decision.due) engine.dueAt(at)
  }
  return outcome
}

/** Returns undefined if the rule was deleted, disabled or has no conditions. */
async function decideIn(
  engine: Engine,
  planner: RunPlanner,
  key: RuleKey,
  { measures, pace, now }: { measures: MeasuredValues; pace: number | null | undefined; now: number },
): Promise<Decision | undefined> {
  const { tx } = planner
  const locked = await lockRule(tx, key, { now, sunOf: engine.sunOf })
  if (!locked) return undefined
  const { row, calendar, isPaused } = locked
  const canAct = row.isReady && row.rule.Conditions !== undefined
  const { state, timers } = canAct ? locked : await runDueEnd(engine, planner, locked, now)
  if (!isActiveRule(row) || !row.rule.Conditions) return undefined
  const mode = row.isReady ? 'active' : 'observeOnly'
  const rule = compileRule(row, mode) as ConditionRule
  const { positions, ...read } = await readEvents(tx, rule, { ...locked, state, timers }, now)
  const evaluation = evaluateRule({ rule, mode, state, timers, measures, calendar, now, ...read })
  const applied = await applyActions(engine, planner, rule, evaluation, {
    mode,
    isPaused,
    pace,
    zone: calendar.zone,
    now,
  })
  const isSame = !read.reset && read.log.length === 0 && state !== null && isSameState(applied.state, state)
  if (!isSame)
    await writeState(
      tx,
      key,
      { version: rule.version, positions, state: applied.state, replayedAt: 'now' },
      now,
    )
  const due = await saveTimers(tx, rule, timers, applied.timers)
  return { ...applied, outcome: isSame ? 'same' : 'moved', rule, due }
}

const isSameState = (one: RuleState, other: RuleState): boolean =>
  JSON.stringify(storedStateOf(one)) === JSON.stringify(storedStateOf(other))

/** Reads the log since the last evaluation, and the current status of the devices after a reset or if needed. */
async function readEvents(
  tx: Db,
  rule: ConditionRule,
  { version, state, positions, replayedAt, timers }: LockedRule,
  now: number,
): Promise<Pick<EvaluationInput, 'reset' | 'log' | 'current'> & Pick<LockedRule, 'positions'>> {
  const { tenant, devices } = rule
  if (version !== rule.version || !state) {
    const statuses = await readCurrentStatusAndPositions(tx, tenant, devices)
    const current = new Map(statuses.map((device) => [device.uid, device]))
    const ends = Object.fromEntries(statuses.map(({ uid, position }) => [uid, position]))
    return { reset: true, log: [], current, positions: ends }
  }
  const log = await readLog(tx, tenant, positions, replayedAt)
  const statuses = needsCurrentStatus(rule, timers, now) ? await readCurrentStatus(tx, tenant, devices) : []
  return {
    reset: false,
    log,
    current: new Map(statuses.map((device) => [device.uid, device])),
    positions: { ...positions, ...Object.fromEntries(log.map(({ uid, seq }) => [uid, seq])) },
  }
}

/** Stores changed timers; returns the due times of new ones. */
async function saveTimers(
  tx: Db,
  key: RuleKey,
  before: EvaluationTimers,
  after: EvaluationTimers,
): Promise<number[]> {
  const changed = [...after].filter(([kind, dueAt]) => before.get(kind) !== dueAt)
  const cancelled = EVALUATION_TIMERS.filter((kind) => before.has(kind) && !after.has(kind))
  await deleteTimers(tx, key, cancelled)
  await setTimers(
    tx,
    key,
    changed.map(([kind, dueAt]) => ({ kind, dueAt })),
  )
  return changed.map(([, dueAt]) => dueAt)
}

/** Names of home measures in conditions, and the corresponding fields of the demand. */
const OF_HOME: Readonly<Record<string, keyof HomeDemand>> = {
  DemandRolling: 'Rolling',
  DemandForecast: 'Forecast',
  DemandShare: 'Share',
}

/** Computes the measures for the conditions of a rule. Failed ones are omitted, so that their conditions keep their verdict. */
export async function computeMeasures(
  { ruleIndex, ports, clock, log }: Engine,
  key: RuleKey,
): Promise<MeasuredValues> {
  const rule = ruleIndex.rules.get(ruleKey(key))
  const measures = new Map<number, number | null>()
  if (!rule?.watched.some(({ source }) => source === 'measure')) return measures
  const answers = new Map<string, Promise<HomeDemand | MeterSums>>()
  const read = (uid: string) => {
    const answer =
      answers.get(uid) ??
      (uid === HOME_SUBJECT ? ports.readDemand(rule, clock.now()) : ports.readSums(rule, uid, clock.now()))
    answers.set(uid, answer)
    return answer
  }
  for (const [i, { condition, source }] of rule.watched.entries()) {
    if (source !== 'measure') continue
    try {
      measures.set(i, valueOf(await read(condition.PeripheralUID), rule, i))
    } catch (err) {
      log.warn({ err, automationId: key.automationId }, 'sum or demand not computed')
    }
  }
  return measures
}

/** Energy of the meter of a rule with predicted alarms in the last 60 minutes, kWh; undefined for other rules and on failure. */
export async function readHourlyConsumption(
  { ruleIndex, ports, clock, log }: Engine,
  key: RuleKey,
): Promise<number | null | undefined> {
  const rule = ruleIndex.rules.get(ruleKey(key))
  const [watched] = rule?.watched ?? []
  if (!watched || !rule?.rule.Alarm?.Ahead) return undefined
  try {
    return await ports.readPace(rule, watched.condition.PeripheralUID, clock.now())
  } catch (err) {
    log.warn({ err, automationId: key.automationId }, 'meter rate not computed')
    return undefined
  }
}

function valueOf(answer: HomeDemand | MeterSums, { watched }: CompiledRule, i: number): number | null {
  const { Field = '' } = watched[i]?.condition ?? {}
  return (answer as unknown as Record<string, number | null>)[OF_HOME[Field] ?? Field] ?? null
}
