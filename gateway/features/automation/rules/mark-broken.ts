import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import type { SignedIn } from '../../../kernel/context.ts'
import { sql } from '../../../store/db.ts'
import { changeEventOf } from '../records/automation.ts'
import type { AutomationPorts } from '../ports.ts'
import { notifyProblem } from '../runs/notices.ts'
import { isInScenes, readScenes, sceneNames } from '../targets/scene-store.ts'
import { currentProblem } from './problem.ts'
import { readAutomations, STATE_OF_PROBLEM, changeRecordOf } from './store.ts'
import type { Subject } from './stored-rule.ts'

/**
 * Something that changed or went: its kind and ids; rooms are counted within a home.
 *
 * only  `fields` of devices that are there as before, and of which only other values can be read: what sets them is as it was
 */
export interface ChangedEntities {
  kind: Subject['kind']
  ids: readonly string[]
  homeId?: string
  only?: 'fields'
}

/**
 * Looks again at the automations that name something, themselves or through a scene, in the transaction in which it went or came: what names something gone is
 * broken from now on, which its owner is told once, and what is whole again may act.
 */
export const recheckRules =
  ({ replan, tell }: Pick<AutomationPorts, 'replan' | 'tell'>) =>
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
    const turned = []
    for (const rule of rules) {
      const Problem = await currentProblem(db, actor.tenant, rule, now)
      // One that rests because it ran too often goes on doing so.
      if (same(Problem, rule.Problem) || (Problem === null && rule.State === 'paused')) continue
      await db.query(sql`update automations set problem = ${Problem && JSON.stringify(Problem)}::jsonb
        where tenant = ${actor.tenant} and automation_id = ${rule.AutomationID}`)
      turned.push({ tenant: actor.tenant, automationId: rule.AutomationID })
      context.change('automation.update', changeEventOf(rule))
      if (Problem && rule.Enabled && STATE_OF_PROBLEM[Problem.Reason] !== rule.State)
        await notifyProblem(tell, db, changeRecordOf(actor.tenant, rule), Problem)
    }
    await replan(db, turned)
  }

/** The scenes that name something that changed or went, of which screens hear what they are like now. */
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

/** Looks again at the automations that read devices which have another Modbus table than before. */
export const fieldsChanged =
  (look: RecheckRules) =>
  (context: SignedIn, uids: readonly string[]): Promise<void> =>
    look(context, { kind: 'device', ids: uids, only: 'fields' })

/** Looks again at the automations of devices whose Modbus table has other rows than before. */
export const tableChanged =
  (look: RecheckRules) =>
  async (context: SignedIn, ModbusTableID: string): Promise<void> => {
    const { db, actor } = context
    const devices = await db.query<{ uid: string }>(sql`select peripheral_uid as uid from peripherals
      where tenant = ${actor.tenant} and modbus_table_id = ${ModbusTableID}`)
    await fieldsChanged(look)(
      context,
      devices.map(({ uid }) => uid),
    )
  }

/** Looks again at the automations of devices that were removed, and of groups that have none left. */
export const devicesGone =
  (look: RecheckRules) =>
  async (context: SignedIn, uids: readonly string[]): Promise<void> => {
    await look(context, { kind: 'device', ids: uids })
    const empty = await context.db.query<{ id: string }>(sql`select g.group_id as id from groups g
      where g.tenant = ${context.actor.tenant} and not exists (select from group_members m
        where m.tenant = g.tenant and m.group_id = g.group_id)`)
    await look(context, { kind: 'group', ids: empty.map(({ id }) => id) })
  }
