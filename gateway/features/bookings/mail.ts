import type { Booking } from '../../../contract/bookings/calls.ts'
import type { Period } from '../../../contract/time/booking.ts'

/** Kind of an email: invitation, change, cancellation, reminder. */
export type MailKind = 'invite' | 'change' | 'cancel' | 'remind'

/**
 * A booking as a calendar event.
 *
 * CalendarID    id of the event: its series' or its own; its own in emails from before series existed
 * RecurrenceID  original start of the occurrence within that event; none for a whole event
 */
export type CalendarBooking = Pick<
  Booking,
  | 'RecordID'
  | 'StartTimestamp'
  | 'EndTimestamp'
  | 'Subject'
  | 'Description'
  | 'Host'
  | 'Attendees'
  | 'Private'
  | 'BookedByEmail'
> & { Sequence: number; Room: string; TimeZone: string; CalendarID?: string; RecurrenceID?: number | null }

/** Bookings of a series that concern one person, if an email is about more than one. */
export interface MailedSeries {
  /** Starts by the series' rule, ascending; the email's booking is the first of the most common form. */
  Starts: number[]
  /** Bookings that deviate from it, each with its RecurrenceID. */
  Exceptions: CalendarBooking[]
  /** Future bookings that this email cancels. */
  Cancelled: Period[]
}

/** A booking of an email, as of the time at which it was enqueued. */
export type MailedBooking = CalendarBooking & { Series?: MailedSeries }
