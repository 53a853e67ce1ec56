import type { Booking } from '../../../../contract/bookings/calls.ts'
import { MINUTE, type Period } from '../../../../contract/time/booking.ts'
import type { BookingTrigger } from '../../../../contract/automation/schedule.ts'

/** What of a booking says when something happens around it. */
export type BookedTime = Period & Pick<Booking, 'ReleasedAt'>

/**
 * The moment of a booking that a trigger counts from, epoch ms. A room is released when a booking ends: at its end, or earlier
 * when somebody ends it at the door or nobody has checked in.
 */
export const bookingMoment = (
  { When }: Pick<BookingTrigger, 'When'>,
  { StartTimestamp, EndTimestamp, ReleasedAt }: BookedTime,
): number => (When === 'release' ? (ReleasedAt ?? EndTimestamp) : StartTimestamp)

/** When a trigger is due that counts from a moment, epoch ms: so many minutes before the start, or after the moment. */
export const dueFrom = (
  { When, Minutes }: Pick<BookingTrigger, 'When' | 'Minutes'>,
  moment: number,
): number => moment + (When === 'before' ? -Minutes : Minutes) * MINUTE

/** When a trigger is due for a booking, epoch ms. */
export const dueOfBooking = (trigger: BookingTrigger, booking: BookedTime): number =>
  dueFrom(trigger, bookingMoment(trigger, booking))

/** How long before its start somebody who is in the room is there for a booking, ms. */
export const EARLY_PRESENCE_MS = 5 * MINUTE
