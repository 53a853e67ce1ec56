import type { Booking } from '../../../../contract/bookings/calls.ts'
import { MINUTE, type Period } from '../../../../contract/time/booking.ts'
import type { BookingTrigger } from '../../../../contract/automation/schedule.ts'

/** Parts of a booking that determine its trigger times. */
export type BookedTime = Period & Pick<Booking, 'ReleasedAt'>

/**
 * Reference time of a booking for a trigger, epoch ms. A room is released when a booking ends: at its end, or earlier if a person
 * ends it at the door or nobody checks in.
 */
export const bookingMoment = (
  { When }: Pick<BookingTrigger, 'When'>,
  { StartTimestamp, EndTimestamp, ReleasedAt }: BookedTime,
): number => (When === 'release' ? (ReleasedAt ?? EndTimestamp) : StartTimestamp)

/** Due time of a trigger for a reference time, epoch ms: some minutes before or after it. */
export const dueFrom = (
  { When, Minutes }: Pick<BookingTrigger, 'When' | 'Minutes'>,
  moment: number,
): number => moment + (When === 'before' ? -Minutes : Minutes) * MINUTE

/** Due time of a trigger for a booking, epoch ms. */
export const dueOfBooking = (trigger: BookingTrigger, booking: BookedTime): number =>
  dueFrom(trigger, bookingMoment(trigger, booking))

/** Time before the start of a booking in which a detected presence already counts for it, ms. */
export const EARLY_PRESENCE_MS = 5 * MINUTE
