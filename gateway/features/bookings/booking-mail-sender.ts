import { enqueue } from '../../deliveries/store.ts'
import type { Sender } from '../../deliveries/worker.ts'
import { isErasedAddress } from '../../domain/person-data/replace.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { Clock, Mail } from '../../kernel/ports.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { isWithinMailQuota, type MailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import { composeMail } from './compose-mail.ts'
import type { MailedBooking, MailKind } from './mail.ts'

const KIND = 'booking'
const MINUTE = 60_000

/** Payload of a delivery, as of the time at which it was enqueued. */
export interface BookingMailPayload {
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
    if (!(await isWithinMailQuota(db, { tenant, to: recipient, now, quota }))) return { is: 'overQuota' }
    await mail.send({ ...composeMail(kind, recipient, booking, { language, now }), id })
    return { is: 'sent' }
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
