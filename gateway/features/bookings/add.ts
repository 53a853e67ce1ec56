import type { bookings } from '../../../contract/bookings/calls.ts'
import { publicBooking, insertBookings, withoutClock, type StoredBooking } from './store.ts'
import { MAX_OCCURRENCES, occurrencesOf } from '../../../contract/bookings/booking-series.ts'
import { parseDay, toWallTime } from '../../../contract/time/periods.ts'
import type { Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { withRoom, queueBookingMails } from './queue-mails.ts'
import {
  conflict,
  assertFree,
  overlappingBookings,
  conflictOnOverlap,
  checkPeriods,
  deduplicate,
  periodOf,
} from './conflicts.ts'
import { lockConferenceRoom } from './lock-bookings.ts'
import type { BookingPorts } from './ports.ts'

/** Last entry of each queue, by name. */
const ends = new Map<string, Promise<void>>()

/**
 * Queues calls for the same resource within this gateway, so that they do not occupy database connections while waiting.
 *
 * returns  `previousTurn` resolves when all earlier calls have left; undefined if there are none. `leaveQueue` must be called
 */
function enterQueue(name: string): { previousTurn: Promise<void> | undefined; leaveQueue: () => void } {
  const previousTurn = ends.get(name)
  const { promise, resolve: leave } = withResolvers()
  const end = previousTurn ? previousTurn.then(() => promise) : promise
  ends.set(name, end)
  void end.then(() => {
    if (ends.get(name) === end) ends.delete(name)
  })
  return { previousTurn, leaveQueue: leave }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

const EMPTY_DETAILS = { Description: '', Host: '', Private: false }

/** Books a room, once or repeatedly. */
const add =
  ({ onBookingsChanged }: BookingPorts): Handler<typeof bookings.add> =>
  async ({ Repeat, SkipTaken = false, ...input }, context) => {
    const { db, actor, random, clock } = context
    const room = await lockConferenceRoom(context, input.ConferenceRoomID)
    if (!room.Active)
      throw new GatewayError('CONFLICT', 'The room cannot be booked', { ConferenceRoomID: 'inactive' })
    if (Repeat && parseDay(Repeat.Until) < toWallTime(input.StartTimestamp, room.TimeZone).day)
      throw new GatewayError('INVALID', 'The series would end before it begins', {
        'Repeat.Until': 'endBeforeStart',
      })
    const requestedPeriods = Repeat ? occurrencesOf(input, Repeat, room.TimeZone) : [periodOf(input)]
    if (requestedPeriods.length > MAX_OCCURRENCES)
      throw new GatewayError('INVALID', `A series has at most ${MAX_OCCURRENCES} bookings`, {
        'Repeat.Until': 'tooBig',
      })
    checkPeriods(requestedPeriods, clock.now())
    const overlapping = await overlappingBookings(context, room, requestedPeriods)
    if (overlapping.length > 0 && (!SkipTaken || overlapping.length === requestedPeriods.length))
      throw conflict(context, room, overlapping)
    const free = requestedPeriods.filter((period) => !overlapping.some((one) => one.period === period))
    const SeriesID = Repeat ? random.uuid() : null
    const newBookings = free.map((period): StoredBooking => ({
      RecordID: random.uuid(),
      ...EMPTY_DETAILS,
      ...input,
      Attendees: deduplicate(input.Attendees),
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
    await conflictOnOverlap(() => insertBookings(db, actor.tenant, room.ConferenceRoomID, newBookings))
    await onBookingsChanged(db, actor.tenant, { before: [], after: newBookings })
    await queueBookingMails(context, [], withRoom(newBookings, room))
    for (const booking of newBookings)
      context.change('conferenceRoom.addBooking', publicBooking(withoutClock(booking)))
    context.audit({ after: newBookings.map(withoutClock) })
    return newBookings.map(withoutClock)
  }

/** Serializes the calls for one room, and rejects those without a chance before a transaction begins. */
const precheck: Handler<typeof bookings.add>['precheck'] = async (
  { SkipTaken = false, ...input },
  context,
) => {
  checkPeriods([input], context.clock.now())
  if (!SkipTaken) await assertFree(context, input)
  const { previousTurn, leaveQueue } = enterQueue(`${context.actor.tenant} ${input.ConferenceRoomID}`)
  if (!previousTurn) return leaveQueue
  await previousTurn
  try {
    if (!SkipTaken) await assertFree(context, input)
  } catch (refusal) {
    leaveQueue()
    throw refusal
  }
  return leaveQueue
}

/** Books a room; what can be rejected without a transaction is rejected before. */
export const createBooking = (ports: BookingPorts): Handler<typeof bookings.add> =>
  Object.assign(add(ports), { precheck })
