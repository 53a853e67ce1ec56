import type { Floor, FloorKey, FloorShape } from '../../../contract/homes/floor.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'

/** Floors from the lowest, each with its shapes by RoomID. */
export const readFloors = (db: Db, where: Sql): Promise<Floor[]> =>
  db.query<Floor>(sql`
    select f.home_id as "HomeID", f.floor_id as "FloorID", f.floor_name as "FloorName", f.place as "Order", f.plan as "Plan",
      f.version as "Version", coalesce((select json_agg(jsonb_build_object('RoomID', r.room_id) || r.shape order by r.room_id)
        from floor_rooms r where r.tenant = f.tenant and r.home_id = f.home_id and r.floor_id = f.floor_id), '[]') as "Shapes"
    from floors f where ${where} order by f.place, lower(f.floor_name)`)

/** Reads a floor and locks it until the transaction ends. Errors: NOT_FOUND. */
export async function lockFloor({ HomeID, FloorID }: FloorKey, { db, actor }: SignedIn): Promise<Floor> {
  const one = sql`f.tenant = ${actor.tenant} and f.home_id = ${HomeID} and f.floor_id = ${FloorID}`
  await db.query(sql`select 1 from floors f where ${one} for update`)
  const [record] = await readFloors(db, one)
  if (!record) throw new GatewayError('NOT_FOUND', `Floor ${FloorID} of home ${HomeID} does not exist`)
  return record
}

export async function writeShapes(
  db: Db,
  tenant: string,
  { HomeID, FloorID, Shapes }: FloorKey & { Shapes: readonly FloorShape[] },
): Promise<void> {
  await db.query(sql`delete from floor_rooms
    where tenant = ${tenant} and home_id = ${HomeID} and floor_id = ${FloorID}`)
  await db.query(sql`insert into floor_rooms (tenant, home_id, floor_id, room_id, shape)
    select ${tenant}::uuid, ${HomeID}, ${FloorID}::int, (shape ->> 'RoomID')::int, shape - 'RoomID'
    from jsonb_array_elements(${JSON.stringify(Shapes)}::jsonb) as s (shape)`)
}

/** Removes a room that is about to be deleted from its floor. The caller has locked the room; lock order: rooms before floors. */
export async function removeRoomFromFloor(context: SignedIn, HomeID: string, RoomID: number): Promise<void> {
  const { db, actor } = context
  const room = sql`tenant = ${actor.tenant} and home_id = ${HomeID} and room_id = ${RoomID}`
  // Locks the floor before its rooms, as when they are written.
  await db.query(sql`select 1 from floors where tenant = ${actor.tenant} and home_id = ${HomeID}
    and floor_id in (select floor_id from floor_rooms where ${room}) for update`)
  const [remaining] = await db.query<{ FloorID: number }>(
    sql`delete from floor_rooms where ${room} returning floor_id as "FloorID"`,
  )
  if (!remaining) return
  await db.query(sql`update floors set version = version + 1
    where tenant = ${actor.tenant} and home_id = ${HomeID} and floor_id = ${remaining.FloorID}`)
  context.change('floor.update', { HomeID, FloorID: remaining.FloorID })
}

/** Deletes the pictures of a plan after the change commits. */
export function deletePlan(plan: Floor['Plan'], context: Pick<SignedIn, 'emit'>): void {
  for (const imageUrl of plan ? [plan.Url, plan.SmallUrl] : []) context.emit('pictureDropped', { imageUrl })
}
