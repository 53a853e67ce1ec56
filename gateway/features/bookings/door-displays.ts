import { Booking } from '../../../contract/bookings/calls.ts'
import { MINUTE } from '../../../contract/time/booking.ts'
import { publicBooking } from './store.ts'
import { CHECK_IN_LEAD_MS, type DoorAction, type RoomDoor } from '../../../contract/bookings/door-display.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { readLink } from './link-calls.ts'
import type { BookingPorts } from './ports.ts'

const HORIZON_MS = 24 * 60 * MINUTE
const MAX_BOOKINGS = 20

/** Path of actions at a door in the audit log. */
const PATH = '/RoomDoor'

interface Options extends Pick<BookingPorts, 'onBookingsChanged'> {
  db: Db
  events: Events
  clock: Clock
  /** Writes an audit entry in the transaction of the change. */
  writeAudit(tx: Db, entry: DoorAudit): Promise<void>
}

interface DoorAudit extends DoorCaller {
  actor: { tenant: string; cognitoId: null; name: string }
  at: number
  path: string
  input: DoorAction
  before: Booking
  after: Booking
}

/** Origin of an action at a door. */
interface DoorCaller {
  ip: string
  requestId: string
}

/** Page at a room's door, on a tablet without a signed-in user: anyone who knows its address may read, check in and release. */
export function createDoorDisplays({ db, events, clock, writeAudit, onBookingsChanged }: Options) {
  async function readRoom(token: string) {
    const link = await readLink(db, token)
    if (link?.kind !== 'door' || link.roomId === null)
      throw new GatewayError('NOT_FOUND', 'This address does not exist any more')
    return { tenant: link.tenant, roomId: link.roomId }
  }

  return {
    /** Errors: NOT_FOUND. */
    async show(token: string): Promise<RoomDoor> {
      const { tenant, roomId } = await readRoom(token)
      const now = clock.now()
      const [room] = await db.query<Pick<RoomDoor, 'ConferenceRoomName' | 'Capacity' | 'TimeZone'>>(sql`
        select r.conference_room_name as "ConferenceRoomName", r.capacity as "Capacity",
          coalesce(h.time_zone, 'Asia/Taipei') as "TimeZone"
        from conference_rooms r left join homes h on h.tenant = r.tenant and h.home_id = r.home_id
        where r.tenant = ${tenant} and r.conference_room_id = ${roomId}`)
      if (!room) throw new GatewayError('NOT_FOUND', 'The room does not exist any more')
      const bookings = await db.query<Booking>(sql`select ${columnsOf(Booking)} from reservations
        where tenant = ${tenant} and conference_room_id = ${roomId}
          and end_timestamp > ${now} and start_timestamp < ${now + HORIZON_MS}
        order by start_timestamp limit ${MAX_BOOKINGS}`)
      return {
        ...room,
        Now: now,
        Bookings: bookings.map(publicBooking).map((booking) => ({
          RecordID: booking.RecordID,
          StartTimestamp: booking.StartTimestamp,
          EndTimestamp: booking.EndTimestamp,
          Subject: booking.Subject,
          Host: booking.Host,
          CheckedInAt: booking.CheckedInAt,
        })),
      }
    },

    /** Errors: NOT_FOUND; CONFLICT if the action is not possible at this time. */
    async act(token: string, action: DoorAction, { ip, requestId }: DoorCaller): Promise<void> {
      const { RecordID, Action } = action
      const { tenant, roomId } = await readRoom(token)
      const now = clock.now()
      const change =
        Action === 'checkIn'
          ? sql`checked_in_at = coalesce(checked_in_at, ${now}::bigint)`
          : sql`released_at = ${now}::bigint,
              end_timestamp = greatest(start_timestamp + ${MINUTE}::bigint, ${now - (now % MINUTE)}::bigint)`
      const from = Action === 'checkIn' ? now + CHECK_IN_LEAD_MS : now
      const after = await db.transaction(async (tx) => {
        // Lock order: room before bookings, as everywhere.
        const [room] = await tx.query<{
          name: string
        }>(sql`select conference_room_name as name from conference_rooms
          where tenant = ${tenant} and conference_room_id = ${roomId} for no key update`)
        const one = sql`tenant = ${tenant} and conference_room_id = ${roomId} and record_id = ${RecordID}
          and end_timestamp > ${now} and start_timestamp <= ${from}`
        const [before] = await tx.query<Booking>(
          sql`select ${columnsOf(Booking)} from reservations where ${one} for update`,
        )
        const [changed] = await tx.query<Booking>(
          sql`update reservations set ${change} where ${one} returning ${columnsOf(Booking)}`,
        )
        if (!before || !changed) throw new GatewayError('CONFLICT', 'It is not the time for that')
        await onBookingsChanged(tx, tenant, { before: [before], after: [changed] })
        await writeAudit(tx, {
          // Without a signed-in user, the actor is identified by the name of the room.
          actor: { tenant, cognitoId: null, name: room?.name ?? roomId },
          at: now,
          ip,
          requestId,
          path: PATH,
          input: action,
          before,
          after: changed,
        })
        return changed
      })
      const record = publicBooking(after)
      events.emit('dataChange', { tenant, name: 'conferenceRoom.addBooking', record, by: null })
    },
  }
}
