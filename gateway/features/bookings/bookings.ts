import { ADDRESS } from '../../lib/mail/address-of-person.ts'
import { Booking } from '../../../contract/bookings/calls.ts'
import { MINUTE } from '../../../contract/time/booking.ts'
import { publicBooking } from './booking-privacy.ts'
import type { MailedBooking, MailKind } from './mail.ts'
import type { Job } from '../../kernel/feature.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/columns.ts'
import { OF_ERASED } from '../../domain/person-data/replace.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { assertMailQuota, type MailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import { composeMail } from './compose-mail.ts'
import type { BookingPorts } from './ports.ts'

export interface BookingOptions extends Pick<BookingPorts, 'onBookingsChanged'> {
  db: Db
  events: Events
  clock: Clock
  log: Log
  mail: Mail
  config: { mailQuota: MailQuota }
}

/** Interval between two polls for due work, ms. */
export const POLL_INTERVAL_MS = 15_000
/** Time before the start of a booking at which its people are reminded, ms. */
const REMINDER_LEAD_MS = 15 * MINUTE
/** Number of rows per batch. */
const BATCH = 50
/** Lease of an email, ms: longer than a slow mail server may take. */
const LEASE_MS = 5 * MINUTE
/** Delay before an email over the quota is retried, ms. */
const QUOTA_RETRY_MS = 10 * MINUTE
/** Failed emails are retried with increasing delays, and given up after about a day. */
const MOST_TRIES = 10
const longer = (tries: number) => MINUTE * 2 ** Math.min(tries, 8)

/** A step that processes at most `batch` rows and returns their number. */
interface Step {
  work(options: BookingOptions): Promise<number>
  batch: number
}

/**
 * Background jobs of bookings: sending emails, reminding people, and releasing rooms that remain unused. Several gateways of a database
 * share the work: each row is claimed by one of them.
 */
export function bookingJobs(options: BookingOptions): readonly Job[] {
  /** A job that runs steps until no full batch is left. */
  const job = (name: string, steps: readonly Step[]): Job => ({
    name,
    every: POLL_INTERVAL_MS,
    async run(stopped) {
      for (const { work, batch } of steps)
        try {
          // A full batch means that there may be more.
          for (let done = batch; done === batch;) done = stopped() ? 0 : await work(options)
        } catch (err) {
          options.log.warn({ err }, 'meeting room job failed, will retry')
        }
    },
  })

  return [
    job('bookings', [
      { work: release, batch: BATCH },
      { work: remind, batch: BATCH },
    ]),
    // A separate job, so that a slow mail server delays neither releases nor reminders.
    job('mails on bookings', [{ work: send, batch: 1 }]),
  ]
}

/** Ends bookings without a check-in in time, which frees the rest of their time. Returns the number of bookings. */
async function release({ db, clock, events, onBookingsChanged }: BookingOptions): Promise<number> {
  const now = clock.now()
  const ended = await db.transaction(async (tx) => {
    const due = await takeUnattended(tx, now)
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
async function takeUnattended(tx: Db, now: number): Promise<(Booking & { tenant: string })[]> {
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
        recipient,
        booking,
      })),
    )
    await tx.query(sql`insert into booking_letters (tenant, kind, recipient, booking, due_at)
      select l.tenant, 'remind', l.recipient, l.booking, ${now}
      from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as l (tenant uuid, recipient text, booking jsonb)
      where l.recipient not like ${OF_ERASED}`)
    const keys = JSON.stringify(due.map(({ tenant, RecordID }) => ({ tenant, id: RecordID })))
    await tx.query(sql`update reservations b set reminded = true
      from jsonb_to_recordset(${keys}::jsonb) as k (tenant uuid, id text)
      where b.tenant = k.tenant and b.record_id = k.id`)
    return due.length
  })

/**
 * Sends one due email; returns 1 if there was one, otherwise 0. It is leased before the attempt, so that a gateway that stops in the
 * meantime loses none. Never several at a time: behind a slow mail server their leases could expire, and another gateway would send them
 * again.
 */
async function send({ db, clock, mail, log, config: { mailQuota } }: BookingOptions): Promise<number> {
  const now = clock.now()
  const [queued] = await db.query<{
    id: number
    tenant: string
    kind: MailKind
    recipient: string
    isColleague: boolean
    booking: MailedBooking
    tries: number
    language: string | null
  }>(sql`
    update booking_letters l set tries = tries + 1, due_at = ${now + LEASE_MS}::bigint
    where letter_id in (select letter_id from booking_letters where due_at <= ${now}::bigint
      order by due_at, letter_id limit 1 for update skip locked)
    returning letter_id as id, tenant, kind, recipient, booking, tries,
      exists (select 1 from users u where u.tenant = l.tenant and ${ADDRESS} = l.recipient) as "isColleague", (select p.language from users u
      join personal_configs p using (cognito_id) where u.email = l.recipient) as language`)
  if (!queued) return 0
  const { id, tenant, kind, recipient, isColleague, booking, tries, language } = queued
  // A colleague with many meetings gets many emails.
  const quota = isColleague ? { ...mailQuota, recipient: NO_LIMIT } : mailQuota
  const counting = db.transaction((tx) => assertMailQuota(tx, { tenant, to: recipient, now, quota }))
  const refused = await counting.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refused !== undefined) {
    if (!(refused instanceof GatewayError) || refused.code !== 'LIMIT_EXCEEDED') throw refused
    // Waits until the quota of the company or address allows it; this is no failed attempt.
    await db.query(
      sql`update booking_letters set due_at = ${now + QUOTA_RETRY_MS}, tries = tries - 1 where letter_id = ${id}`,
    )
    return 1
  }
  try {
    await mail.send(composeMail(kind, recipient, booking, { language, now }))
    await db.query(sql`delete from booking_letters where letter_id = ${id}`)
  } catch (err) {
    log.warn({ err, mail: id, tries }, 'booking email not sent')
    await db.query(
      tries >= MOST_TRIES
        ? sql`delete from booking_letters where letter_id = ${id}`
        : sql`update booking_letters set due_at = ${now + longer(tries)} where letter_id = ${id}`,
    )
  }
  return 1
}
