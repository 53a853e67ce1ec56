import { may, right } from '../../../contract/kernel/permissions.ts'
import { Peripheral } from '../../../contract/devices/peripheral.ts'
import {
  type RoomKey,
  Room,
  type room,
  type roomCalls,
  type RoomWithContents,
} from '../../../contract/homes/room.ts'
import { Thing } from '../../../contract/devices/thing.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf, inHomes } from '../../store/sql.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import { lockMeterFacts } from '../../domain/meters/meter-facts.ts'
import { transferMeters } from '../../domain/meters/move-meter.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { removeRoomFromFloor } from './floor.ts'
import type { RoomPorts } from './ports.ts'

/**
 * Rooms with their contents, by home, default room first.
 *
 * homes            null means all of the company
 * homesWithDevices  homes at which the caller may read devices; in others the lists are empty
 */
export const roomsWithContents = (
  db: Db,
  tenant: string,
  { homes, homesWithDevices }: Record<'homes' | 'homesWithDevices', readonly string[] | null>,
): Promise<RoomWithContents[]> => {
  const listOf = (column: 'peripheral_uid' | 'thing_name') =>
    column === 'thing_name'
      ? sql`array(select d.thing_name from things d where d.tenant = r.tenant and d.home_id = r.home_id
              and d.room_id = r.room_id and ${inHomes(homesWithDevices, sql`r.home_id`)} order by 1)`
      : sql`array(select d.peripheral_uid from peripherals d where d.tenant = r.tenant and d.home_id = r.home_id
              and d.room_id = r.room_id and ${inHomes(homesWithDevices, sql`r.home_id`)} order by 1)`
  return db.query<RoomWithContents>(sql`
    select ${columnsOf(Room, 'r')}, ${listOf('peripheral_uid')} as "PeripheralList", ${listOf('thing_name')} as "ThingNameList"
    from rooms r
    where r.tenant = ${tenant} and ${inHomes(homes, sql`r.home_id`)}
    order by r.home_id, r.room_id <> 0, lower(r.room_name)`)
}

const NAME_TAKEN = 'This home already has a room of that name'

export const roomHandlers = ({
  detachRoom,
  onRoomDeleted,
  assertControlOfRooms,
}: RoomPorts): HandlersOf<typeof room.operations & typeof roomCalls> => ({
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return roomsWithContents(db, actor.tenant, {
      homes: [HomeID],
      homesWithDevices: may(actor, 'device', 'Read', HomeID) ? [HomeID] : [],
    })
  },

  listOfCompany: (_, { db, actor, homes }) =>
    roomsWithContents(db, actor.tenant, {
      homes: homes(),
      homesWithDevices: homes(right('device', 'Read')),
    }),

  create: async (input, context) => {
    const { db, actor } = context
    const [home] = await db.query<{ id: number }>(sql`
      update homes set next_room_id = next_room_id + 1
      where tenant = ${actor.tenant} and home_id = ${input.HomeID} returning next_room_id - 1 as id`)
    if (!home) throw new GatewayError('NOT_FOUND', `Home ${input.HomeID} does not exist`)
    const record: Room = { HomeID: input.HomeID, RoomID: home.id, RoomName: input.RoomName }
    await conflictOnUniqueViolation(
      'RoomName',
      NAME_TAKEN,
      db.query(sql`insert into rooms (tenant, home_id, room_id, room_name)
        values (${actor.tenant}, ${record.HomeID}, ${record.RoomID}, ${record.RoomName})`),
    )
    context.change('room.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ Seen, ...input }, context) => {
    const { db, actor } = context
    const before = await lockRoom(input, context)
    assertUnchanged(Seen, before)
    await conflictOnUniqueViolation(
      'RoomName',
      NAME_TAKEN,
      db.query(sql`update rooms set room_name = ${input.RoomName}
        where tenant = ${actor.tenant} and home_id = ${input.HomeID} and room_id = ${input.RoomID}`),
    )
    context.change('room.update', input)
    context.audit({ before, after: input })
    return input
  },

  remove: async (key, context) => {
    const { db, actor } = context
    if (key.RoomID === 0) throw new GatewayError('CONFLICT', 'The default room cannot be deleted')
    await lockMeterFacts(db, actor.tenant, key.HomeID)
    const before = await lockRoom(key, context)
    const inRoom = sql`where tenant = ${actor.tenant} and home_id = ${key.HomeID} and room_id = ${key.RoomID}`
    // Locks rows in the common order: the update alone would lock them in storage order.
    await db.query(sql`select 1 from things ${inRoom} order by thing_name for no key update`)
    await db.query(sql`select 1 from peripherals ${inRoom} order by peripheral_uid for no key update`)
    const things = await db.query<Thing>(
      sql`update things set room_id = 0 ${inRoom} returning ${columnsOf(Thing)}`,
    )
    const peripherals = await db.query<Peripheral>(
      sql`update peripherals set room_id = 0 ${inRoom} returning ${columnsOf(Peripheral)}`,
    )
    await assertControlOfRooms(
      context,
      key.HomeID,
      peripherals.map((device) => ({ ...device, rooms: [key.RoomID, 0] })),
    )
    await transferMeters(
      context,
      key.HomeID,
      peripherals.map((after) => ({ before: { ...after, RoomID: key.RoomID }, after })),
    )
    await endRoom(context, before)
    await detachRoom(context, key.HomeID, key.RoomID)
    await removeRoomFromFloor(context, key.HomeID, key.RoomID)
    await db.query(sql`delete from rooms ${inRoom}`)
    await onRoomDeleted(context, key.HomeID, key.RoomID)
    for (const thing of things) context.change('thing.update', thing)
    for (const device of peripherals) context.change('peripheral.update', device)
    context.change('room.remove', key)
    context.audit({ before: { ...before, Hubs: things.length, Devices: peripherals.length } })
    return key
  },
})

async function lockRoom(key: RoomKey, { db, actor }: SignedIn): Promise<Room> {
  await lockHome(db, actor.tenant, key.HomeID)
  const [record] = await db.query<Room>(sql`select ${columnsOf(Room)} from rooms
    where tenant = ${actor.tenant} and home_id = ${key.HomeID} and room_id = ${key.RoomID} for update`)
  if (!record) throw new GatewayError('NOT_FOUND', `Room ${key.RoomID} of home ${key.HomeID} does not exist`)
  return record
}

/** Keeps the name of a deleted room for the history of meters that counted in it. */
async function endRoom({ db, actor, clock }: SignedIn, { HomeID, RoomID, RoomName }: Room): Promise<void> {
  await db.query(sql`insert into ended_rooms (tenant, home_id, room_id, room_name, removed_at)
    select ${actor.tenant}, ${HomeID}, ${RoomID}::int, ${RoomName}, ${clock.now()}::bigint
    where exists (select from meter_facts where tenant = ${actor.tenant} and home_id = ${HomeID}
      and fact = 'room' and value = to_jsonb(${RoomID}::int))
      or exists (select from meters where tenant = ${actor.tenant} and home_id = ${HomeID}
        and room_id = ${RoomID}::int and removed_at is not null)`)
}
