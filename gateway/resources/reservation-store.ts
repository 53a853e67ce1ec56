import { may } from '../../contract/features.ts'
import { Reservation, type SeenReservation } from '../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../contract/resources/conference-room.ts'
import { hidden } from '../../contract/rules/booking-privacy.ts'
import type { Actor, SignedIn } from '../context.ts'
import { columnsOf } from '../store/columns.ts'
import { type Db, type Sql, sql } from '../store/db.ts'

/** A booking with the number of its changes. */
export type StoredReservation = Reservation & { Sequence: number }

/** What a letter says of. */
export type LetterKind = 'invite' | 'cancel'

/** Bookings by start. */
export const bookingsOf = (db: Db, where: Sql): Promise<StoredReservation[]> =>
  db.query<StoredReservation>(sql`select ${columnsOf(Reservation)}, sequence as "Sequence" from reservations
    where ${where} order by start_timestamp, record_id`)

/** Without what only the gateway and calendars need. */
export const plain = ({ Sequence: _sequence, ...booking }: StoredReservation): Reservation => booking

/** Stores new bookings of one room. A period that is taken breaks the constraint reservations_overlap (SQLSTATE 23P01). */
export async function insertBookings(
  db: Db,
  tenant: string,
  ConferenceRoomID: string,
  bookings: readonly StoredReservation[],
): Promise<void> {
  await db.query(sql`
    insert into reservations (tenant, record_id, conference_room_id, room_no, start_timestamp, end_timestamp, subject,
      description, host, attendees, private, series_id, booked_by, booked_by_email, checked_in_at, released_at, sequence)
    select r.tenant, b."RecordID", r.conference_room_id, r.room_no, b."StartTimestamp", b."EndTimestamp", b."Subject",
      b."Description", b."Host", b."Attendees", b."Private", b."SeriesID", b."BookedBy", b."BookedByEmail",
      b."CheckedInAt", b."ReleasedAt", b."Sequence"
    from conference_rooms r, jsonb_to_recordset(${JSON.stringify(bookings)}::jsonb) as b (
      "RecordID" text, "StartTimestamp" bigint, "EndTimestamp" bigint, "Subject" text, "Description" text, "Host" text,
      "Attendees" jsonb, "Private" boolean, "SeriesID" text, "BookedBy" uuid, "BookedByEmail" text,
      "CheckedInAt" bigint, "ReleasedAt" bigint, "Sequence" integer)
    where r.tenant = ${tenant} and r.conference_room_id = ${ConferenceRoomID}`)
}

/** A booking as a person may see it: of a private one, whoever has no part in it sees the period. */
export function seenBy(booking: Reservation, actor: Actor): SeenReservation {
  const open =
    !booking.Private ||
    booking.BookedBy === actor.cognitoId ||
    booking.Attendees.includes(actor.email) ||
    may(actor, 'conference_room', 'Update')
  return open ? { ...booking, Hidden: false } : hidden(booking)
}

/** A booking and who is told of it. */
interface Telling {
  booking: StoredReservation
  recipient: string
}

/** Whoever attends a booking and whoever made it. */
export const toEverybody = (bookings: readonly StoredReservation[]): Telling[] =>
  bookings.flatMap((booking) =>
    [...new Set([...booking.Attendees, booking.BookedByEmail])].map((recipient) => ({ booking, recipient })),
  )

/** Leaves letters for the mail, one a booking and recipient: they go out after the commit. */
export async function writeLetters(
  { db, actor, clock }: SignedIn,
  kind: LetterKind,
  tellings: readonly Telling[],
  { ConferenceRoomName: Room, TimeZone }: ConferenceRoomWithClock,
): Promise<void> {
  if (tellings.length === 0) return
  const letters = tellings.map(({ booking, recipient }) => ({
    recipient,
    booking: { ...booking, Room, TimeZone },
  }))
  await db.query(sql`insert into booking_letters (tenant, kind, recipient, booking, due_at)
    select ${actor.tenant}, ${kind}, l.recipient, l.booking, ${clock.now()}
    from jsonb_to_recordset(${JSON.stringify(letters)}::jsonb) as l (recipient text, booking jsonb)`)
}

/** Tells people that they need not come. */
export const cancelLetters = (
  context: SignedIn,
  tellings: readonly Telling[],
  room: ConferenceRoomWithClock,
): Promise<void> =>
  writeLetters(
    context,
    'cancel',
    tellings.map(({ booking, recipient }) => ({
      booking: { ...booking, Sequence: booking.Sequence + 1 },
      recipient,
    })),
    room,
  )
