import type { Booking } from '../../../contract/bookings/calls.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Db } from '../../store/db.ts'

/** What of a booking hangs on its place and time. */
export type PlacedTime = Pick<
  Booking,
  'RecordID' | 'ConferenceRoomID' | 'StartTimestamp' | 'EndTimestamp' | 'ReleasedAt'
>

/** What meeting rooms and their bookings need of others. */
export interface BookingPorts {
  /** Sees to the automations that name a meeting room, which was deleted, closed, opened or is in another home now. */
  conferenceRoomMoved(context: SignedIn, ConferenceRoomID: string): Promise<void>
  /**
   * Lets automations follow bookings of a company, in the transaction that added, moved, released or cancelled them and holds
   * their rooms.
   *
   * before, after  as they were and are; one that is new or cancelled is in one of them
   */
  bookingsMoved(
    tx: Db,
    tenant: string,
    bookings: { before: readonly PlacedTime[]; after: readonly PlacedTime[] },
  ): Promise<void>
}
