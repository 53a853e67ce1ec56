import { formatSpan } from '../../../contract/time/format-time.ts'
import { enqueue } from '../../deliveries/store.ts'
import type { Sender } from '../../deliveries/worker.ts'
import { isErasedAddress } from '../../domain/person-data/replace.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { Clock, Mail } from '../../kernel/ports.ts'
import { ADDRESS, plainName } from '../../lib/mail/address.ts'
import { isWithinMailQuota, type MailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import type { Period } from '../../../contract/time/booking.ts'
import type { MailedBooking, MailKind } from './mail.ts'
import { calendarOf } from './calendar.ts'

/** Maximum number of times of a series that the text lists; the attached calendar contains all. */
const MAX_TIMES = 12

const WORDS = {
  'zh-TW': {
    invite: (what: string) => `會議邀請：${what}`,
    change: (what: string) => `會議變更：${what}`,
    cancel: (what: string) => `會議取消：${what}`,
    remind: (what: string) => `會議提醒：${what}`,
    room: '會議室',
    when: '時間',
    times: (count: number) => `時間（共 ${count} 次）`,
    cancelled: (count: number) => `已取消（${count} 次）`,
    host: '主持人',
    bookedBy: '預約人',
  },
  'en-US': {
    invite: (what: string) => `Invitation: ${what}`,
    change: (what: string) => `Updated: ${what}`,
    cancel: (what: string) => `Canceled: ${what}`,
    remind: (what: string) => `Reminder: ${what}`,
    room: 'Room',
    when: 'When',
    times: (count: number) => `When (${count} times)`,
    cancelled: (count: number) => `Canceled (${count})`,
    host: 'Host',
    bookedBy: 'Booked by',
  },
}

const METHODS = { invite: 'REQUEST', change: 'REQUEST', cancel: 'CANCEL', remind: 'PUBLISH' } as const

/** Composes an email on a booking or series in the reader's language (zh-TW by default), with a calendar event. */
function composeMail(
  kind: MailKind,
  to: string,
  booking: MailedBooking,
  { language, now }: { language: string | null; now: number },
): Parameters<Mail['send']>[0] {
  const knownLanguage = language === 'en-US' ? 'en-US' : 'zh-TW'
  const words = WORDS[knownLanguage]
  const { TimeZone: zone } = booking
  const times = timesOf(booking, now)
  const cancelled = booking.Series?.Cancelled ?? []
  const lines = [
    booking.Subject,
    '',
    ...(times[0] && times.length === 1
      ? [`${words.when}: ${periodText(times[0], knownLanguage, zone)} (${zone})`]
      : [`${words.times(times.length)}: (${zone})`, ...list(times, knownLanguage, zone)]),
    ...(cancelled.length > 0
      ? [`${words.cancelled(cancelled.length)}:`, ...list(cancelled, knownLanguage, zone)]
      : []),
    `${words.room}: ${plainName(booking.Room)}`,
    ...(booking.Host ? [`${words.host}: ${plainName(booking.Host)}`] : []),
    `${words.bookedBy}: ${booking.BookedByEmail}`,
    ...(booking.Description ? ['', booking.Description] : []),
  ]
  const method = METHODS[kind]
  return {
    to,
    subject: words[kind](booking.Subject).replace(/[\r\n]+/g, ' '),
    text: lines.join('\n'),
    calendar: { method, content: calendarOf(booking, { method, now }) },
  }
}

/** Times of the bookings of an email that are not over; of a series that is over, all. */
function timesOf({ Series, StartTimestamp, EndTimestamp }: MailedBooking, now: number): Period[] {
  if (!Series) return [{ StartTimestamp, EndTimestamp }]
  const exceptionsById = new Map(Series.Exceptions.map((one) => [one.RecurrenceID, one]))
  const times = Series.Starts.map(
    (start): Period =>
      exceptionsById.get(start) ?? {
        StartTimestamp: start,
        EndTimestamp: start + EndTimestamp - StartTimestamp,
      },
  )
  const upcoming = times.filter((time) => time.EndTimestamp > now)
  return (upcoming.length > 0 ? upcoming : times).toSorted((a, b) => a.StartTimestamp - b.StartTimestamp)
}

const list = (times: readonly Period[], language: string, zone: string): string[] => [
  ...times.slice(0, MAX_TIMES).map((time) => `  ${periodText(time, language, zone)}`),
  ...(times.length > MAX_TIMES ? ['  …'] : []),
]

const periodText = ({ StartTimestamp, EndTimestamp }: Period, language: string, zone: string): string =>
  formatSpan(StartTimestamp, EndTimestamp, language, zone)

const KIND = 'booking'
const MINUTE = 60_000

/** Payload of a delivery, as of the time at which it was enqueued. */
interface BookingMailPayload {
  kind: MailKind
  booking: MailedBooking
}

export interface BookingMail extends BookingMailPayload {
  tenant: string
  /** Address. */
  recipient: string
}

/** Enqueues emails on bookings, except to erased persons. */
export const enqueueBookingMails = (tx: Db, mails: readonly BookingMail[], now: number): Promise<void> =>
  enqueue(
    tx,
    mails
      .filter(({ recipient }) => !isErasedAddress(recipient))
      .map(({ tenant, recipient, kind, booking }) => ({
        tenant,
        kind: KIND,
        recipient,
        lane: KIND,
        payload: { kind, booking },
        dueAt: now,
      })),
    now,
  )

/** Sends emails on bookings, one at a time; failed ones are given up after about a day. */
export const createBookingMailSender = ({
  db,
  clock,
  mail,
  config: { mailQuota },
}: {
  db: Db
  clock: Pick<Clock, 'now'>
  mail: Mail
  config: { mailQuota: MailQuota }
}): Sender<BookingMailPayload> => ({
  kind: KIND,
  policy: {
    leaseMs: 5 * MINUTE,
    firstDelayMs: 2 * MINUTE,
    maxDelayMs: 256 * MINUTE,
    maxAttempts: 10,
  },
  concurrency: { total: 1, perLane: 1 },
  async send({ id, tenant, recipient, payload: { kind, booking } }) {
    const now = clock.now()
    const { isColleague, language } = await readReader(db, tenant, recipient)
    // A colleague with many meetings gets many emails.
    const quota = isColleague ? { ...mailQuota, recipient: NO_LIMIT } : mailQuota
    if (!(await isWithinMailQuota(db, { tenant, to: recipient, now, quota }))) return { status: 'overQuota' }
    await mail.send({ ...composeMail(kind, recipient, booking, { language, now }), id })
    return { status: 'sent' }
  },
})

async function readReader(
  db: Db,
  tenant: string,
  address: string,
): Promise<{ isColleague: boolean; language: string | null }> {
  const [reader] = await db.query<{ isColleague: boolean; language: string | null }>(sql`
    select exists (select 1 from users u where u.tenant = ${tenant} and ${ADDRESS} = ${address}) as "isColleague",
      (select p.language from users u join personal_configs p using (cognito_id) where u.email = ${address}) as language`)
  return reader ?? { isColleague: false, language: null }
}
