import { offsetAt, toEpoch, toWallTime } from '../../../contract/time/periods.ts'
import type { CalendarBooking, MailedBooking } from './mail.ts'
import { recurrenceOf } from './recurrence.ts'

const MINUTE = 60_000
/** Search step: no zone changes its offset twice within it. */
const STEP = 7 * 86_400_000

/**
 * VTIMEZONE of a zone between two times (RFC 5545 §3.6.5): the initial offset and every change up to the end.
 *
 * from, until  epoch ms
 */
function timeZoneLines(zone: string, from: number, until: number): string[] {
  const first = offsetAt(from, zone)
  const changes: { at: number; before: number; after: number }[] = []
  for (let at = from; at < until; at += STEP) {
    const [before, after] = [offsetAt(at, zone), offsetAt(at + STEP, zone)]
    if (before !== after) changes.push({ at: changeBetween(at, at + STEP, zone), before, after })
  }
  const standardOffset = Math.min(first, ...changes.map(({ after }) => after))
  const observance = (kind: string, start: number, before: number, after: number) => [
    `BEGIN:${kind}`,
    `DTSTART:${wallText(start)}`,
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(after)}`,
    `END:${kind}`,
  ]
  const kindOf = (offsetMs: number) => (offsetMs > standardOffset ? 'DAYLIGHT' : 'STANDARD')
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance(kindOf(first), 0, first, first),
    // The start of an observance is written in the local time before the change.
    ...changes.flatMap(({ at, before, after }) => observance(kindOf(after), at + before, before, after)),
    'END:VTIMEZONE',
  ]
}

/** First minute with another offset. */
function changeBetween(from: number, until: number, zone: string): number {
  const before = offsetAt(from, zone)
  let [last, next] = [Math.floor(from / MINUTE), Math.ceil(until / MINUTE)]
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2)
    if (offsetAt(middle * MINUTE, zone) === before) last = middle
    else next = middle
  }
  return next * MINUTE
}

/** Local time, e.g. "20260329T020000", from the ms at which UTC shows that time. */
const wallText = (localMs: number): string =>
  new Date(localMs).toISOString().slice(0, 19).replace(/[-:]/g, '')

/** UTC offset, e.g. "+0800". */
function offset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / MINUTE
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}

/** iTIP method of an email (RFC 5546): request or change, cancel, or inform only. */
export type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH'

const OPENING = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Building Dashboard//Meeting rooms//EN']

/** A booking in a feed: each is a separate event, in UTC. */
export type FeedBooking = Omit<CalendarBooking, 'TimeZone' | 'CalendarID' | 'RecurrenceID'>

/**
 * iCalendar feed of bookings (RFC 5545), with lines that end in CRLF and have at most 75 octets.
 *
 * now  time of creation, epoch ms
 */
export const feedOf = (
  bookings: readonly FeedBooking[],
  { name, now }: { name: string; now: number },
): string =>
  textOf([
    ...OPENING,
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${text(name)}`,
    ...bookings.flatMap((booking) => eventOf(booking, { now, write: inUtc })),
    'END:VCALENDAR',
  ])

/**
 * iCalendar object of an email (RFC 5546): a booking, an occurrence of a series, or a series as one event with its exceptions. Recurring
 * events use the zone of the room, so that they keep their time of day.
 *
 * now  time of creation, epoch ms
 */
export function calendarOf(
  { Series, ...booking }: MailedBooking,
  { method, now }: { method: Method; now: number },
): string {
  const zone = booking.TimeZone
  // The cancellation of a whole series needs no recurrence.
  const series = method === 'CANCEL' ? undefined : Series
  const ids = series?.Starts ?? (booking.RecurrenceID == null ? [] : [booking.RecurrenceID])
  // An ambiguous local time (at the end of daylight saving) would mean only the first of both instants.
  const named = ids.length > 0 && ids.every((id) => isNamed(id, zone))
  const write = named ? onClock(zone) : inUtc
  const exceptions = series?.Exceptions ?? []
  const timestamps = [booking, ...exceptions].flatMap(({ StartTimestamp, EndTimestamp }) => [
    StartTimestamp,
    EndTimestamp,
  ])
  const [from, until] = [Math.min(...ids, ...timestamps), Math.max(...ids, ...timestamps)]
  return textOf([
    ...OPENING,
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...(named ? timeZoneLines(zone, from, until) : []),
    ...eventOf(booking, {
      method,
      now,
      write,
      recurrence: series && recurrenceLines(series.Starts, zone, write),
    }),
    ...exceptions.flatMap((one) => eventOf(one, { method, now, write })),
    'END:VCALENDAR',
  ])
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${fold(line)}\r\n`).join('')

/** Writes a property whose value is a list of times. */
type Write = (name: string, ...timestamps: number[]) => string

const utc = (timestamp: number): string => new Date(timestamp).toISOString().replace(/[-:]|\.\d{3}/g, '')

const inUtc: Write = (name, ...timestamps) => `${name}:${timestamps.map(utc).join(',')}`

/** Writes local times with a TZID, or UTC if a local time would be ambiguous. */
const onClock =
  (zone: string): Write =>
  (name, ...timestamps) =>
    timestamps.every((timestamp) => isNamed(timestamp, zone))
      ? `${name};TZID=${zone}:${timestamps.map((at) => wallText(at + offsetAt(at, zone))).join(',')}`
      : inUtc(name, ...timestamps)

/** Whether the local time of an instant maps back to that instant. */
function isNamed(timestamp: number, zone: string): boolean {
  const { day, minute } = toWallTime(timestamp, zone)
  return toEpoch(day, minute, zone) === timestamp
}

function recurrenceLines(starts: readonly number[], zone: string, write: Write): string[] {
  if (starts.length < 2) return []
  if (write === inUtc) return [write('RDATE', ...starts.slice(1))]
  const recurrence = recurrenceOf(starts, zone)
  if ('dates' in recurrence) return [write('RDATE', ...recurrence.dates)]
  const { rule, except } = recurrence
  return [`RRULE:${rule}`, ...(except.length > 0 ? [write('EXDATE', ...except)] : [])]
}

interface EventOptions {
  /** Absent in a feed, which requests no reply. */
  method?: Method
  now: number
  write: Write
  recurrence?: string[] | undefined
}

function eventOf(
  booking: FeedBooking & Partial<CalendarBooking>,
  { method, now, write, recurrence = [] }: EventOptions,
): string[] {
  const { Host, BookedByEmail, Attendees, RecurrenceID } = booking
  const answer = method === 'REQUEST' ? ';PARTSTAT=NEEDS-ACTION;RSVP=TRUE' : ''
  return [
    'BEGIN:VEVENT',
    `UID:${booking.CalendarID ?? booking.RecordID}@building-dashboard`,
    `DTSTAMP:${utc(now)}`,
    ...(RecurrenceID == null ? [] : [write('RECURRENCE-ID', RecurrenceID)]),
    write('DTSTART', booking.StartTimestamp),
    write('DTEND', booking.EndTimestamp),
    ...recurrence,
    `SEQUENCE:${booking.Sequence}`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    `SUMMARY:${text(booking.Subject)}`,
    `LOCATION:${text(booking.Room)}`,
    ...(booking.Description ? [`DESCRIPTION:${text(booking.Description)}`] : []),
    ...(booking.Private ? ['CLASS:PRIVATE'] : []),
    ...(BookedByEmail
      ? [`ORGANIZER;CN=${parameter(Host || BookedByEmail)}:mailto:${address(BookedByEmail)}`]
      : []),
    // An event that only informs has no attendees who would have to reply (RFC 5546 §3.2.1).
    ...(method === 'PUBLISH'
      ? []
      : Attendees.map((one) => `ATTENDEE;ROLE=REQ-PARTICIPANT${answer}:mailto:${address(one)}`)),
    'END:VEVENT',
  ]
}

/** TEXT: backslash, comma and semicolon are escaped, line breaks written \n; it holds no other controls (§3.3.11). */
const text = (value: string): string =>
  value
    .replace(/[\\,;]/g, (char) => `\\${char}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '')

/** A quoted parameter value, which can hold neither quotes nor control characters (§3.2). */
const parameter = (value: string): string => `"${value.replace(/["\p{Cc}]/gu, ' ')}"`

/** Removes characters that would end the line or the address. */
const address = (value: string): string => value.replace(/[\p{Cc}\s]/gu, '')

const encoder = new TextEncoder()
const MAX_LENGTH = 75

/** Folds a line after 75 octets, never within a character (§3.1). */
function fold(line: string): string {
  let folded = ''
  let octets = 0
  for (const char of line) {
    const size = encoder.encode(char).length
    if (octets + size > MAX_LENGTH) {
      folded += '\r\n '
      octets = 1
    }
    folded += char
    octets += size
  }
  return folded
}
