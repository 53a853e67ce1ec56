import type { Booking } from '../../../contract/bookings/calls.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'

/** Place and time of a booking. */
export type PlacedTime = Pick<
  Booking,
  'RecordID' | 'ConferenceRoomID' | 'StartTimestamp' | 'EndTimestamp' | 'ReleasedAt'
>

/** Ports to other features. */
export interface BookingPorts {
  /** Updates the automations that refer to a conference room that was deleted, closed, opened or moved to another home. */
  onConferenceRoomMoved(context: SignedIn, ConferenceRoomID: string): Promise<void>
  /**
   * Updates booking-triggered automations, in the transaction that added, moved, released or cancelled bookings of a company and has locked
   * their rooms.
   *
   * before, after  the bookings before and after the change; a new or cancelled one is in only one of them
   */
  onBookingsChanged(
    tx: Db,
    tenant: string,
    bookings: { before: readonly PlacedTime[]; after: readonly PlacedTime[] },
  ): Promise<void>
}
