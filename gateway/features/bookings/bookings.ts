import { Booking } from '../../../contract/bookings/calls.ts'
import { MINUTE } from '../../../contract/time/booking.ts'
import { publicBooking } from './store.ts'
import type { MailedBooking } from './mail.ts'
import type { Job } from '../../kernel/feature.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { enqueueBookingMails } from './booking-mail-sender.ts'
import type { BookingPorts } from './ports.ts'

export interface BookingOptions extends Pick<BookingPorts, 'onBookingsChanged'> {
  db: Db
  events: Events
  clock: Clock
  log: Log
}

/** Interval between two polls for due work, ms. */
export const POLL_INTERVAL_MS = 15_000
/** Time before the start of a booking at which its people are reminded, ms. */
const REMINDER_LEAD_MS = 15 * MINUTE
/** Number of rows per batch. */
const BATCH = 50

/** A step that processes at most BATCH rows and returns their number. */
type Step = (options: BookingOptions) => Promise<number>

/**
 * Background job of bookings: reminding people, and releasing rooms that remain unused. Several gateways of a database share the work:
 * each row is claimed by one of them.
 */
export const bookingJob = (options: BookingOptions): Job => ({
  name: 'bookings',
  intervalMs: POLL_INTERVAL_MS,
  async run(stopped) {
    for (const step of [release, remind] satisfies Step[])
      try {
        // A full batch means that there may be more.
        for (let done = BATCH; done === BATCH;) done = stopped() ? 0 : await step(options)
      } catch (err) {
        options.log.warn({ err }, 'meeting room job failed, will retry')
      }
  },
})

/** Ends bookings without a check-in in time, which frees the rest of their time. Returns the number of bookings. */
async function release({ db, clock, events, onBookingsChanged }: BookingOptions): Promise<number> {
  const now = clock.now()
  const ended = await db.transaction(async (tx) => {
    const due = await claimUnattended(tx, now)
    for (const tenant of new Set(due.map((booking) => booking.tenant))) {
      const before = due.filter((booking) => booking.tenant === tenant)
      await onBookingsChanged(tx, tenant, {
        before,
        after: before.map((one) => ({ ...one, ...endedAt(now) })),
      })
    }
    return due
  })
  for (const { tenant, ...booking } of ended)
    events.emit('dataChange', {
      tenant,
      name: 'conferenceRoom.addBooking',
      record: publicBooking({ ...booking, ...endedAt(now) }),
      by: null,
    })
  return ended.length
}

const endedAt = (now: number) => ({ ReleasedAt: now, EndTimestamp: now - (now % MINUTE) })

/**
 * Ends bookings without a check-in in time, and returns them as they were. Rooms are locked first, as everywhere; rooms that another
 * transaction has locked are skipped until the next poll.
 */
async function claimUnattended(tx: Db, now: number): Promise<(Booking & { tenant: string })[]> {
  const isDue = sql`b.checked_in_at is null and b.released_at is null and r.release_after > 0
    and b.start_timestamp <= ${now}::bigint - r.release_after * 60000 and b.end_timestamp > ${now}::bigint`
  const rooms = await tx.query<{ tenant: string; id: string }>(sql`
    select r.tenant, r.conference_room_id as id from conference_rooms r
    where exists (select from reservations b
      where b.tenant = r.tenant and b.conference_room_id = r.conference_room_id and ${isDue})
    order by 1, 2 limit ${BATCH}::int for no key update of r skip locked`)
  if (rooms.length === 0) return []
  const held = JSON.stringify(rooms)
  const due = await tx.query<Booking & { tenant: string }>(sql`
    select b.tenant, ${columnsOf(Booking, 'b')}
    from jsonb_to_recordset(${held}::jsonb) as k (tenant uuid, id text)
      join conference_rooms r on r.tenant = k.tenant and r.conference_room_id = k.id
      join reservations b on b.tenant = r.tenant and b.conference_room_id = r.conference_room_id
    where ${isDue} for update of b`)
  const { ReleasedAt, EndTimestamp } = endedAt(now)
  await tx.query(sql`update reservations b set released_at = ${ReleasedAt}::bigint, end_timestamp = ${EndTimestamp}::bigint
    from jsonb_to_recordset(${JSON.stringify(due.map(({ tenant, RecordID }) => ({ tenant, id: RecordID })))}::jsonb)
      as k (tenant uuid, id text) where b.tenant = k.tenant and b.record_id = k.id`)
  return due
}

/** Queues reminders for the bookings that begin soon. Returns the number of bookings. */
const remind = ({ db, clock }: BookingOptions): Promise<number> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const due = await tx.query<MailedBooking & { tenant: string }>(sql`
      select b.tenant, r.conference_room_name as "Room", coalesce(h.time_zone, 'Asia/Taipei') as "TimeZone",
        b.recurrence_id as "RecurrenceID",
        case when b.recurrence_id is null then b.record_id else b.series_id end as "CalendarID",
        ${columnsOf(Booking, 'b')}
      from reservations b join conference_rooms r using (tenant, conference_room_id)
        left join homes h on h.tenant = r.tenant and h.home_id = r.home_id
      where not b.reminded and b.released_at is null and b.start_timestamp > ${now}::bigint
        and b.start_timestamp <= ${now + REMINDER_LEAD_MS}::bigint
      limit ${BATCH}::int for update of b skip locked`)
    if (due.length === 0) return 0
    const mails = due.flatMap(({ tenant, ...booking }) =>
      [...new Set([...booking.Attendees, booking.BookedByEmail])].map((recipient) => ({
        tenant,
        kind: 'remind' as const,
        recipient,
        booking,
      })),
    )
    await enqueueBookingMails(tx, mails, now)
    const keys = JSON.stringify(due.map(({ tenant, RecordID }) => ({ tenant, id: RecordID })))
    await tx.query(sql`update reservations b set reminded = true
      from jsonb_to_recordset(${keys}::jsonb) as k (tenant uuid, id text)
      where b.tenant = k.tenant and b.record_id = k.id`)
    return due.length
  })
