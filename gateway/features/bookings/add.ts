import type { bookings } from '../../../contract/procedures/bookings.ts'
import { onWall } from '../../../contract/rules/booking/booking-clock.ts'
import { seenByAll } from '../../../contract/rules/booking/booking-privacy.ts'
import { MAX_OCCURRENCES, occurrencesOf } from '../../../contract/rules/booking/booking-series.ts'
import { parseDay } from '../../../contract/rules/energy/periods.ts'
import type { Handler } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { inRoom, tellChanges } from './queue-mails.ts'
import { insertBookings, plain, type StoredBooking } from './store.ts'
import { conflict, refuseTaken, takenOf, unlessOverlapping } from './conflicts.ts'
import { holdRoom } from './hold.ts'
import { checkPeriods, once, periodOf } from './values.ts'
import type { BookingPorts } from './ports.ts'
import { enterLine } from './room-lines.ts'

const NOTHING_MORE = { Description: '', Host: '', Private: false }

/** Books a room, once or repeated. */
const add =
  ({ bookingsMoved }: BookingPorts): Handler<typeof bookings.add> =>
  async ({ Repeat, SkipTaken = false, ...input }, context) => {
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
    if (taken.length > 0 && (!SkipTaken || taken.length === wanted.length))
      throw conflict(context, room, taken)
    const free = wanted.filter((period) => !taken.some((one) => one.period === period))
    const SeriesID = Repeat ? random.uuid() : null
    const made = free.map((period): StoredBooking => ({
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
    await bookingsMoved(db, actor.tenant, { before: [], after: made })
    await tellChanges(context, [], inRoom(made, room))
    for (const booking of made) context.change('conferenceRoom.addBooking', seenByAll(plain(booking)))
    context.audit({ after: made.map(plain) })
    return made.map(plain)
  }

/** Those who want one room go one after the other, and those who came in vain leave without a transaction. */
const precheck: Handler<typeof bookings.add>['precheck'] = async (
  { SkipTaken = false, ...input },
  context,
) => {
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

/** Books a room; what needs no transaction is refused before one begins. */
export const addBooking = (ports: BookingPorts): Handler<typeof bookings.add> =>
  Object.assign(add(ports), { precheck })
