import type { Reservation, SeenReservation } from '../procedures/reservations.ts'

/** What is left of a private booking for whoever has no part in it: where and when. */
export const hidden = (booking: Reservation): SeenReservation => ({
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
export const seenByAll = (booking: Reservation): SeenReservation =>
  booking.Private ? hidden(booking) : { ...booking, Hidden: false }
