import type { Booking } from '../../../contract/bookings/calls.ts'
import type { Period } from '../../../contract/time/booking.ts'

/** What a mail says: come, something is different, you need not come, it begins soon. */
export type MailKind = 'invite' | 'change' | 'cancel' | 'remind'

/**
 * A booking as calendars are told of it.
 *
 * CalendarID    which event of a calendar it is: its series' or its own; of mails from before there were series, its own
 * RecurrenceID  which occurrence of that event, by when it was to begin; none for a whole event
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

/** The bookings of a series that one person is told of, when the mail is on more than one. */
export interface MailedSeries {
  /** When they begin by the series' rule, ascending; the mail's booking is the first of them, as most are. */
  Starts: number[]
  /** Those that are otherwise, each with its RecurrenceID. */
  Exceptions: CalendarBooking[]
  /** Those to come that are cancelled with this mail. */
  Cancelled: Period[]
}

/** What waits in the table booking_letters until it is sent, as everything was when it was written. */
export type MailedBooking = CalendarBooking & { Series?: MailedSeries }
