import { GatewayError } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/db.ts'
import { setsDevices } from '../rules/stored-rule.ts'
import { MIN_HUB_WAIT_MS, type RunPlan } from '../runs/port.ts'
import { notifyRan } from '../runs/notices.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import type { Engine } from './engine.ts'

/** A transaction that plans runs, with the work to do after the commit. */
export interface RunPlanner {
  tx: Db
  started: RunPlan[]
  /** Rules to publish as changed: they ran for the only time, were suspended or resumed. */
  changed: RuleRow[]
}

/** Causes by which a rule begins to act; users are not notified of runs that end or undo something. */
const NOTIFIED_CAUSES = new Set<RunPlan['cause']>(['schedule', 'booking', 'condition'])

/** Fields of a run that do not come from its rule. */
type RunFields = Pick<RunPlan, 'cause'> & Partial<RunPlan>

/** A run to plan; omitted fields come from the rule. */
export interface RunOfRule {
  row: RuleRow
  run: RunFields
}

/**
 * Stores a run of a rule. It is refused if the rule no longer has an owner, as nobody is responsible for it.
 *
 * now      epoch ms; an action whose hub is offline may be caught up from then on
 * returns  its RunID; undefined if the run is stored already, by another gateway or before the clock was set back
 */
export async function planRun(
  engine: PlanningDeps,
  planning: RunPlanner,
  row: RuleRow,
  { now, ...run }: RunFields & { now: number },
): Promise<string | undefined> {
  const [runId] = await planRuns(engine, planning, [{ row, run }], now)
  return runId
}

type PlanningDeps = Pick<Engine, 'random' | 'ports' | 'metrics'>

/** As `planRun`, for several runs in order, in one statement. */
export async function planRuns(
  { random, ports, metrics }: PlanningDeps,
  { tx, started }: Pick<RunPlanner, 'tx' | 'started'>,
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
    started.push(run)
    const { row } = runs[i] as RunOfRule
    if (NOTIFIED_CAUSES.has(run.cause)) await notifyRan(ports.notify, tx, row, row.rule.Notify, now)
  }
  return planned.map(({ runId }, i) => (stored[i] ? runId : undefined))
}

/**
 * Time until which the commands of a run wait for their hubs, epoch ms: the grace period, but at least the time that hubs need to
 * reconnect.
 */
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

type TransactionDeps = Pick<Engine, 'db' | 'ports' | 'events' | 'log'>

/**
 * Plans and prepares runs in one transaction, and starts and publishes them after the commit. If one of them prevents preparing them
 * together, the transaction is repeated without preparing, and each run is prepared separately later.
 */
export async function createRunPlanner<T>(
  engine: TransactionDeps,
  work: (planner: RunPlanner) => Promise<T>,
): Promise<T> {
  let isPreparing = false
  try {
    return await planInTransaction(engine, async (planner) => {
      const result = await work(planner)
      isPreparing = true
      await engine.ports.runs.prepare(planner.tx, planner.started)
      isPreparing = false
      return result
    })
  } catch (err) {
    if (!isPreparing || (err instanceof GatewayError && err.code === 'UNAVAILABLE')) throw err
    engine.log.warn({ err }, 'batch preparation of runs failed, preparing one by one')
    return planInTransaction(engine, work)
  }
}

async function planInTransaction<T>(
  { db, ports, events }: TransactionDeps,
  work: (planner: RunPlanner) => Promise<T>,
): Promise<T> {
  const started: RunPlanner['started'] = []
  const changed: RuleRow[] = []
  const result = await db.transaction((tx) => work({ tx, started, changed }))
  for (const { tenant, runId } of started) ports.runs.begin(tenant, runId)
  emitRuleChanges({ events }, changed)
  return result
}

/** Publishes rule changes to screens. */
export function emitRuleChanges({ events }: Pick<Engine, 'events'>, rules: readonly RuleRow[]): void {
  for (const { tenant, homeId: HomeID, automationId: AutomationID, type: AutomationType } of rules)
    events.emit('dataChange', {
      tenant,
      name: 'automation.update',
      record: { HomeID, AutomationID, AutomationType },
      by: null,
    })
}
