import { isDeepStrictEqual } from 'node:util'
import { may, type Operation } from '../../contract/features.ts'
import type { Reservation, reservations, Scope } from '../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../contract/resources/conference-room.ts'
import { freePeriods, MINUTE, type Period, periodProblem } from '../../contract/rules/booking.ts'
import { onWall } from '../../contract/rules/booking-clock.ts'
import { parseDay } from '../../contract/rules/periods.ts'
import { seenByAll } from '../../contract/rules/booking-privacy.ts'
import { CHECK_IN_EARLY } from '../../contract/rules/room-door.ts'
import { MAX_OCCURRENCES, movedAlong, occurrencesOf } from '../../contract/rules/booking-series.ts'
import { enterLine } from './room-lines.ts'
import type { Handler, HandlersOf, SignedIn } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { readRoom } from '../resources/conference-room.ts'
import { inRoom, tellChanges } from '../resources/booking-letters.ts'
import {
  bookingsOf,
  countChanges,
  insertBookings,
  plain,
  seenBy,
  type StoredReservation,
} from '../resources/reservation-store.ts'
import { isExclusionViolation } from '../store/database-errors.ts'
import { empty, join, type Sql, sql } from '../store/db.ts'
import { bookingLinkHandlers } from './booking-links.ts'
import { conflict, refuseTaken, takenOf } from './booking-conflicts.ts'

const add: Handler<typeof reservations.add> = async ({ Repeat, SkipTaken = false, ...input }, context) => {
  const { db, actor, random, clock } = context
  const room = await holdRoom(context, input.ConferenceRoomID)
  if (!room.Active)
    throw new GatewayError('CONFLICT', 'The room cannot be booked', { ConferenceRoomID: 'inactive' })
  if (Repeat && parseDay(Repeat.Until) < onWall(input.StartTimestamp, room.TimeZone).day)
    throw new GatewayError('INVALID', 'The series would end before it begins', {
      'Repeat.Until': 'endBeforeStart',
    })
  const wanted = Repeat ? occurrencesOf(input, Repeat, room.TimeZone) : [periodOf(input)]
  if (wanted.length > MAX_OCCURRENCES)
    throw new GatewayError('INVALID', `A series has at most ${MAX_OCCURRENCES} bookings`, {
      'Repeat.Until': 'tooBig',
    })
  checkPeriods(wanted, clock.now())
  const taken = await takenOf(context, room, wanted)
  if (taken.length > 0 && (!SkipTaken || taken.length === wanted.length)) throw conflict(context, room, taken)
  const free = wanted.filter((period) => !taken.some((one) => one.period === period))
  const SeriesID = Repeat ? random.uuid() : null
  const made = free.map((period): StoredReservation => ({
    RecordID: random.uuid(),
    ...NOTHING_MORE,
    ...input,
    Attendees: once(input.Attendees),
    ...period,
    SeriesID,
    BookedBy: actor.cognitoId,
    BookedByEmail: actor.email,
    CheckedInAt: null,
    ReleasedAt: null,
    Sequence: 0,
    RecurrenceID: Repeat ? period.StartTimestamp : null,
    Reminded: false,
  }))
  await unlessOverlapping(() => insertBookings(db, actor.tenant, room.ConferenceRoomID, made))
  await tellChanges(context, [], inRoom(made, room))
  for (const booking of made) context.change('conferenceRoom.addBooking', seenByAll(plain(booking)))
  context.audit({ after: made.map(plain) })
  return made.map(plain)
}

/** Those who want one room go one after the other, and those who came in vain leave without a transaction. */
add.look = async ({ SkipTaken = false, ...input }, context) => {
  checkPeriods([input], context.clock.now())
  if (!SkipTaken) await refuseTaken(context, input)
  const { turn, leave } = enterLine(`${context.actor.tenant} ${input.ConferenceRoomID}`)
  if (!turn) return leave
  await turn
  try {
    if (!SkipTaken) await refuseTaken(context, input)
  } catch (refusal) {
    leave()
    throw refusal
  }
  return leave
}

export const reservationHandlers: HandlersOf<typeof reservations> = {
  getByEmail: async ({ Email, Past = false }, context) => {
    const { db, actor, clock } = context
    if (Email !== actor.email) demand(context, 'Update', "To see others' bookings")
    const found = await bookingsOf(
      db,
      sql`tenant = ${actor.tenant} ${Past ? empty : sql`and end_timestamp > ${clock.now()}`}
        and (booked_by_email = ${Email} or attendees @> ${JSON.stringify([Email])}::jsonb)`,
    )
    return found.map((booking) => seenBy(plain(booking), actor))
  },

  getByStartTimestamp: async ({ ConferenceRoomID, ...span }, { db, actor }) => {
    const found = await bookingsOf(db, sql`tenant = ${actor.tenant} and ${within(span, ConferenceRoomID)}`)
    return found.map((booking) => seenBy(plain(booking), actor))
  },

  availableSlots: async ({ Minutes, Capacity, ConferenceRoomID, ...span }, { db, actor, clock }) => {
    const rooms = await db.query<{ id: string; capacity: number }>(sql`
      select conference_room_id as id, capacity from conference_rooms
      where tenant = ${actor.tenant} and active and capacity >= ${Capacity} ${ofRoom(ConferenceRoomID)}
      order by capacity, lower(conference_room_name)`)
    const booked = await bookingsOf(db, sql`tenant = ${actor.tenant} and ${within(span, ConferenceRoomID)}`)
    const busy = new Map<string, Period[]>(rooms.map(({ id }) => [id, []]))
    for (const booking of booked) busy.get(booking.ConferenceRoomID)?.push(booking)
    // What is over cannot be booked; the minute that is running can.
    const now = clock.now() - (clock.now() % MINUTE)
    const open = { ...span, StartTimestamp: Math.max(span.StartTimestamp, now) }
    return rooms
      .flatMap(({ id }) =>
        freePeriods(busy.get(id) ?? [], open, Minutes).map((free) => ({ ConferenceRoomID: id, ...free })),
      )
      .toSorted((a, b) => a.StartTimestamp - b.StartTimestamp)
  },

  add,

  update: async ({ RecordID, Scope, ...changes }, context) => {
    const { db, actor, clock, random } = context
    const first = await find(context, RecordID)
    own(context, first, 'Update', "To change others' bookings")
    const to = changes.ConferenceRoomID ?? first.ConferenceRoomID
    const [room, from] = await holdBoth(context, to, first.ConferenceRoomID)
    const before = await countChanges(context, await scoped(context, first, Scope))
    const now = clock.now()
    const old = before.find((booking) => booking.RecordID === RecordID)
    if (!old) throw over()
    const moved = { ...periodOf(old), ...definedPeriod(changes) }
    const timed = moved.StartTimestamp !== old.StartTimestamp || moved.EndTimestamp !== old.EndTimestamp
    if (!room.Active && room !== from)
      throw new GatewayError('CONFLICT', 'The room cannot be booked', { ConferenceRoomID: 'inactive' })
    const shifted = Scope !== 'one' && moved.StartTimestamp !== old.StartTimestamp
    // A part of a series that goes another way from here on is a series of its own.
    const others = Scope === 'one' ? [] : await othersOf(context, old, before)
    const splits = (shifted || Scope === 'following') && others.some(({ EndTimestamp }) => EndTimestamp > now)
    const SeriesID = splits ? random.uuid() : old.SeriesID
    const after = before.map((booking): StoredReservation => {
      const period =
        booking === old ? moved : timed ? movedAlong(booking, old, moved, room.TimeZone) : periodOf(booking)
      return {
        ...booking,
        ...changes,
        Attendees: once(changes.Attendees ?? booking.Attendees),
        ...period,
        SeriesID,
        ...numberOf(booking, splits),
        ...(shifted && { RecurrenceID: movedRule(booking.RecurrenceID, old, moved, room.TimeZone) }),
        // At another time or place nobody has come yet, and nobody was reminded; a longer meeting is still the same.
        ...((period.StartTimestamp !== booking.StartTimestamp || room !== from) && {
          CheckedInAt: null,
          Reminded: false,
        }),
      }
    })
    if (timed || room !== from) {
      for (const [i, booking] of after.entries()) checkMoved(before[i] as StoredReservation, booking, now)
      const taken = await takenOf(
        context,
        room,
        after,
        before.map((booking) => booking.RecordID),
      )
      if (taken.length > 0) throw conflict(context, room, taken)
    }
    await unlessOverlapping(async () => {
      await deleteBookings(context, before)
      await insertBookings(db, actor.tenant, room.ConferenceRoomID, after)
    })
    if (shifted && !splits) await leaveRule(context, others)
    if (!isDeepStrictEqual(before.map(unnumbered), after.map(unnumbered)))
      await tellChanges(context, inRoom(before, from), inRoom(after, room))
    for (const booking of after) context.change('conferenceRoom.addBooking', seenByAll(plain(booking)))
    context.audit({ before: before.map(plain), after: after.map(plain) })
    return after.map(plain)
  },

  remove: async ({ RecordID, Scope }, context) => {
    const first = await find(context, RecordID)
    own(context, first, 'Delete', "To cancel others' bookings")
    const room = await holdRoom(context, first.ConferenceRoomID)
    const gone = await countChanges(context, await scoped(context, first, Scope))
    await deleteBookings(context, gone)
    await tellChanges(context, inRoom(gone, room), [])
    for (const booking of gone)
      context.change('conferenceRoom.removeBooking', {
        RecordID: booking.RecordID,
        ConferenceRoomID: booking.ConferenceRoomID,
      })
    context.audit({ before: gone.map(plain) })
    return gone.map((booking) => ({ RecordID: booking.RecordID }))
  },

  checkIn: async ({ RecordID }, context) => {
    const { db, actor, clock } = context
    const first = await find(context, RecordID)
    if (!first.Attendees.includes(actor.email))
      own(context, first, 'Update', "To check in for others' bookings")
    await holdRoom(context, first.ConferenceRoomID)
    const before = await find(context, RecordID)
    const now = clock.now()
    if (before.StartTimestamp - CHECK_IN_EARLY > now || before.EndTimestamp <= now)
      throw new GatewayError('CONFLICT', 'It is not the time to check in')
    const after = plain({ ...before, CheckedInAt: before.CheckedInAt ?? now })
    await db.query(sql`update reservations set checked_in_at = ${after.CheckedInAt}
      where tenant = ${actor.tenant} and record_id = ${RecordID}`)
    context.change('conferenceRoom.addBooking', seenByAll(after))
    context.audit({ before: plain(before), after })
    return after
  },

  ...bookingLinkHandlers,
}

/** Who is named twice, perhaps in another case, attends once. */
const once = (addresses: readonly string[]): string[] => [...new Set(addresses)]

const NOTHING_MORE = { Description: '', Host: '', Private: false }

const periodOf = ({ StartTimestamp, EndTimestamp }: Period): Period => ({ StartTimestamp, EndTimestamp })

const definedPeriod = ({ StartTimestamp, EndTimestamp }: Partial<Period>) => ({
  ...(StartTimestamp !== undefined && { StartTimestamp }),
  ...(EndTimestamp !== undefined && { EndTimestamp }),
})

const ofRoom = (id: string | undefined): Sql =>
  id === undefined ? empty : sql`and conference_room_id = ${id}`

const within = ({ StartTimestamp, EndTimestamp }: Period, room: string | undefined): Sql =>
  sql`end_timestamp > ${StartTimestamp} and start_timestamp < ${EndTimestamp} ${ofRoom(room)}`

/** Errors: PERMISSION_DENIED. */
function demand({ actor }: SignedIn, operation: Operation, what: string): void {
  if (!may(actor, 'conference_room', operation))
    throw new GatewayError('PERMISSION_DENIED', `${what} takes ${operation} on conference_room`)
}

/** Whoever booked may; others need the right. Errors: PERMISSION_DENIED. */
function own(context: SignedIn, booking: Reservation, operation: Operation, what: string): void {
  if (booking.BookedBy !== context.actor.cognitoId) demand(context, operation, what)
}

/** A booking of the company. Errors: NOT_FOUND. */
async function find({ db, actor }: SignedIn, id: string): Promise<StoredReservation> {
  const [booking] = await bookingsOf(db, sql`tenant = ${actor.tenant} and record_id = ${id}`)
  if (!booking) throw new GatewayError('NOT_FOUND', `Booking ${id} does not exist`)
  return booking
}

/** A room, held: bookings of one room are written one after the other, so that nobody waits for a refusal in vain. */
const holdRoom = (context: SignedIn, id: string) => readRoom(context, id, sql`for no key update of r`)

/** Two rooms, held in the order of their ids, else two moves could wait for each other; the same one when they are the same. */
async function holdBoth(context: SignedIn, to: string, from: string) {
  const held = new Map<string, ConferenceRoomWithClock>()
  for (const id of [...new Set([to, from])].toSorted()) held.set(id, await holdRoom(context, id))
  return [held.get(to), held.get(from)] as [ConferenceRoomWithClock, ConferenceRoomWithClock]
}

const invalid = (problem: NonNullable<ReturnType<typeof periodProblem>>) =>
  new GatewayError('INVALID', 'The period cannot be booked', { [problem.field]: problem.reason })

/** Errors: INVALID with the field at fault. */
function checkPeriods(periods: readonly Period[], now: number): void {
  for (const period of periods) {
    const problem = periodProblem(period, now)
    if (problem) throw invalid(problem)
  }
}

/** A booking under way may end at another time, but not begin at one that has passed. */
function checkMoved(before: Period, after: Period, now: number): void {
  const began = before.StartTimestamp === after.StartTimestamp && before.StartTimestamp <= now
  const problem = periodProblem(after, began ? before.StartTimestamp : now)
  if (problem) throw invalid(problem)
  if (after.EndTimestamp <= now) throw invalid({ field: 'EndTimestamp', reason: 'past' })
}

const over = () => new GatewayError('CONFLICT', 'The booking is over')

/** The bookings that are meant and not over, by start, as they are now that the room is held. Errors: NOT_FOUND, CONFLICT. */
async function scoped(
  context: SignedIn,
  first: StoredReservation,
  scope: Scope,
): Promise<StoredReservation[]> {
  const { db, actor, clock } = context
  const one = await find(context, first.RecordID)
  const series = scope !== 'one' && one.SeriesID !== null
  const which = series
    ? sql`series_id = ${one.SeriesID} and conference_room_id = ${first.ConferenceRoomID}
        ${scope === 'following' ? sql`and start_timestamp >= ${one.StartTimestamp}` : empty}`
    : sql`record_id = ${one.RecordID}`
  const found = await bookingsOf(
    db,
    sql`tenant = ${actor.tenant} and end_timestamp > ${clock.now()} and ${which}`,
  )
  if (found.length === 0) throw over()
  return found
}

/** The bookings of a booking's series beside some of it. */
async function othersOf(
  { db, actor }: SignedIn,
  { SeriesID }: StoredReservation,
  beside: readonly StoredReservation[],
): Promise<StoredReservation[]> {
  if (SeriesID === null) return []
  const all = await bookingsOf(db, sql`tenant = ${actor.tenant} and series_id = ${SeriesID}`)
  return all.filter(({ RecordID }) => !beside.some((one) => one.RecordID === RecordID))
}

/** When a booking of a series begins by its rule, after the series was moved. */
const movedRule = (start: number | null, from: Period, to: Period, zone: string): number | null =>
  start === null
    ? null
    : movedAlong({ StartTimestamp: start, EndTimestamp: start }, from, to, zone).StartTimestamp

/** The number of a changed booking: a series was counted already, and a new one begins. */
const numberOf = ({ RecurrenceID, Sequence }: StoredReservation, splits: boolean) => {
  if (RecurrenceID === null) return { Sequence: Sequence + 1 }
  return { Sequence: splits ? 0 : Sequence }
}

/** What of a booking is worth telling. */
const unnumbered = ({ Sequence: _sequence, ...booking }: StoredReservation) => booking

/** What is over follows no rule that was changed later: people's calendars are not told of it any more. */
async function leaveRule({ db, actor }: SignedIn, bookings: readonly StoredReservation[]): Promise<void> {
  if (bookings.length === 0) return
  const ids = join(bookings.map(({ RecordID }) => RecordID))
  await db.query(
    sql`update reservations set recurrence_id = null where tenant = ${actor.tenant} and record_id in (${ids})`,
  )
}

async function deleteBookings(
  { db, actor }: SignedIn,
  bookings: readonly StoredReservation[],
): Promise<void> {
  const ids = join(bookings.map(({ RecordID }) => RecordID))
  await db.query(sql`delete from reservations where tenant = ${actor.tenant} and record_id in (${ids})`)
}

/** Writes bookings; should two writers ever get past the room's lock, the database keeps one. Errors: CONFLICT. */
async function unlessOverlapping(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (isExclusionViolation(error))
      throw new GatewayError('CONFLICT', 'The room is booked already', { StartTimestamp: 'booked' })
    throw error
  }
}
