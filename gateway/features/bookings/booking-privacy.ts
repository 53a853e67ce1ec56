import type { Booking, BookingWithDetails } from '../../../contract/bookings/calls.ts'

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
