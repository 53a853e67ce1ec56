import { may, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import { Booking, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { Actor, SignedIn } from '../../kernel/context.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, join, type Sql, sql } from '../../kernel/db.ts'

/** Removes everything but room and time from a private booking. */
export const redactBooking = (booking: Booking): BookingWithDetails => ({
  ...booking,
  Subject: '',
  Description: '',
  Host: '',
  Attendees: [],
  BookedBy: null,
  BookedByEmail: '',
  Hidden: true,
})

/** A booking without private details, as published to all screens. */
export const publicBooking = (booking: Booking): BookingWithDetails =>
  booking.Private ? redactBooking(booking) : { ...booking, Hidden: false }

/**
 * A stored booking with fields for the gateway and calendars only.
 *
 * RecurrenceID  original start by its series' rule; null for a booking that is an event of its own
 * Reminded      whether its people were reminded
 */
export type StoredBooking = Booking & {
  RecurrenceID: number | null
  Reminded: boolean
}

export const storedColumns = sql`${columnsOf(Booking, 'b')}, b.recurrence_id as "RecurrenceID", b.reminded as "Reminded"`

/** Bookings by start. */
export const readBookings = (db: Db, where: Sql): Promise<StoredBooking[]> =>
  db.query<StoredBooking>(sql`select ${storedColumns} from reservations b
    where ${where} order by start_timestamp, record_id`)

/** Removes the fields for the gateway and calendars only. */
export const withoutClock = ({
  RecurrenceID: _recurrenceId,
  Reminded: _reminded,
  ...booking
}: StoredBooking): Booking => booking

/**
 * Increments the sequence number of all bookings of the affected series, so that calendars recognize the next update as newer. Call it
 * before the change.
 *
 * returns  the same bookings with the new number; events of their own are unchanged
 */
export async function countChanges(
  { db, actor }: SignedIn,
  bookings: readonly StoredBooking[],
): Promise<StoredBooking[]> {
  const series = new Set(
    bookings.flatMap(({ SeriesID, RecurrenceID }) => (RecurrenceID === null ? [] : [SeriesID])),
  )
  const counted = new Map<string | null, number>()
  for (const id of series) {
    const [one] = await db.query<{ sequence: number }>(sql`update reservations set sequence = sequence + 1
      where tenant = ${actor.tenant} and series_id = ${id} and recurrence_id is not null returning sequence`)
    counted.set(id, one?.sequence ?? 0)
  }
  return bookings.map((booking) =>
    booking.RecurrenceID === null
      ? booking
      : { ...booking, Sequence: counted.get(booking.SeriesID) ?? booking.Sequence },
  )
}

/** Stores new bookings of one room. A taken period violates the constraint reservations_overlap (SQLSTATE 23P01). */
export async function insertBookings(
  db: Db,
  tenant: string,
  ConferenceRoomID: string,
  bookings: readonly StoredBooking[],
): Promise<void> {
  await db.query(sql`
    insert into reservations (tenant, record_id, conference_room_id, room_no, start_timestamp, end_timestamp, subject,
      description, host, attendees, private, series_id, booked_by, booked_by_email, checked_in_at, released_at, sequence,
      recurrence_id, reminded)
    select r.tenant, b."RecordID", r.conference_room_id, r.room_no, b."StartTimestamp", b."EndTimestamp", b."Subject",
      b."Description", b."Host", b."Attendees", b."Private", b."SeriesID", b."BookedBy", b."BookedByEmail",
      b."CheckedInAt", b."ReleasedAt", b."Sequence", b."RecurrenceID", b."Reminded"
    from conference_rooms r, jsonb_to_recordset(${JSON.stringify(bookings)}::jsonb) as b (
      "RecordID" text, "StartTimestamp" bigint, "EndTimestamp" bigint, "Subject" text, "Description" text, "Host" text,
      "Attendees" jsonb, "Private" boolean, "SeriesID" text, "BookedBy" uuid, "BookedByEmail" text,
      "CheckedInAt" bigint, "ReleasedAt" bigint, "Sequence" integer, "RecurrenceID" bigint, "Reminded" boolean)
    where r.tenant = ${tenant} and r.conference_room_id = ${ConferenceRoomID}`)
}

export async function deleteBookings(
  { db, actor }: SignedIn,
  bookings: readonly StoredBooking[],
): Promise<void> {
  const ids = join(bookings.map(({ RecordID }) => RecordID))
  await db.query(sql`delete from reservations where tenant = ${actor.tenant} and record_id in (${ids})`)
}

/** A booking as visible to a person: of a private one, people without a part in it see only room and time. */
export function visibleBooking(booking: Booking, actor: Actor): BookingWithDetails {
  const open =
    !booking.Private ||
    booking.BookedBy === actor.cognitoId ||
    booking.Attendees.includes(actor.email) ||
    may(actor, 'conference_room', 'Update', SOMEWHERE)
  return open ? { ...booking, Hidden: false } : redactBooking(booking)
}
