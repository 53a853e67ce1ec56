import type { Db } from '../../../store/db.ts'
import { setsDevices } from '../automation/stored-rule.ts'
import type { PlannedRun } from '../runs/port.ts'
import { tellRan } from '../rule-notices.ts'
import type { RuleRow } from './compile.ts'
import type { Engine } from './engine.ts'

/** A transaction in which runs are decided, with what is done once it has committed. */
export interface Planning {
  tx: Db
  /** Runs that begin. */
  begun: Pick<PlannedRun, 'tenant' | 'runId'>[]
  /** Rules of which screens hear that they changed: one that ran for the only time, rests or rests no more. */
  changed: RuleRow[]
}

/** Causes of runs by which a rule begins to act; what ends or undoes is told nobody. */
const TOLD = new Set<PlannedRun['cause']>(['schedule', 'booking', 'condition'])

/** What a run says beside what its rule does. */
type RunOf = Pick<PlannedRun, 'cause'> & Partial<PlannedRun>

/**
 * Stores a run of a rule; what is left out is as the rule has it. For a rule that belongs to nobody any more nobody answers: it is
 * refused.
 *
 * now      epoch ms, from which an action whose hub is away may be caught up
 * returns  its RunID, or undefined when it was stored before: by another gateway, or before the clock was set back
 */
export async function planRun(
  { random, ports, metrics }: Pick<Engine, 'random' | 'ports' | 'metrics'>,
  planning: Planning,
  row: RuleRow,
  { now, ...run }: RunOf & { now: number },
): Promise<string | undefined> {
  const { tenant, automationId, homeId, name, ownerId, rule } = row
  const planned: PlannedRun = {
    tenant,
    homeId,
    runId: random.uuid(),
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
    catchUpUntil: rule.Catching === 'latest' ? (run.plannedAt ?? now) + rule.Grace * 1000 : null,
    conditions: [],
    restores: null,
    ...(ownerId === null && setsDevices(rule) && { notRun: { state: 'refused', reason: 'noRight' } }),
    ...run,
  }
  if (!(await ports.runs.plan(planning.tx, planned))) return undefined
  metrics.runs.inc({ cause: planned.cause, state: planned.notRun?.state ?? 'planned' })
  if (!planned.notRun) {
    planning.begun.push({ tenant, runId: planned.runId })
    if (TOLD.has(planned.cause)) await tellRan(ports.tell, planning.tx, row, rule.Notify, now)
  }
  return planned.runId
}

/** Decides in one transaction, and begins and tells what it has stored. */
export async function planning<T>(
  { db, ports, events }: Pick<Engine, 'db' | 'ports' | 'events'>,
  work: (part: Planning) => Promise<T>,
): Promise<T> {
  const begun: Planning['begun'] = []
  const changed: RuleRow[] = []
  const result = await db.transaction((tx) => work({ tx, begun, changed }))
  for (const { tenant, runId } of begun) ports.runs.begin(tenant, runId)
  for (const { tenant, homeId: HomeID, automationId: AutomationID, type: AutomationType } of changed)
    events.emit('dataChange', {
      tenant,
      name: 'automation.update',
      record: { HomeID, AutomationID, AutomationType },
      by: null,
    })
  return result
}
