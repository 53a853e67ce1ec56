import type { Booking, SeenBooking } from '../../procedures/bookings.ts'

/** What is left of a private booking for whoever has no part in it: where and when. */
export const hidden = (booking: Booking): SeenBooking => ({
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
export const seenByAll = (booking: Booking): SeenBooking =>
  booking.Private ? hidden(booking) : { ...booking, Hidden: false }
