import { may } from '../../../../contract/kernel/permissions.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { runs } from '../../../../contract/automation/run-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { AUTOMATION_TYPES, FEATURE_OF_TYPE } from '../../../../contract/automation/automation.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import type { Actor } from '../../../kernel/context.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { RuleOfAutomation } from '../rules/stored-rule.ts'
import { expandActions } from '../targets/expand-actions.ts'
import { joinParts, partsOf, restoring } from '../runs/restore.ts'
import { findRun } from '../runs/store.ts'
import { loadTargets, type LoadedTargets } from '../targets/targets.ts'
import { rulesSetting, type SetDevice } from '../runs/rules-setting.ts'

type NextAct = ResultsOf<typeof runs.explainDevice>['Next'][number]

/** Maximum number of actions in the answer. */
const TOLD = 20

interface Row {
  id: string
  type: number
  name: string
  isReady: boolean
  nextRunAt: number | null
  rule: RuleOfAutomation
  /** Open run that its conditions still have to end. */
  owed: { runId: string; actions: 'restore' | Action[] } | null
  waits: { kind: 'end' | 'off' | 'booking'; key: string; dueAt: number }[]
}

/**
 * Automations, readable by the caller, that set a device next, soonest first: on schedule, at the end of an open run, or (last,
 * without a time) when their conditions become true. In a home with paused automations nothing acts before the pause ends.
 *
 * now  epoch ms
 */
export async function nextActs(db: Db, actor: Actor, device: SetDevice, now: number): Promise<NextAct[]> {
  const rows = await readRules(db, actor, device)
  if (rows.length === 0) return []
  const resumesAt = await restsUntil(db, device, now)
  const lists = rows.flatMap(({ rule, owed }) => [
    rule.Actions,
    ...(Array.isArray(owed?.actions) ? [owed.actions] : []),
  ])
  const targets = await loadTargets(db, device, lists.flat())
  const acts: NextAct[] = []
  for (const row of rows) {
    const act = (At: number | null, Values: CommandValues | undefined, rests = resumesAt) => {
      if (Values && (At === null ? rests < Infinity : At >= rests))
        acts.push({ AutomationID: row.id, AutomationType: row.type, AutomationName: row.name, At, Values })
    }
    for (const wait of row.waits)
      if (wait.kind !== 'booking')
        // A scheduled switch-off happens even during a pause.
        act(
          wait.dueAt,
          await valuesAtEnd(db, device, row, wait, targets),
          wait.kind === 'off' ? 0 : resumesAt,
        )
    if (!row.isReady) continue
    const values = valuesFor(row.rule.Actions, targets, device.uid)
    const booked = row.waits.filter(({ kind }) => kind === 'booking').map(({ dueAt }) => dueAt)
    if (row.rule.Conditions) act(null, values)
    else if (row.nextRunAt !== null) act(row.nextRunAt, values)
    else if (booked.length > 0) act(Math.min(...booked), values)
  }
  return acts
    .toSorted(
      (a, b) => (a.At ?? Infinity) - (b.At ?? Infinity) || a.AutomationName.localeCompare(b.AutomationName),
    )
    .slice(0, TOLD)
}

/** Automations whose actions name the device, its room, one of its groups, or a scene that sets it; includes broken ones. */
function readRules(db: Db, actor: Actor, device: SetDevice): Promise<Row[]> {
  const { tenant, homeId } = device
  const types = AUTOMATION_TYPES.filter((type) => may(actor, FEATURE_OF_TYPE[type], 'Read'))
  return db.query<Row>(sql`
    select a.automation_id as id, a.automation_type as type, a.automation_name as name,
      a.enabled and a.problem is null as "isReady", a.next_run_at as "nextRunAt", a.rule,
      (select s.state -> 'owed' from automation_states s where s.tenant = a.tenant and s.automation_id = a.automation_id
        and jsonb_typeof(s.state -> 'owed') = 'object') as owed,
      coalesce((select jsonb_agg(jsonb_build_object('kind', w.kind, 'key', w.key, 'dueAt', w.due_at) order by w.due_at)
        from automation_waits w where w.tenant = a.tenant and w.automation_id = a.automation_id
          and w.kind in ('end', 'off', 'booking')), '[]') as waits
    from automations a
    where a.tenant = ${tenant} and a.home_id = ${homeId} and a.automation_type = any(${types}::smallint[])
      and ${rulesSetting(device)}`)
}

/** End of the home's automation pause, epoch ms: 0 without a pause, Infinity if a person has to end it. */
async function restsUntil(db: Db, { tenant, homeId }: SetDevice, now: number): Promise<number> {
  const [pause] = await db.query<{ until: number | null }>(sql`select until from automation_pauses
    where tenant = ${tenant} and home_id = ${homeId} and (until is null or until > ${now}::bigint)`)
  return pause ? (pause.until ?? Infinity) : 0
}

/** Values that some actions set on one device; undefined for none. */
function valuesFor(
  actions: readonly Action[],
  targets: LoadedTargets,
  uid: string,
): CommandValues | undefined {
  const steps = expandActions(actions, targets).filter((step) => step.uid === uid)
  return steps.length === 0 ? undefined : joinParts(steps.flatMap(({ values }) => partsOf(values)))
}

/** Values that the end of an open run sets, by the device's present state. */
async function valuesAtEnd(
  db: Db,
  { tenant, uid }: SetDevice,
  { owed }: Row,
  { kind, key }: Row['waits'][number],
  targets: LoadedTargets,
): Promise<CommandValues | undefined> {
  if (kind === 'end' && Array.isArray(owed?.actions)) return valuesFor(owed.actions, targets, uid)
  const runId = kind === 'off' ? key : owed?.runId
  const run = runId === undefined ? undefined : await findRun(db, tenant, runId)
  const step = run?.steps.findLast((one) => one.uid === uid && one.before !== undefined)
  if (!step) return undefined
  const status = targets.devices.get(uid)?.status ?? null
  const { values } = restoring(step, status, kind === 'off' ? 'off' : 'before')
  return Object.keys(values).length > 0 ? values : undefined
}
