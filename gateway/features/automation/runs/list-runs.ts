import { may, SOMEWHERE } from '../../../../contract/kernel/permissions.ts'
import { type Run, type runs, UNDO_WINDOW_MS } from '../../../../contract/automation/run-calls.ts'
import { type RunState } from '../../../../contract/automation/run-states.ts'
import { AUTOMATION_TYPES, FEATURE_OF_TYPE } from '../../../../contract/automation/automation.ts'
import type { Actor, Handler } from '../../../kernel/context.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { type Db, type Sql, empty, sql } from '../../../kernel/db.ts'
import { paginate } from '../../../store/page.ts'
import { readCommandsOfRuns } from './store.ts'
import { type RunStep, stateOf } from './step.ts'

export interface SetDevice {
  tenant: string
  homeId: string
  uid: string
  roomId: number
}

/** Condition that automation a has actions that name a device, its room, one of its groups, or a scene that sets it. */
export const rulesSetting = ({ tenant, homeId, uid, roomId }: SetDevice): Sql => {
  const groups = sql`select m.group_id from group_members m join groups g using (tenant, group_id)
    where m.tenant = ${tenant} and g.home_id = ${homeId} and m.peripheral_uid = ${uid}`
  return sql`exists (select from automation_subjects s
    where s.tenant = a.tenant and s.automation_id = a.automation_id and s.role = 'action'
      and (s.kind, s.subject) in (
        select 'device', ${uid}::text union all select 'room', ${String(roomId)}::text
        union all select 'group', m.group_id from (${groups}) m
        union all select 'scene', c.scene_id from scenes c where c.tenant = ${tenant} and c.home_id = ${homeId} and (
          c.actions @> ${JSON.stringify([{ PeripheralUID: uid }])}::jsonb
          or c.actions @> ${JSON.stringify([{ RoomID: roomId }])}::jsonb
          or exists (select from (${groups}) m
            where c.actions @> jsonb_build_array(jsonb_build_object('GroupID', m.group_id))))))`
}

/** States of runs that were not executed. */
const NOT_RUN: RunState[] = ['missed', 'skipped', 'loopStopped', 'refused']

type Row = Omit<Run, 'Actions' | 'UndoUntil'> & { steps: RunStep[] }

/** Runs that the caller may read: of automations of readable types, and of scenes, groups and rooms. */
export const readableRuns = (actor: Actor): Sql => {
  const types = AUTOMATION_TYPES.filter((type) => may(actor, FEATURE_OF_TYPE[type], 'Read', SOMEWHERE))
  return sql`r.tenant = ${actor.tenant} and (r.automation_id is null or r.automation_type = any(${types}::smallint[]))`
}

/**
 * Condition that run r is a near miss of an automation that sets a device at present or has it in its conditions; runs that were not
 * executed name no devices.
 */
export const nearlyAbout = (device: SetDevice): Sql =>
  sql`r.state = any(${NOT_RUN}::text[]) and (r.automation_id = any(array(
      select a.automation_id from automations a
      where a.tenant = ${device.tenant} and a.home_id = ${device.homeId} and ${rulesSetting(device)}))
    or r.conditions @> ${JSON.stringify([{ PeripheralUID: device.uid }])}::jsonb)`

const RUN = sql`r.run_id as "RunID", r.home_id as "HomeID", r.automation_id as "AutomationID", r.scene_id as "SceneID",
  coalesce((select automation_name from automations a where a.tenant = r.tenant and a.automation_id = r.automation_id),
    (select scene_name from scenes s where s.tenant = r.tenant and s.scene_id = r.scene_id and r.automation_id is null),
    r.name) as "Name", r.cause as "Cause", r.by_name as "By", r.state as "State", r.reason as "Reason",
  r.planned_at as "PlannedAt", r.began_at as "BeganAt", r.ended_at as "EndedAt", r.conditions as "Conditions",
  r.actions as steps`

/** Runs as screens show them. `tail` follows `where`, on automation_runs r. */
export async function readRuns<More extends object = object>(
  db: Db,
  tenant: string,
  { tail, more = empty, now }: { tail: Sql; more?: Sql; now: number },
): Promise<(Run & More)[]> {
  const rows = await db.query<Row & More>(sql`select ${RUN} ${more} from automation_runs r where ${tail}`)
  const open = rows.filter(({ State, steps }) => State === 'superseded' || steps.some(({ end }) => !end))
  const commands =
    open.length > 0
      ? await readCommandsOfRuns(
          db,
          tenant,
          open.map(({ RunID }) => RunID),
        )
      : new Map()
  return rows.map(({ steps, ...row }) => {
    const undoUntil = row.BeganAt + UNDO_WINDOW_MS
    const canUndo =
      row.Cause === 'person' && row.AutomationID === null && undoUntil > now && row.State !== 'skipped'
    return {
      ...row,
      Actions: steps.map((step) => ({
        PeripheralUID: step.uid,
        Values: step.values,
        ...stateOf(row.RunID, step, commands.get(row.RunID) ?? new Map()),
      })),
      UndoUntil: canUndo ? undoUntil : null,
    } as unknown as Run & More
  })
}

/** Runs of a home, newest first. */
export const listAutomationRun: Handler<typeof runs.listAutomationRun> = async (
  input,
  { db, actor, clock },
) => {
  const { HomeID, AutomationID, SceneID, RunID, PeripheralUID, Since, Cursor, Limit } = input
  await findHome(db, actor.tenant, HomeID)
  const device = PeripheralUID === undefined ? undefined : await readPlace(db, actor, HomeID, PeripheralUID)
  const page = paginate({
    by: sql`r.began_at`,
    cast: 'bigint',
    id: sql`r.run_id`,
    isDescending: true,
    Cursor,
    Limit,
  })
  const where = sql`${readableRuns(actor)} and r.home_id = ${HomeID} and r.began_at >= ${Since}::bigint
    ${AutomationID === undefined ? empty : sql`and r.automation_id = ${AutomationID}`}
    ${SceneID === undefined ? empty : sql`and r.scene_id = ${SceneID}`}
    ${RunID === undefined ? empty : sql`and r.run_id = ${RunID}`}
    ${
      device === undefined
        ? empty
        : sql`and (exists (select from run_devices d where d.tenant = r.tenant and d.run_id = r.run_id
            and d.peripheral_uid = ${device.uid}) or ${nearlyAbout(device)})`
    }`
  const found = await readRuns<{ placeBy: number; placeId: string }>(db, actor.tenant, {
    tail: sql`${where} and ${page.after} ${page.order}`,
    more: sql`, ${page.place}`,
    now: clock.now(),
  })
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from automation_runs r where ${where}`,
  )
  return { ...page.toPage<Run>(found), Total: count?.total ?? 0 }
}

/** Room of a device, so that actions on its room count; no room if it was deleted. */
async function readPlace(db: Db, { tenant }: Actor, homeId: string, uid: string): Promise<SetDevice> {
  const [found] = await db.query<{ roomId: number }>(sql`select room_id as "roomId" from peripherals
    where tenant = ${tenant} and home_id = ${homeId} and peripheral_uid = ${uid}`)
  return { tenant, homeId, uid, roomId: found?.roomId ?? -1 }
}
