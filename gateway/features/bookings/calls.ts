import { ADDRESS } from '../../lib/mail/address.ts'
import { displayName, foldText } from '../../../contract/kernel/text.ts'
import type { User } from '../../../contract/people/user.ts'
import type { bookings } from '../../../contract/bookings/calls.ts'
import {
  publicBooking,
  readBookings,
  countChanges,
  deleteBookings,
  withoutClock,
  visibleBooking,
} from './store.ts'
import { freePeriods, MINUTE, type Period } from '../../../contract/time/booking.ts'
import { CHECK_IN_LEAD_MS } from '../../../contract/bookings/door-display.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { withRoom, queueBookingMails } from './queue-mails.ts'
import { empty, type Sql, sql } from '../../kernel/db.ts'
import { escapeLike } from '../../store/page.ts'
import { createBooking } from './add.ts'
import { changeBooking } from './change.ts'
import {
  requireBooking,
  findBooking,
  lockConferenceRoom,
  requireOwnBooking,
  inScope,
} from './lock-bookings.ts'
import { bookingLinkHandlers } from './link-calls.ts'
import type { BookingPorts } from './ports.ts'

type Person = Pick<User, 'Email' | 'FirstName' | 'LastName' | 'nickname'>

export const bookingHandlers = (ports: BookingPorts): HandlersOf<typeof bookings> => ({
  getByEmail: async ({ Email, Past = false }, context) => {
    const { db, actor, clock } = context
    if (Email !== actor.email) requireBooking(context, 'Update', "To see others' bookings")
    const found = await readBookings(
      db,
      sql`tenant = ${actor.tenant} ${Past ? empty : sql`and end_timestamp > ${clock.now()}`}
        and (booked_by_email = ${Email} or attendees @> ${JSON.stringify([Email])}::jsonb)`,
    )
    return found.map((booking) => visibleBooking(withoutClock(booking), actor))
  },

  getByStartTimestamp: async ({ ConferenceRoomID, ...span }, { db, actor }) => {
    const found = await readBookings(db, sql`tenant = ${actor.tenant} and ${within(span, ConferenceRoomID)}`)
    return found.map((booking) => visibleBooking(withoutClock(booking), actor))
  },

  availableSlots: async ({ Minutes, Capacity, ConferenceRoomID, ...span }, { db, actor, clock }) => {
    const rooms = await db.query<{ id: string; capacity: number }>(sql`
      select conference_room_id as id, capacity from conference_rooms
      where tenant = ${actor.tenant} and active and capacity >= ${Capacity} ${ofRoom(ConferenceRoomID)}
      order by capacity, lower(conference_room_name)`)
    const booked = await readBookings(db, sql`tenant = ${actor.tenant} and ${within(span, ConferenceRoomID)}`)
    const busy = new Map<string, Period[]>(rooms.map(({ id }) => [id, []]))
    for (const booking of booked) busy.get(booking.ConferenceRoomID)?.push(booking)
    // Past times cannot be booked; the current minute can.
    const now = clock.now() - (clock.now() % MINUTE)
    const open = { ...span, StartTimestamp: Math.max(span.StartTimestamp, now) }
    return rooms
      .flatMap(({ id }) =>
        freePeriods(busy.get(id) ?? [], open, Minutes).map((free) => ({ ConferenceRoomID: id, ...free })),
      )
      .toSorted((a, b) => a.StartTimestamp - b.StartTimestamp)
  },

  searchColleague: async ({ Search, Limit }, { db, actor }) => {
    const word = escapeLike(foldText(Search))
    const found = await db.query<Person & { Department: string | null }>(sql`
      select email as "Email", first_name as "FirstName", last_name as "LastName", nickname, department as "Department"
      from (
        select ${ADDRESS} as email, u.first_name, u.last_name, u.nickname, d.department,
          fold_text(concat_ws(' ', u.last_name || u.first_name, u.first_name || ' ' || u.last_name, u.nickname)) as names
        from users u left join departments d on d.tenant = u.tenant and d.department_id = u.department_id
        where u.tenant = ${actor.tenant} and u.enabled
      ) as people
      where names like ${`%${word}%`} or email like ${`%${word}%`} or fold_text(department) like ${`%${word}%`}
      order by (names like ${`${word}%`} or email like ${`${word}%`}) desc, names, email limit ${Limit}::int`)
    return found.map(({ Department, ...person }) => ({
      Email: person.Email,
      Name: displayName(person),
      Department,
    }))
  },

  add: createBooking(ports),

  update: changeBooking(ports),

  remove: async ({ RecordID, Scope }, context) => {
    const first = await findBooking(context, RecordID)
    requireOwnBooking(context, first, 'Delete', "To cancel others' bookings")
    const room = await lockConferenceRoom(context, first.ConferenceRoomID)
    const cancelledCount = await countChanges(context, await inScope(context, first, Scope))
    await deleteBookings(context, cancelledCount)
    await ports.onBookingsChanged(context.db, context.actor.tenant, { before: cancelledCount, after: [] })
    await queueBookingMails(context, withRoom(cancelledCount, room), [])
    for (const booking of cancelledCount)
      context.change('conferenceRoom.removeBooking', {
        RecordID: booking.RecordID,
        ConferenceRoomID: booking.ConferenceRoomID,
      })
    context.audit({ before: cancelledCount.map(withoutClock) })
    return cancelledCount.map((booking) => ({ RecordID: booking.RecordID }))
  },

  checkIn: async ({ RecordID }, context) => {
    const { db, actor, clock } = context
    const first = await findBooking(context, RecordID)
    if (!first.Attendees.includes(actor.email))
      requireOwnBooking(context, first, 'Update', "To check in for others' bookings")
    await lockConferenceRoom(context, first.ConferenceRoomID)
    const before = await findBooking(context, RecordID)
    const now = clock.now()
    if (before.StartTimestamp - CHECK_IN_LEAD_MS > now || before.EndTimestamp <= now)
      throw new GatewayError('CONFLICT', 'It is not the time to check in')
    const after = withoutClock({ ...before, CheckedInAt: before.CheckedInAt ?? now })
    await db.query(sql`update reservations set checked_in_at = ${after.CheckedInAt}
      where tenant = ${actor.tenant} and record_id = ${RecordID}`)
    context.change('conferenceRoom.addBooking', publicBooking(after))
    context.audit({ before: withoutClock(before), after })
    return after
  },

  ...bookingLinkHandlers,
})

const ofRoom = (id: string | undefined): Sql =>
  id === undefined ? empty : sql`and conference_room_id = ${id}`

const within = ({ StartTimestamp, EndTimestamp }: Period, room: string | undefined): Sql =>
  sql`end_timestamp > ${StartTimestamp} and start_timestamp < ${EndTimestamp} ${ofRoom(room)}`
