import { may, type Operation, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import type { Booking, Scope } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { readRoom } from './conference-room.ts'
import { readBookings, type StoredBooking } from './store.ts'
import { empty, sql } from '../../kernel/db.ts'

/** Errors: PERMISSION_DENIED. */
export function requireBooking({ actor }: SignedIn, operation: Operation, what: string): void {
  if (!may(actor, 'conference_room', operation, SOMEWHERE))
    throw new GatewayError('PERMISSION_DENIED', `${what} takes ${operation} on conference_room`)
}

/** Allows the person who booked; others need the right. Errors: PERMISSION_DENIED. */
export function requireOwnBooking(
  context: SignedIn,
  booking: Booking,
  operation: Operation,
  what: string,
): void {
  if (booking.BookedBy !== context.actor.cognitoId) requireBooking(context, operation, what)
}

/** Reads a booking of the company. Errors: NOT_FOUND. */
export async function findBooking({ db, actor }: SignedIn, id: string): Promise<StoredBooking> {
  const [booking] = await readBookings(db, sql`tenant = ${actor.tenant} and record_id = ${id}`)
  if (!booking) throw new GatewayError('NOT_FOUND', `Booking ${id} does not exist`)
  return booking
}

/** Locks a room: bookings of one room are written one after the other, so that a conflict is found before the write. */
export const lockConferenceRoom = (context: SignedIn, id: string): Promise<ConferenceRoomWithClock> =>
  readRoom(context, id, sql`for no key update of r`)

/** Locks two rooms in order of id, so that two moves cannot deadlock; they may be the same room. */
export async function lockRooms(
  context: SignedIn,
  to: string,
  from: string,
): Promise<[ConferenceRoomWithClock, ConferenceRoomWithClock]> {
  const held = new Map<string, ConferenceRoomWithClock>()
  for (const id of [...new Set([to, from])].toSorted()) held.set(id, await lockConferenceRoom(context, id))
  return [held.get(to), held.get(from)] as [ConferenceRoomWithClock, ConferenceRoomWithClock]
}

export const hasEnded = () => new GatewayError('CONFLICT', 'The booking is over')

/** Bookings in scope that are not over, by start, read while the room is locked. Errors: NOT_FOUND, CONFLICT. */
export async function inScope(
  context: SignedIn,
  first: StoredBooking,
  scope: Scope,
): Promise<StoredBooking[]> {
  const { db, actor, clock } = context
  const one = await findBooking(context, first.RecordID)
  // The booking was moved in the meantime to a room that is not locked.
  if (one.ConferenceRoomID !== first.ConferenceRoomID)
    throw new GatewayError('CONFLICT', 'Somebody else has moved the booking to another room', {
      ConferenceRoomID: 'changed',
    })
  const series = scope !== 'one' && one.SeriesID !== null
  const which = series
    ? sql`series_id = ${one.SeriesID} and conference_room_id = ${first.ConferenceRoomID}
        ${scope === 'following' ? sql`and start_timestamp >= ${one.StartTimestamp}` : empty}`
    : sql`record_id = ${one.RecordID}`
  const found = await readBookings(
    db,
    sql`tenant = ${actor.tenant} and end_timestamp > ${clock.now()} and ${which}`,
  )
  if (found.length === 0) throw hasEnded()
  return found
}
