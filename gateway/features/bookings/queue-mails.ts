import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import type { CalendarBooking, MailedBooking, MailKind } from './mail.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { OF_ERASED } from '../../domain/person-data/replace.ts'
import { sql } from '../../store/db.ts'
import { storedColumns, type StoredBooking } from './store.ts'

/** A booking with the room it is told with. */
export type BookingInRoom = StoredBooking & { Room: string; TimeZone: string }

interface QueuedMail {
  kind: MailKind
  recipient: string
  booking: MailedBooking
}

/** Bookings in a room, as people are told of them. */
export const withRoom = (
  bookings: readonly StoredBooking[],
  { ConferenceRoomName: Room, TimeZone }: ConferenceRoomWithClock,
): BookingInRoom[] => bookings.map((booking) => ({ ...booking, Room, TimeZone }))

/**
 * Queues mails on what was changed: one a person and event of their calendar, however many bookings it is on.
 * They go out after the commit. Called when the change is written.
 *
 * before, after  the changed bookings as they were and are; one that was made is only among `after`, one that is cancelled only
 *                among `before`
 */
export async function queueBookingMails(
  context: SignedIn,
  before: readonly BookingInRoom[],
  after: readonly BookingInRoom[],
): Promise<void> {
  const mails: QueuedMail[] = []
  for (const { was, is } of pairsOf(before.filter(isAlone), after.filter(isAlone)))
    mails.push(...aloneMails(was, is))
  for (const SeriesID of seriesOf([...before, ...after])) {
    const ofSeries = (booking: BookingInRoom) => booking.SeriesID === SeriesID && !isAlone(booking)
    const current = await seriesNow(context, SeriesID)
    const [was, is] = [before.filter(ofSeries), after.filter(ofSeries)]
    mails.push(...seriesMails(was, is, current, context.clock.now()))
  }
  await write(context, mails)
}

const isAlone = ({ RecurrenceID }: BookingInRoom): boolean => RecurrenceID === null

const seriesOf = (bookings: readonly BookingInRoom[]): Set<string> =>
  new Set(bookings.flatMap((booking) => (isAlone(booking) ? [] : [booking.SeriesID ?? ''])))

/** Whoever attends a booking and whoever made it. */
const peopleOf = ({ Attendees, BookedByEmail }: BookingInRoom): string[] => [
  ...new Set([...Attendees, BookedByEmail]),
]

function pairsOf(before: readonly BookingInRoom[], after: readonly BookingInRoom[]) {
  const pairs = new Map<string, { was?: BookingInRoom; is?: BookingInRoom }>()
  for (const was of before) pairs.set(was.RecordID, { was })
  for (const is of after) pairs.set(is.RecordID, { ...pairs.get(is.RecordID), is })
  return pairs.values()
}

/** On a booking that is an event of its own: invites, tells of the change, or that one need not come. */
function aloneMails(was: BookingInRoom | undefined, is: BookingInRoom | undefined): QueuedMail[] {
  const [former, present] = [was ? peopleOf(was) : [], is ? peopleOf(is) : []]
  return [
    ...present.map((recipient) => ({
      kind: former.includes(recipient) ? ('change' as const) : ('invite' as const),
      recipient,
      booking: told(is as BookingInRoom),
    })),
    ...former
      .filter((recipient) => !present.includes(recipient))
      .map((recipient) => ({ kind: 'cancel' as const, recipient, booking: withdrawn(was as BookingInRoom) })),
  ]
}

/** A booking that one need not come to any more: newer than what was told of it before. */
const withdrawn = (booking: BookingInRoom): CalendarBooking => ({
  ...told(booking),
  Sequence: booking.Sequence + 1,
})

/**
 * On a series that is one event: who is invited to it, or to whom more than one of it changed, is told the whole event again, as
 * every calendar understands; to whom one occurrence changed, that one; who has no part in what is to come any more, that it is
 * cancelled.
 *
 * was, is   what was changed of it, before and after
 * current   all of it as it is now
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
    const theirs = (bookings: readonly BookingInRoom[]) =>
      bookings.filter((booking) => peopleOf(booking).includes(recipient))
    const [had, has] = [theirs(former), theirs(current)]
    const [before, after] = [theirs(was)[0], theirs(is)[0]]
    if (!has.some(({ EndTimestamp }) => EndTimestamp > now))
      return { kind: 'cancel', recipient, booking: wholeFor(had, now) }
    // What repeats for them is in their calendar as such: there one occurrence can be named.
    if (single && before && had.length > 1) {
      if (!after) return { kind: 'cancel', recipient, booking: told(before) }
      if (has.length > 1) return { kind: 'change', recipient, booking: told(after) }
    }
    const gone = theirs(was).filter(
      (one) => one.EndTimestamp > now && !has.some(({ RecordID }) => RecordID === one.RecordID),
    )
    return {
      kind: had.length > 0 ? 'change' : 'invite',
      recipient,
      booking: wholeFor(has, now, gone),
    }
  })
}

/**
 * A series as one person is told of it, whole: what most of its bookings to come are like, and what is otherwise. Of those that are
 * over only the time counts.
 *
 * special  one booking is told as it is, for nothing repeats
 */
function wholeFor(
  bookings: readonly BookingInRoom[],
  now: number,
  gone: readonly BookingInRoom[] = [],
): MailedBooking {
  const sorted = bookings.toSorted((a, b) => begins(a) - begins(b))
  const coming = sorted.filter(({ EndTimestamp }) => EndTimestamp > now)
  const usual = mostUsual(coming.length > 0 ? coming : sorted)
  const Cancelled = gone.map(({ StartTimestamp, EndTimestamp }) => ({ StartTimestamp, EndTimestamp }))
  if (sorted.length === 1)
    return {
      ...told(usual),
      RecurrenceID: null,
      ...(Cancelled.length > 0 && {
        Series: { Starts: [usual.StartTimestamp], Exceptions: [], Cancelled },
      }),
    }
  const likeUsual = (one: BookingInRoom) =>
    one.StartTimestamp === begins(one) && (one.EndTimestamp <= now || likeness(one) === likeness(usual))
  const Starts = sorted.map(begins)
  const StartTimestamp = Starts[0] as number
  return {
    ...told(usual),
    StartTimestamp,
    EndTimestamp: StartTimestamp + usual.EndTimestamp - usual.StartTimestamp,
    RecurrenceID: null,
    Series: {
      Starts,
      Exceptions: sorted.filter((one) => !likeUsual(one)).map(told),
      Cancelled,
    },
  }
}

const begins = ({ RecurrenceID, StartTimestamp }: BookingInRoom): number => RecurrenceID ?? StartTimestamp

/** The first of the bookings that most of the others are like. */
function mostUsual(bookings: readonly BookingInRoom[]): BookingInRoom {
  const counts = new Map<string, number>()
  for (const one of bookings) counts.set(likeness(one), (counts.get(likeness(one)) ?? 0) + 1)
  return bookings.reduce((best, one) =>
    (counts.get(likeness(one)) ?? 0) > (counts.get(likeness(best)) ?? 0) ? one : best,
  )
}

/** What is the same of bookings that differ only by when they begin; asked once for each person who is told. */
function likeness(one: BookingInRoom): string {
  const known = likenesses.get(one)
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
  likenesses.set(one, asText)
  return asText
}
const likenesses = new WeakMap<BookingInRoom, string>()

/** A booking as calendars are told of it: an event of its own, or that occurrence of its series. */
const told = (booking: BookingInRoom): CalendarBooking => ({
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

async function write({ db, actor, clock }: SignedIn, mails: readonly QueuedMail[]): Promise<void> {
  if (mails.length === 0) return
  await db.query(sql`insert into booking_letters (tenant, kind, recipient, booking, due_at)
    select ${actor.tenant}, l.kind, l.recipient, l.booking, ${clock.now()}
    from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as l (kind text, recipient text, booking jsonb)
    where l.recipient not like ${OF_ERASED}`)
}
