import type { Reservation } from '../../contract/procedures/reservations.ts'

/** A booking as calendars are told of it. */
export type CalendarBooking = Pick<
  Reservation,
  | 'RecordID'
  | 'StartTimestamp'
  | 'EndTimestamp'
  | 'Subject'
  | 'Description'
  | 'Host'
  | 'Attendees'
  | 'Private'
  | 'BookedByEmail'
> & { Sequence: number; Room: string }

/**
 * An iCalendar object of bookings (RFC 5545), every line ended by CRLF and at most 75 octets long.
 *
 * method  REQUEST invites or changes, CANCEL cancels (RFC 5546); a feed has none and no attendees' answers
 * name    of a feed
 * now     epoch ms, when it is made
 */
export function calendarOf(
  bookings: readonly CalendarBooking[],
  { method, name, now }: { method?: 'REQUEST' | 'CANCEL'; name?: string; now: number },
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Building Dashboard//Meeting rooms//EN',
    'CALSCALE:GREGORIAN',
    ...(method ? [`METHOD:${method}`] : []),
    ...(name === undefined ? [] : [`X-WR-CALNAME:${text(name)}`]),
    ...bookings.flatMap((booking) => eventOf(booking, method, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function eventOf(booking: CalendarBooking, method: 'REQUEST' | 'CANCEL' | undefined, now: number): string[] {
  const { Host, BookedByEmail, Attendees } = booking
  const answer = method === 'REQUEST' ? ';PARTSTAT=NEEDS-ACTION;RSVP=TRUE' : ''
  return [
    'BEGIN:VEVENT',
    `UID:${booking.RecordID}@building-dashboard`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(booking.StartTimestamp)}`,
    `DTEND:${utc(booking.EndTimestamp)}`,
    `SEQUENCE:${booking.Sequence}`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    `SUMMARY:${text(booking.Subject)}`,
    `LOCATION:${text(booking.Room)}`,
    ...(booking.Description ? [`DESCRIPTION:${text(booking.Description)}`] : []),
    ...(booking.Private ? ['CLASS:PRIVATE'] : []),
    ...(BookedByEmail
      ? [`ORGANIZER;CN=${parameter(Host || BookedByEmail)}:mailto:${address(BookedByEmail)}`]
      : []),
    ...Attendees.map((one) => `ATTENDEE;ROLE=REQ-PARTICIPANT${answer}:mailto:${address(one)}`),
    'END:VEVENT',
  ]
}

const utc = (timestamp: number): string => new Date(timestamp).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** TEXT: backslash, comma and semicolon are escaped, line breaks written \n (§3.3.11). */
const text = (value: string): string =>
  value.replace(/[\\,;]/g, (char) => `\\${char}`).replace(/\r\n|\r|\n/g, '\\n')

/** A quoted parameter value, which can hold neither quotes nor control characters (§3.2). */
const parameter = (value: string): string => `"${value.replace(/["\p{Cc}]/gu, ' ')}"`

/** What would end the line or the address stays out of it. */
const address = (value: string): string => value.replace(/[\p{Cc}\s]/gu, '')

const encoder = new TextEncoder()
const LONGEST = 75

/** Folds a line after 75 octets, never within a character (§3.1). */
function fold(line: string): string {
  let folded = ''
  let octets = 0
  for (const char of line) {
    const size = encoder.encode(char).length
    if (octets + size > LONGEST) {
      folded += '\r\n '
      octets = 1
    }
    folded += char
    octets += size
  }
  return folded
}
