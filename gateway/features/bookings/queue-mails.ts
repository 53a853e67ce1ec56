import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import type { CalendarBooking, MailedBooking } from './mail.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { type BookingMail, enqueueBookingMails } from './booking-mail-sender.ts'
import { sql } from '../../kernel/db.ts'
import { storedColumns, type StoredBooking } from './store.ts'

/** A booking with the name and time zone of its room. */
export type BookingInRoom = StoredBooking & { Room: string; TimeZone: string }

type QueuedMail = Omit<BookingMail, 'tenant'>

/** Adds the name and time zone of the room to bookings. */
export const withRoom = (
  bookings: readonly StoredBooking[],
  { ConferenceRoomName: Room, TimeZone }: ConferenceRoomWithClock,
): BookingInRoom[] => bookings.map((booking) => ({ ...booking, Room, TimeZone }))

/**
 * Queues emails on changed bookings: one per person and calendar event, however many bookings it covers. They are sent after the commit.
 * Called after the change is written.
 *
 * before, after  the bookings before and after the change; a new one is only in `after`, a cancelled one only in `before`
 */
export async function queueBookingMails(
  context: SignedIn,
  before: readonly BookingInRoom[],
  after: readonly BookingInRoom[],
): Promise<void> {
  const mails: QueuedMail[] = []
  for (const { was, is } of pairsOf(before.filter(isAlone), after.filter(isAlone)))
    mails.push(...mailsOfSingleBooking(was, is))
  for (const SeriesID of seriesOf([...before, ...after])) {
    const ofSeries = (booking: BookingInRoom) => booking.SeriesID === SeriesID && !isAlone(booking)
    const current = await seriesNow(context, SeriesID)
    const [was, is] = [before.filter(ofSeries), after.filter(ofSeries)]
    mails.push(...seriesMails(was, is, current, context.clock.now()))
  }
  const { db, actor, clock } = context
  await enqueueBookingMails(
    db,
    mails.map((mail) => ({ ...mail, tenant: actor.tenant })),
    clock.now(),
  )
}

const isAlone = ({ RecurrenceID }: BookingInRoom): boolean => RecurrenceID === null

const seriesOf = (bookings: readonly BookingInRoom[]): Set<string> =>
  new Set(bookings.flatMap((booking) => (isAlone(booking) ? [] : [booking.SeriesID ?? ''])))

/** Attendees of a booking and the person who booked. */
const peopleOf = ({ Attendees, BookedByEmail }: BookingInRoom): string[] => [
  ...new Set([...Attendees, BookedByEmail]),
]

function pairsOf(before: readonly BookingInRoom[], after: readonly BookingInRoom[]) {
  const pairs = new Map<string, { was?: BookingInRoom; is?: BookingInRoom }>()
  for (const was of before) pairs.set(was.RecordID, { was })
  for (const is of after) pairs.set(is.RecordID, { ...pairs.get(is.RecordID), is })
  return pairs.values()
}

/** Emails on a booking that is an event of its own: invitation, change or cancellation. */
function mailsOfSingleBooking(was: BookingInRoom | undefined, is: BookingInRoom | undefined): QueuedMail[] {
  const [former, present] = [was ? peopleOf(was) : [], is ? peopleOf(is) : []]
  return [
    ...present.map((recipient) => ({
      kind: former.includes(recipient) ? ('change' as const) : ('invite' as const),
      recipient,
      booking: toCalendarBooking(is as BookingInRoom),
    })),
    ...former
      .filter((recipient) => !present.includes(recipient))
      .map((recipient) => ({ kind: 'cancel' as const, recipient, booking: withdrawn(was as BookingInRoom) })),
  ]
}

/** A cancelled booking, with a higher sequence number than any update sent before. */
const withdrawn = (booking: BookingInRoom): CalendarBooking => ({
  ...toCalendarBooking(booking),
  Sequence: booking.Sequence + 1,
})

/**
 * Emails on a series that is one event. A person who is invited to it, or for whom several of its bookings changed, receives the whole
 * event; a person for whom one occurrence changed, that occurrence; a person without any remaining booking, a cancellation.
 *
 * was, is   changed bookings, before and after
 * current   all present bookings of the series
 */
function seriesMails(
  was: readonly BookingInRoom[],
  is: readonly BookingInRoom[],
  current: readonly BookingInRoom[],
  now: number,
): QueuedMail[] {
  const changed = new Set([...was, ...is].map(({ RecordID }) => RecordID))
  const former = [...was, ...current.filter(({ RecordID }) => !changed.has(RecordID))]
  const single = changed.size === 1
  const recipients = new Set([...was, ...is].flatMap(peopleOf))
  return [...recipients].map((recipient) => {
    const bookingsOfRecipient = (bookings: readonly BookingInRoom[]) =>
      bookings.filter((booking) => peopleOf(booking).includes(recipient))
    const [had, has] = [bookingsOfRecipient(former), bookingsOfRecipient(current)]
    const [before, after] = [bookingsOfRecipient(was)[0], bookingsOfRecipient(is)[0]]
    if (!has.some(({ EndTimestamp }) => EndTimestamp > now))
      return { kind: 'cancel', recipient, booking: wholeFor(had, now) }
    // A recurring event is in their calendar, so a single occurrence can be addressed.
    if (single && before && had.length > 1) {
      if (!after) return { kind: 'cancel', recipient, booking: toCalendarBooking(before) }
      if (has.length > 1) return { kind: 'change', recipient, booking: toCalendarBooking(after) }
    }
    const cancelledBookings = bookingsOfRecipient(was).filter(
      (one) => one.EndTimestamp > now && !has.some(({ RecordID }) => RecordID === one.RecordID),
    )
    return {
      kind: had.length > 0 ? 'change' : 'invite',
      recipient,
      booking: wholeFor(has, now, cancelledBookings),
    }
  })
}

/**
 * A whole series for one person: the most common form of its future bookings, and the exceptions. Past bookings count only by their time.
 *
 * returns  a single event if only one booking is left
 */
function wholeFor(
  bookings: readonly BookingInRoom[],
  now: number,
  cancelledBookings: readonly BookingInRoom[] = [],
): MailedBooking {
  const sorted = bookings.toSorted((a, b) => startOf(a) - startOf(b))
  const upcoming = sorted.filter(({ EndTimestamp }) => EndTimestamp > now)
  const usual = mostFrequent(upcoming.length > 0 ? upcoming : sorted)
  const Cancelled = cancelledBookings.map(({ StartTimestamp, EndTimestamp }) => ({
    StartTimestamp,
    EndTimestamp,
  }))
  if (sorted.length === 1)
    return {
      ...toCalendarBooking(usual),
      RecurrenceID: null,
      ...(Cancelled.length > 0 && {
        Series: { Starts: [usual.StartTimestamp], Exceptions: [], Cancelled },
      }),
    }
  const likeUsual = (one: BookingInRoom) =>
    one.StartTimestamp === startOf(one) && (one.EndTimestamp <= now || contentKey(one) === contentKey(usual))
  const Starts = sorted.map(startOf)
  const StartTimestamp = Starts[0] as number
  return {
    ...toCalendarBooking(usual),
    StartTimestamp,
    EndTimestamp: StartTimestamp + usual.EndTimestamp - usual.StartTimestamp,
    RecurrenceID: null,
    Series: {
      Starts,
      Exceptions: sorted.filter((one) => !likeUsual(one)).map(toCalendarBooking),
      Cancelled,
    },
  }
}

const startOf = ({ RecurrenceID, StartTimestamp }: BookingInRoom): number => RecurrenceID ?? StartTimestamp

/** The first booking of the most common form. */
function mostFrequent(bookings: readonly BookingInRoom[]): BookingInRoom {
  const counts = new Map<string, number>()
  for (const one of bookings) counts.set(contentKey(one), (counts.get(contentKey(one)) ?? 0) + 1)
  return bookings.reduce((best, one) =>
    (counts.get(contentKey(one)) ?? 0) > (counts.get(contentKey(best)) ?? 0) ? one : best,
  )
}

/** Key of bookings that differ only in their start; cached, as it is requested once per recipient. */
function contentKey(one: BookingInRoom): string {
  const known = contentKeys.get(one)
  if (known !== undefined) return known
  const { EndTimestamp, StartTimestamp, Subject, Description, Host, Attendees, Private, Room } = one
  const asText = JSON.stringify([
    EndTimestamp - StartTimestamp,
    Subject,
    Description,
    Host,
    Attendees,
    Private,
    Room,
  ])
  contentKeys.set(one, asText)
  return asText
}
const contentKeys = new WeakMap<BookingInRoom, string>()

/** A booking as a calendar event: an event of its own, or an occurrence of its series. */
const toCalendarBooking = (booking: BookingInRoom): CalendarBooking => ({
  ...booking,
  CalendarID: booking.RecurrenceID === null ? booking.RecordID : (booking.SeriesID ?? booking.RecordID),
})

const seriesNow = ({ db, actor }: SignedIn, SeriesID: string): Promise<BookingInRoom[]> =>
  db.query<BookingInRoom>(sql`
    select ${storedColumns}, r.conference_room_name as "Room", coalesce(h.time_zone, ${DEFAULT_ZONE}) as "TimeZone"
    from reservations b join conference_rooms r using (tenant, conference_room_id)
      left join homes h on h.tenant = r.tenant and h.home_id = r.home_id
    where b.tenant = ${actor.tenant} and b.series_id = ${SeriesID} and b.recurrence_id is not null
    order by b.start_timestamp, b.record_id`)
