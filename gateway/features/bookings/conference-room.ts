import {
  ConferenceRoom,
  type ConferenceRoomWithClock,
  type conferenceRoom,
} from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, empty, type Sql, sql } from '../../kernel/db.ts'
import { withRoom, queueBookingMails } from './queue-mails.ts'
import { lockHome, lockRoom } from '../../domain/homes/find-home.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { readBookings, countChanges } from './store.ts'
import type { BookingPorts } from './ports.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'

const TAKEN = 'Another meeting room already has that name'
/** Maximum number of conference rooms of a company. */
const MAX_ROOMS = 500
const NEW = { HomeID: null, RoomID: null, Equipment: '', Active: true, ReleaseAfter: 0 }

export const conferenceRoomHandlers = ({
  onConferenceRoomMoved,
}: Pick<BookingPorts, 'onConferenceRoomMoved'>): HandlersOf<typeof conferenceRoom.operations> => ({
  list: (_, { db, actor }) => readRooms(db, sql`r.tenant = ${actor.tenant}`),

  create: async (input, context) => {
    const { db, actor, random } = context
    const record: ConferenceRoom = { ConferenceRoomID: random.uuid(), ...NEW, ...input, Version: 1 }
    await lockPlace(context, record)
    const [count] = await db.query<{ rooms: number }>(
      sql`select count(*) as rooms from conference_rooms where tenant = ${actor.tenant}`,
    )
    if ((count?.rooms ?? 0) >= MAX_ROOMS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_ROOMS} meeting rooms`)
    await conflictOnUniqueViolation(
      'ConferenceRoomName',
      TAKEN,
      db.query(sql`insert into conference_rooms (tenant, conference_room_id, conference_room_name, capacity, home_id,
          room_id, equipment, active, release_after)
        values (${actor.tenant}, ${record.ConferenceRoomID}, ${record.ConferenceRoomName}, ${record.Capacity},
          ${record.HomeID}, ${record.RoomID}, ${record.Equipment}, ${record.Active}, ${record.ReleaseAfter})`),
    )
    const added = await readRoom(context, record.ConferenceRoomID)
    context.change('conferenceRoom.add', added)
    context.audit({ after: added })
    return added
  },

  update: async ({ ConferenceRoomID, Version, ...changes }, context) => {
    const { db, actor } = context
    const seen = await readRoom(context, ConferenceRoomID)
    await lockPlace(context, movedTo(seen, changes))
    const before = await readRoom(context, ConferenceRoomID, sql`for update of r`)
    assertVersion(Version, before)
    const after = { ...movedTo(before, changes), Version: before.Version + 1 }
    await conflictOnUniqueViolation(
      'ConferenceRoomName',
      TAKEN,
      db.query(sql`update conference_rooms set conference_room_name = ${after.ConferenceRoomName},
          capacity = ${after.Capacity}, home_id = ${after.HomeID}, room_id = ${after.RoomID},
          equipment = ${after.Equipment}, active = ${after.Active}, release_after = ${after.ReleaseAfter}, version = ${after.Version}
        where tenant = ${actor.tenant} and conference_room_id = ${ConferenceRoomID}`),
    )
    const changed = await readRoom(context, ConferenceRoomID)
    if (after.HomeID !== before.HomeID || after.Active !== before.Active)
      await onConferenceRoomMoved(context, ConferenceRoomID)
    context.change('conferenceRoom.update', changed)
    context.audit({ before, after: changed })
    return changed
  },

  remove: async ({ ConferenceRoomID, CancelBookings = false }, context) => {
    const { db, actor, clock } = context
    const before = await readRoom(context, ConferenceRoomID, sql`for update of r`)
    const where = sql`tenant = ${actor.tenant} and conference_room_id = ${ConferenceRoomID} and end_timestamp > ${clock.now()}`
    const upcoming = await readBookings(db, where)
    if (upcoming.length > 0 && !CancelBookings)
      throw new GatewayError('CONFLICT', `The room still has ${upcoming.length} bookings to come`)
    const cancelled = await countChanges(context, upcoming)
    await db.query(sql`delete from conference_rooms
      where tenant = ${actor.tenant} and conference_room_id = ${ConferenceRoomID}`)
    await onConferenceRoomMoved(context, ConferenceRoomID)
    await queueBookingMails(context, withRoom(cancelled, before), [])
    context.change('conferenceRoom.remove', { ConferenceRoomID })
    context.audit({ before: { ...before, Bookings: upcoming.length } })
    return { ConferenceRoomID }
  },
})

/** A conference room with changes applied: a change of home removes the reference to a room of the former home. */
const movedTo = (
  before: ConferenceRoomWithClock,
  changes: Partial<ConferenceRoom>,
): ConferenceRoomWithClock => ({
  ...before,
  ...(changes.HomeID !== undefined && changes.HomeID !== before.HomeID && { RoomID: null }),
  ...changes,
})

/**
 * Checks that a conference room's home, and the room in it, exist, and locks them until the transaction ends.
 *
 * errors  NOT_FOUND; INVALID for a room without a home
 */
async function lockPlace(
  { db, actor }: SignedIn,
  { HomeID, RoomID }: Pick<ConferenceRoom, 'HomeID' | 'RoomID'>,
): Promise<void> {
  if (HomeID === null && RoomID !== null)
    throw new GatewayError('INVALID', 'A room is one of a home', { HomeID: 'required' })
  if (HomeID !== null && RoomID !== null) await lockRoom(db, actor.tenant, HomeID, RoomID)
  else if (HomeID !== null) await lockHome(db, actor.tenant, HomeID)
}

/** Reads conference rooms with their time zones, by name. */
const readRooms = (db: Db, where: Sql, lock: Sql = empty): Promise<ConferenceRoomWithClock[]> =>
  db.query<ConferenceRoomWithClock>(sql`
    select ${columnsOf(ConferenceRoom, 'r')}, coalesce(h.time_zone, ${DEFAULT_ZONE}) as "TimeZone"
    from conference_rooms r left join homes h on h.tenant = r.tenant and h.home_id = r.home_id
    where ${where} order by lower(r.conference_room_name) ${lock}`)

/** Reads a conference room of the company, optionally with a lock until the transaction ends. Errors: NOT_FOUND. */
export async function readRoom(
  { db, actor }: SignedIn,
  id: string,
  lock: Sql = empty,
): Promise<ConferenceRoomWithClock> {
  const where = sql`r.tenant = ${actor.tenant} and r.conference_room_id = ${id}`
  const [room] = await readRooms(db, where, lock)
  if (!room)
    throw new GatewayError('NOT_FOUND', `Meeting room ${id} does not exist`, { ConferenceRoomID: 'notFound' })
  return room
}

/** Detaches conference rooms from a room of a home that is about to be deleted, and publishes the change. */
export async function detachRoom(context: SignedIn, HomeID: string, RoomID: number): Promise<void> {
  const { db, actor } = context
  const remainingBookings = await db.query<{ id: string }>(sql`
    update conference_rooms set room_id = null, version = version + 1
    where tenant = ${actor.tenant} and home_id = ${HomeID} and room_id = ${RoomID}
    returning conference_room_id as id`)
  for (const { id } of remainingBookings) context.change('conferenceRoom.update', await readRoom(context, id))
}
