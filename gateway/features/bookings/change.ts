import { isDeepStrictEqual } from 'node:util'
import type { bookings } from '../../../contract/bookings/calls.ts'
import {
  publicBooking,
  readBookings,
  countChanges,
  deleteBookings,
  insertBookings,
  withoutClock,
  type StoredBooking,
} from './store.ts'
import { movedAlong } from '../../../contract/bookings/booking-series.ts'
import type { Period } from '../../../contract/time/booking.ts'
import type { Handler, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { withRoom, queueBookingMails } from './queue-mails.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { join, sql } from '../../kernel/db.ts'
import type { BookingPorts } from './ports.ts'
import {
  conflict,
  overlappingBookings,
  conflictOnOverlap,
  assertValidMove,
  deduplicate,
  periodOf,
} from './conflicts.ts'
import { findBooking, lockRooms, hasEnded, requireOwnBooking, inScope } from './lock-bookings.ts'

/** Changes a booking, or several of its series. */
export const changeBooking =
  ({ onBookingsChanged }: BookingPorts): Handler<typeof bookings.update> =>
  async ({ RecordID, Scope, Seen, ...changes }, context) => {
    const { db, actor, clock, random } = context
    const first = await findBooking(context, RecordID)
    requireOwnBooking(context, first, 'Update', "To change others' bookings")
    const to = changes.ConferenceRoomID ?? first.ConferenceRoomID
    const [room, from] = await lockRooms(context, to, first.ConferenceRoomID)
    const bookingsInScope = await inScope(context, first, Scope)
    const present = bookingsInScope.find((booking) => booking.RecordID === RecordID)
    if (!present) throw hasEnded()
    assertUnchanged(Seen, present)
    const before = await countChanges(context, bookingsInScope)
    const now = clock.now()
    const old = before[bookingsInScope.indexOf(present)] as StoredBooking
    const newPeriod = { ...periodOf(old), ...definedPeriod(changes) }
    const timed =
      newPeriod.StartTimestamp !== old.StartTimestamp || newPeriod.EndTimestamp !== old.EndTimestamp
    if (!room.Active && room !== from)
      throw new GatewayError('CONFLICT', 'The room cannot be booked', { ConferenceRoomID: 'inactive' })
    const shifted = Scope !== 'one' && newPeriod.StartTimestamp !== old.StartTimestamp
    // Part of a series that is shifted or changed from here on becomes a series of its own.
    const others = Scope === 'one' ? [] : await readOthers(context, old, before)
    const splits = (shifted || Scope === 'following') && others.some(({ EndTimestamp }) => EndTimestamp > now)
    const SeriesID = splits ? random.uuid() : old.SeriesID
    const after = before.map((booking): StoredBooking => {
      const period =
        booking === old
          ? newPeriod
          : timed
            ? movedAlong(booking, old, newPeriod, room.TimeZone)
            : periodOf(booking)
      return {
        ...booking,
        ...changes,
        Attendees: deduplicate(changes.Attendees ?? booking.Attendees),
        ...period,
        SeriesID,
        ...numberOf(booking, splits),
        ...(shifted && { RecurrenceID: movedRule(booking.RecurrenceID, old, newPeriod, room.TimeZone) }),
        // A new time or room resets check-in and reminder; an extended meeting remains the same.
        ...((period.StartTimestamp !== booking.StartTimestamp || room !== from) && {
          CheckedInAt: null,
          Reminded: false,
        }),
      }
    })
    if (timed || room !== from) {
      for (const [i, booking] of after.entries()) assertValidMove(before[i] as StoredBooking, booking, now)
      const overlapping = await overlappingBookings(
        context,
        room,
        after,
        before.map((booking) => booking.RecordID),
      )
      if (overlapping.length > 0) throw conflict(context, room, overlapping)
    }
    await conflictOnOverlap(async () => {
      await deleteBookings(context, before)
      await insertBookings(db, actor.tenant, room.ConferenceRoomID, after)
    })
    await onBookingsChanged(db, actor.tenant, { before, after })
    if (shifted && !splits) await leaveRule(context, others)
    if (!isDeepStrictEqual(before.map(unnumbered), after.map(unnumbered)))
      await queueBookingMails(context, withRoom(before, from), withRoom(after, room))
    for (const booking of after)
      context.change('conferenceRoom.addBooking', publicBooking(withoutClock(booking)))
    context.audit({ before: before.map(withoutClock), after: after.map(withoutClock) })
    return after.map(withoutClock)
  }

const definedPeriod = ({ StartTimestamp, EndTimestamp }: Partial<Period>) => ({
  ...(StartTimestamp !== undefined && { StartTimestamp }),
  ...(EndTimestamp !== undefined && { EndTimestamp }),
})

/** Bookings of a booking's series other than the given ones. */
async function readOthers(
  { db, actor }: SignedIn,
  { SeriesID }: StoredBooking,
  siblings: readonly StoredBooking[],
): Promise<StoredBooking[]> {
  if (SeriesID === null) return []
  const all = await readBookings(db, sql`tenant = ${actor.tenant} and series_id = ${SeriesID}`)
  return all.filter(({ RecordID }) => !siblings.some((one) => one.RecordID === RecordID))
}

/** Start of an occurrence by its series' rule, after the series was moved. */
const movedRule = (start: number | null, from: Period, to: Period, zone: string): number | null =>
  start === null
    ? null
    : movedAlong({ StartTimestamp: start, EndTimestamp: start }, from, to, zone).StartTimestamp

/** Sequence number of a changed booking: that of a series was incremented already, and a new series starts at 0. */
const numberOf = ({ RecurrenceID, Sequence }: StoredBooking, splits: boolean) => {
  if (RecurrenceID === null) return { Sequence: Sequence + 1 }
  return { Sequence: splits ? 0 : Sequence }
}

/** Fields whose change is worth a notification. */
const unnumbered = ({ Sequence: _sequence, ...booking }: StoredBooking) => booking

/** Detaches past bookings from a series' rule that was changed later; calendars receive no further updates of them. */
async function leaveRule({ db, actor }: SignedIn, bookings: readonly StoredBooking[]): Promise<void> {
  if (bookings.length === 0) return
  const ids = join(bookings.map(({ RecordID }) => RecordID))
  await db.query(
    sql`update reservations set recurrence_id = null where tenant = ${actor.tenant} and record_id in (${ids})`,
  )
}
