import {
  type Floor,
  type floor,
  floorCalls,
  type FloorKey,
  type FloorShape,
  MAX_FLOORS,
} from '../../../contract/homes/floor.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHome, lockHomeExclusively } from '../../domain/homes/find-home.ts'
import { grantOf } from '../../domain/identity/grant.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { sql, type Db, type Sql } from '../../kernel/db.ts'
import type { FloorPorts } from './ports.ts'

/** Floors from the lowest, each with its shapes by RoomID. */
const readFloors = (db: Db, where: Sql): Promise<Floor[]> =>
  db.query<Floor>(sql`
    select f.home_id as "HomeID", f.floor_id as "FloorID", f.floor_name as "FloorName", f.place as "Order", f.plan as "Plan",
      f.version as "Version", coalesce((select json_agg(jsonb_build_object('RoomID', r.room_id) || r.shape order by r.room_id)
        from floor_rooms r where r.tenant = f.tenant and r.home_id = f.home_id and r.floor_id = f.floor_id), '[]') as "Shapes"
    from floors f where ${where} order by f.place, lower(f.floor_name)`)

/** Reads a floor and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockFloor({ HomeID, FloorID }: FloorKey, { db, actor }: SignedIn): Promise<Floor> {
  const one = sql`f.tenant = ${actor.tenant} and f.home_id = ${HomeID} and f.floor_id = ${FloorID}`
  await db.query(sql`select 1 from floors f where ${one} for update`)
  const [record] = await readFloors(db, one)
  if (!record) throw new GatewayError('NOT_FOUND', `Floor ${FloorID} of home ${HomeID} does not exist`)
  return record
}

async function writeShapes(
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

const NAME_TAKEN = 'This home already has a floor of that name'

export const floorHandlers = ({
  createPlanTicket,
}: FloorPorts): HandlersOf<typeof floor.operations & typeof floorCalls> => ({
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return readFloors(db, sql`f.tenant = ${actor.tenant} and f.home_id = ${HomeID}`)
  },

  create: async ({ HomeID, FloorName, Order }, context) => {
    const { db, actor } = context
    await lockHomeExclusively(db, actor.tenant, HomeID)
    const [counts] = await db.query<{ floors: number; highest: number }>(sql`
      select count(*) as floors, coalesce(max(place), 0) as highest from floors
      where tenant = ${actor.tenant} and home_id = ${HomeID}`)
    if ((counts?.floors ?? 0) >= MAX_FLOORS)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_FLOORS} floors`)
    const [next] = await db.query<{ id: number }>(sql`update homes set next_floor_id = next_floor_id + 1
      where tenant = ${actor.tenant} and home_id = ${HomeID} returning next_floor_id - 1 as id`)
    const record: Floor = {
      HomeID,
      FloorID: next?.id as number,
      FloorName,
      Order: Order ?? Math.min((counts?.highest ?? 0) + 1, HIGHEST),
      Plan: null,
      Shapes: [],
      Version: 1,
    }
    await conflictOnUniqueViolation(
      'FloorName',
      NAME_TAKEN,
      db.query(sql`insert into floors (tenant, home_id, floor_id, floor_name, place)
        values (${actor.tenant}, ${HomeID}, ${record.FloorID}, ${FloorName}, ${record.Order})`),
    )
    context.change('floor.add', { HomeID, FloorID: record.FloorID })
    context.audit({ after: record })
    return record
  },

  update: async ({ HomeID, FloorID, Version, ...changes }, context) => {
    const { db, actor } = context
    // The home is locked because two floors that exchange rooms would deadlock.
    await lockHomeExclusively(db, actor.tenant, HomeID)
    // Lock order: rooms before floors, as when a room is deleted.
    if (changes.Shapes) await lockRooms(HomeID, changes.Shapes, context)
    const before = await lockFloor({ HomeID, FloorID }, context)
    assertVersion(Version, before)
    const after: Floor = { ...before, ...changes, Version: before.Version + 1 }
    await conflictOnUniqueViolation(
      'FloorName',
      NAME_TAKEN,
      db.query(sql`update floors set floor_name = ${after.FloorName}, place = ${after.Order}, version = ${after.Version}
        where tenant = ${actor.tenant} and home_id = ${HomeID} and floor_id = ${FloorID}`),
    )
    if (changes.Shapes) {
      after.Shapes = changes.Shapes.toSorted((a, b) => a.RoomID - b.RoomID)
      await assertNotOnOtherFloor({ HomeID, FloorID }, changes.Shapes, context)
      await writeShapes(db, actor.tenant, after)
    }
    context.change('floor.update', { HomeID, FloorID })
    context.audit({ before: withChangedShapes(before, after), after: withChangedShapes(after, before) })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    await lockHome(db, actor.tenant, key.HomeID)
    const before = await lockFloor(key, context)
    await db.query(sql`delete from floors
      where tenant = ${actor.tenant} and home_id = ${key.HomeID} and floor_id = ${key.FloorID}`)
    deletePlan(before.Plan, context)
    context.change('floor.remove', key)
    context.audit({ before })
    return key
  },

  uploadPlan: async ({ ContentType, ...key }, context) => {
    await lockFloor(key, context)
    return createPlanTicket(
      grantOf(context.actor, floorCalls.uploadPlan.access),
      { tenant: context.actor.tenant, ...key },
      ContentType,
    )
  },

  deletePlan: async (key, context) => {
    const { db, actor } = context
    const { Plan } = await lockFloor(key, context)
    await db.query(sql`update floors set plan = null
      where tenant = ${actor.tenant} and home_id = ${key.HomeID} and floor_id = ${key.FloorID}`)
    deletePlan(Plan, context)
    context.change('floor.update', key)
    context.audit({ before: { Plan } })
    return key
  },
})

/** Maximum position of a floor. */
const HIGHEST = 999

/** Checks that rooms belong to the home, and locks them until the transaction ends. Errors: NOT_FOUND at the shape. */
async function lockRooms(
  HomeID: string,
  shapes: readonly FloorShape[],
  { db, actor }: SignedIn,
): Promise<void> {
  const found = await db.query<{ RoomID: number }>(sql`select room_id as "RoomID" from rooms
    where tenant = ${actor.tenant} and home_id = ${HomeID} and room_id = any(${shapes.map(({ RoomID }) => RoomID)}::int[])
    order by room_id for key share`)
  const existing = new Set(found.map(({ RoomID }) => RoomID))
  rejectShapes('NOT_FOUND', 'notFound', shapes, ({ RoomID }) => !existing.has(RoomID))
}

/** Errors: CONFLICT at each shape whose room is on another floor. */
async function assertNotOnOtherFloor(
  { HomeID, FloorID }: FloorKey,
  shapes: readonly FloorShape[],
  { db, actor }: SignedIn,
): Promise<void> {
  const found = await db.query<{ RoomID: number }>(sql`select room_id as "RoomID" from floor_rooms
    where tenant = ${actor.tenant} and home_id = ${HomeID} and floor_id <> ${FloorID}
      and room_id = any(${shapes.map(({ RoomID }) => RoomID)}::int[])`)
  const onOtherFloor = new Set(found.map(({ RoomID }) => RoomID))
  rejectShapes('CONFLICT', 'taken', shapes, ({ RoomID }) => onOtherFloor.has(RoomID))
}

function rejectShapes(
  code: 'NOT_FOUND' | 'CONFLICT',
  reason: 'notFound' | 'taken',
  shapes: readonly FloorShape[],
  isAtFault: (shape: FloorShape) => boolean,
): void {
  const fields = Object.fromEntries(
    shapes.flatMap((shape, i) => (isAtFault(shape) ? [[`Shapes.${i}.RoomID`, reason] as const] : [])),
  )
  if (Object.keys(fields).length > 0)
    throw new GatewayError(code, 'Not every room can stand on this floor', fields)
}

/** Floor as the audit records it: only the shapes that differ from the other version. */
function withChangedShapes(record: Floor, other: Floor): Floor {
  const others = new Map(other.Shapes.map((shape) => [shape.RoomID, positionKeyOf(shape)]))
  return {
    ...record,
    Shapes: record.Shapes.filter((shape) => others.get(shape.RoomID) !== positionKeyOf(shape)),
  }
}

const positionKeyOf = (shape: FloorShape) => JSON.stringify('Points' in shape ? shape.Points : shape.At)
