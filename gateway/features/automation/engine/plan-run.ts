import { GatewayError } from '../../../kernel/errors.ts'
import type { Db } from '../../../store/db.ts'
import { setsDevices } from '../rules/stored-rule.ts'
import { MIN_HUB_WAIT_MS, type RunPlan } from '../runs/port.ts'
import { notifyRan } from '../runs/notices.ts'
import type { RuleRow } from './compile.ts'
import type { Engine } from './engine.ts'

/** A transaction in which runs are decided, with what is done once it has committed. */
export interface RunPlanner {
  tx: Db
  /** Runs that begin. */
  begun: RunPlan[]
  /** Rules of which screens hear that they changed: one that ran for the only time, rests or rests no more. */
  changed: RuleRow[]
}

/** Causes of runs by which a rule begins to act; what ends or undoes is told nobody. */
const TOLD = new Set<RunPlan['cause']>(['schedule', 'booking', 'condition'])

/** What a run says beside what its rule does. */
type RunOf = Pick<RunPlan, 'cause'> & Partial<RunPlan>

/** A run of a rule to be; what is left out is as the rule has it. */
export interface RunOfRule {
  row: RuleRow
  run: RunOf
}

/**
 * Stores a run of a rule. For a rule that belongs to nobody any more nobody answers: it is refused.
 *
 * now      epoch ms, from which an action whose hub is away may be caught up
 * returns  its RunID, or undefined when it was stored before: by another gateway, or before the clock was set back
 */
export async function planRun(
  engine: PlanningDeps,
  planning: RunPlanner,
  row: RuleRow,
  { now, ...run }: RunOf & { now: number },
): Promise<string | undefined> {
  const [runId] = await planRuns(engine, planning, [{ row, run }], now)
  return runId
}

type PlanningDeps = Pick<Engine, 'random' | 'ports' | 'metrics'>

/** The same of several runs, in their order, in one statement. */
export async function planRuns(
  { random, ports, metrics }: PlanningDeps,
  { tx, begun }: Pick<RunPlanner, 'tx' | 'begun'>,
  runs: readonly RunOfRule[],
  now: number,
): Promise<(string | undefined)[]> {
  if (runs.length === 0) return []
  const planned = runs.map((one) => plannedOf(one, random.uuid(), now))
  const stored = await ports.runs.planAll(tx, planned)
  for (const [i, run] of planned.entries()) {
    if (!stored[i]) continue
    metrics.runs.inc({ cause: run.cause, state: run.notRun?.state ?? 'planned' })
    if (run.notRun) continue
    begun.push(run)
    const { row } = runs[i] as RunOfRule
    if (TOLD.has(run.cause)) await notifyRan(ports.tell, tx, row, row.rule.Notify, now)
  }
  return planned.map(({ runId }, i) => (stored[i] ? runId : undefined))
}

/** Until when the commands of a run may wait for their hubs, epoch ms: its grace, and never less than hubs need to reconnect. */
export const waitsUntil = (
  { Catching, Grace }: Pick<RuleRow['rule'], 'Catching' | 'Grace'>,
  plannedAt: number,
  now: number,
): number => Math.max(now + MIN_HUB_WAIT_MS, Catching === 'latest' ? plannedAt + Grace * 1000 : 0)

function plannedOf({ row, run }: RunOfRule, runId: string, now: number): RunPlan {
  const { tenant, automationId, homeId, name, ownerId, rule } = row
  return {
    tenant,
    homeId,
    runId,
    automationId,
    sceneId: null,
    name,
    by: null,
    ownerId,
    edgeNo: null,
    plannedAt: null,
    depth: 0,
    actions: rule.Actions,
    order: rule.Order,
    stopOnFailure: run.cause !== 'end' && run.cause !== 'off' && rule.StopOnFailure,
    catchUpUntil: waitsUntil(rule, run.plannedAt ?? now, now),
    conditions: [],
    restores: null,
    ...(ownerId === null && setsDevices(rule) && { notRun: { state: 'refused', reason: 'noRight' } }),
    ...run,
  }
}

type Deciding = Pick<Engine, 'db' | 'ports' | 'events' | 'log'>

/**
 * Decides in one transaction, in which the runs that begin are prepared as well, and begins and tells what it has stored. What cannot
 * be prepared, because of one of the runs, is decided again without: each is then prepared by itself.
 */
export async function createRunPlanner<T>(
  engine: Deciding,
  work: (part: RunPlanner) => Promise<T>,
): Promise<T> {
  let isPreparing = false
  try {
    return await decideAll(engine, async (part) => {
      const result = await work(part)
      isPreparing = true
      await engine.ports.runs.prepare(part.tx, part.begun)
      isPreparing = false
      return result
    })
  } catch (err) {
    if (!isPreparing || (err instanceof GatewayError && err.code === 'UNAVAILABLE')) throw err
    engine.log.warn({ err }, 'batch preparation of runs failed, preparing one by one')
    return decideAll(engine, work)
  }
}

async function decideAll<T>(
  { db, ports, events }: Deciding,
  work: (part: RunPlanner) => Promise<T>,
): Promise<T> {
  const begun: RunPlanner['begun'] = []
  const changed: RuleRow[] = []
  const result = await db.transaction((tx) => work({ tx, begun, changed }))
  for (const { tenant, runId } of begun) ports.runs.begin(tenant, runId)
  emitRuleChanges({ events }, changed)
  return result
}

/** Tells screens that what they show of some rules has changed. */
export function emitRuleChanges({ events }: Pick<Engine, 'events'>, rules: readonly RuleRow[]): void {
  for (const { tenant, homeId: HomeID, automationId: AutomationID, type: AutomationType } of rules)
    events.emit('dataChange', {
      tenant,
      name: 'automation.update',
      record: { HomeID, AutomationID, AutomationType },
      by: null,
    })
}
