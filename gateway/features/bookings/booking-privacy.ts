import type { Booking, BookingWithDetails } from '../../../contract/bookings/calls.ts'

/** What is left of a private booking for whoever has no part in it: where and when. */
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

/** A booking as everybody may see it, for what every screen hears. */
export const publicBooking = (booking: Booking): BookingWithDetails =>
  booking.Private ? redactBooking(booking) : { ...booking, Hidden: false }
