import { isSetByRooms } from '../../../../contract/devices/room-values.ts'
import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import type { SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { lockHome } from '../../../domain/homes/find-home.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { assertRight } from './assert-right.ts'
import { sceneNames } from './scene-store.ts'

/** Names of the scenes and automations that act on a group or run a scene; limited in number. */
export async function findReferences(
  db: Db,
  tenant: string,
  subject: { kind: 'group' | 'scene'; id: string },
): Promise<string[]> {
  const actions = JSON.stringify([{ GroupID: subject.id }])
  const rows = await db.query<{ name: string }>(sql`
    (select scene_name as name from scenes
      where tenant = ${tenant} and ${subject.kind} = 'group' and actions @> ${actions}::jsonb order by 1 limit 10)
    union all
    (select distinct a.automation_name from automation_subjects s join automations a using (tenant, automation_id)
      where s.tenant = ${tenant} and s.kind = ${subject.kind} and s.subject = ${subject.id} order by 1 limit 10)`)
  return rows.map(({ name }) => name)
}

/** A device that is added to or removed from rooms of a home. */
interface RoomChange {
  PeripheralType: string
  rooms: readonly number[]
}

/**
 * Requires device_control Control from a caller who changes which devices the scenes and automations of a room set.
 *
 * errors  PERMISSION_DENIED
 */
export async function assertControlOfRooms(
  { db, actor }: SignedIn,
  homeId: string,
  changes: readonly RoomChange[],
): Promise<void> {
  const rooms = changes
    .filter(({ PeripheralType }) => isSetByRooms(PeripheralType))
    .flatMap((change) => change.rooms.map(String))
  if (rooms.length === 0) return
  const [user] = await db.query(sql`
    (select 1 from scenes where tenant = ${actor.tenant} and home_id = ${homeId} and ${sceneNames('room', rooms)})
    union all
    (select 1 from automation_subjects s join automations a using (tenant, automation_id)
      where s.tenant = ${actor.tenant} and s.kind = 'room' and s.role = 'action' and a.home_id = ${homeId}
        and s.subject = any(${rooms}::text[]))
    limit 1`)
  if (user) assertRight(actor, 'device_control', 'Control', homeId)
}

/**
 * Deletes a group or a scene that nothing uses, and records that for the audit.
 *
 * lockSubject    reads it and locks it until the transaction ends
 * errors  those of `lockSubject`; CONFLICT with `used` at its id, the text names what uses it
 */
export async function deleteUnreferenced(
  { db, actor, audit }: SignedIn,
  {
    kind,
    id,
    homeId,
    lockSubject,
  }: { kind: 'group' | 'scene'; id: string; homeId: string; lockSubject(): Promise<object> },
): Promise<void> {
  await lockHome(db, actor.tenant, homeId)
  const before = await lockSubject()
  const names = await findReferences(db, actor.tenant, { kind, id })
  if (names.length > 0)
    throw new GatewayError('CONFLICT', `Used by: ${names.join(', ')}`, {
      [kind === 'group' ? 'GroupID' : 'SceneID']: 'used',
    } satisfies Record<string, FieldReason>)
  await db.query(
    sql`delete from ${raw(`${kind}s`)} where tenant = ${actor.tenant} and ${raw(`${kind}_id`)} = ${id}`,
  )
  audit({ before })
}
