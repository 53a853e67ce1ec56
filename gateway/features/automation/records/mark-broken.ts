import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import type { SignedIn } from '../../../kernel/context.ts'
import { sql } from '../../../kernel/db.ts'
import { changeEventOf } from './automation.ts'
import type { AutomationPorts } from './ports.ts'
import { notifyProblem } from '../runs/notices.ts'
import { isInScenes, readScenes, sceneNames } from '../targets/scene-store.ts'
import { currentProblem } from '../rules/problem.ts'
import { readAutomations, STATE_OF_PROBLEM, changeRecordOf, type Subject } from '../rules/stored-rule.ts'

/**
 * Changed or deleted things: their kind and ids; room ids need the home.
 *
 * only  `fields` for existing devices of which only the readable fields changed: what sets them is not affected
 */
export interface ChangedEntities {
  kind: Subject['kind']
  ids: readonly string[]
  homeId?: string
  only?: 'fields'
}

/**
 * Rechecks automations that name something, directly or through a scene, in the transaction that deletes or restores it. One with a
 * missing target is marked broken and its owner notified once; a repaired one may act again.
 */
export const recheckRules =
  ({ replan, notify }: Pick<AutomationPorts, 'replan' | 'notify'>) =>
  async (context: SignedIn, { kind, ids, homeId, only }: ChangedEntities): Promise<void> => {
    if (ids.length === 0) return
    const { db, actor, clock } = context
    const scenes = only === 'fields' ? [] : await scenesOf(context, kind, ids, homeId)
    const held = await db.query<{ id: string }>(sql`select automation_id as id from automations
      where tenant = ${actor.tenant} and (${homeId ?? null}::text is null or home_id = ${homeId ?? null})
        and automation_id in (select automation_id from automation_subjects
          where tenant = ${actor.tenant} and (kind = ${kind} and subject = any(${[...ids]}::text[])
            or kind = 'scene' and subject = any(${scenes}::text[])))
      order by automation_id for no key update`)
    if (held.length === 0) return
    const now = clock.now()
    const rules = await readAutomations(
      db,
      now,
      sql`a.tenant = ${actor.tenant} and a.automation_id = any(${held.map(({ id }) => id)}::text[])`,
    )
    const changedRules = []
    for (const rule of rules) {
      const Problem = await currentProblem(db, actor.tenant, rule, now)
      // A rule that is suspended for running too often stays suspended.
      if (same(Problem, rule.Problem) || (Problem === null && rule.State === 'paused')) continue
      await db.query(sql`update automations set problem = ${Problem && JSON.stringify(Problem)}::jsonb
        where tenant = ${actor.tenant} and automation_id = ${rule.AutomationID}`)
      changedRules.push({ tenant: actor.tenant, automationId: rule.AutomationID })
      context.change('automation.update', changeEventOf(rule))
      if (Problem && rule.Enabled && STATE_OF_PROBLEM[Problem.Reason] !== rule.State)
        await notifyProblem(notify, db, changeRecordOf(actor.tenant, rule), Problem)
    }
    await replan(db, changedRules)
  }

/** Scenes that name a changed or deleted thing; emits their changes. */
async function scenesOf(
  context: SignedIn,
  kind: ChangedEntities['kind'],
  ids: readonly string[],
  homeId: string | undefined,
): Promise<string[]> {
  if (!isInScenes(kind)) return []
  const { db, actor } = context
  const homes = await db.query<{ homeId: string }>(sql`select distinct home_id as "homeId" from scenes
    where tenant = ${actor.tenant} and (${homeId ?? null}::text is null or home_id = ${homeId ?? null})
      and ${sceneNames(kind, ids)}`)
  const found: string[] = []
  for (const home of homes)
    for (const scene of await readScenes(db, { tenant: actor.tenant, ...home }, sceneNames(kind, ids))) {
      context.change('scene.update', scene)
      found.push(scene.SceneID)
    }
  return found
}

const same = (a: AutomationProblem | null, b: AutomationProblem | null): boolean =>
  a?.Reason === b?.Reason && a?.Subject === b?.Subject

export type RecheckRules = ReturnType<typeof recheckRules>

/** Rechecks automations that read devices whose Modbus table was replaced. */
export const onFieldsChanged =
  (recheck: RecheckRules) =>
  (context: SignedIn, uids: readonly string[]): Promise<void> =>
    recheck(context, { kind: 'device', ids: uids, only: 'fields' })

/** Rechecks automations of devices whose Modbus table has changed rows. */
export const onModbusTableChanged =
  (recheck: RecheckRules) =>
  async (context: SignedIn, ModbusTableID: string): Promise<void> => {
    const { db, actor } = context
    const devices = await db.query<{ uid: string }>(sql`select peripheral_uid as uid from peripherals
      where tenant = ${actor.tenant} and modbus_table_id = ${ModbusTableID}`)
    await onFieldsChanged(recheck)(
      context,
      devices.map(({ uid }) => uid),
    )
  }

/** Also rechecks automations of groups that are now empty. */
export const onDevicesRemoved =
  (recheck: RecheckRules) =>
  async (context: SignedIn, uids: readonly string[]): Promise<void> => {
    await recheck(context, { kind: 'device', ids: uids })
    const empty = await context.db.query<{ id: string }>(sql`select g.group_id as id from groups g
      where g.tenant = ${context.actor.tenant} and not exists (select from group_members m
        where m.tenant = g.tenant and m.group_id = g.group_id)`)
    await recheck(context, { kind: 'group', ids: empty.map(({ id }) => id) })
  }
