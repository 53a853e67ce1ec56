import { Counter, type Registry } from 'prom-client'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { assertMailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import type {
  CompanyTransport,
  OutgoingMessage,
  DeliveryOutcome,
  NotificationTransport,
} from '../../domain/notifications/notification-transport.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { LIFE } from './lanes.ts'
import { MAIL, type NewMessage, writeMessages } from './compose.ts'
import type { MessageContent } from './digest.ts'
import { countUnread } from './calls.ts'
import { loadPeople, mayReceive, type Recipient } from './people.ts'
import { mailOf, messageOf } from './render.ts'

const MINUTE = 60_000
/** Lease of a claimed message, ms; longer than any transport timeout. */
const LEASE_MS = 45_000
/** Timeout after which an attempt counts as failed for now, ms. */
const SEND_TIMEOUT_MS = 30_000
const MOST_TRIES = 6
/** Maximum number of unread notifications that the icon shows. */
const MOST_UNREAD = 999
/** Delay before an email over the quota is retried, ms. */
const QUOTA_RETRY_MS = 10 * MINUTE
const later = (tries: number) => MINUTE * 2 ** tries
/** Dangers to life are retried sooner, and until they expire. */
const soon = (tries: number) => Math.min(5 * MINUTE, 10_000 * 2 ** (tries - 1))
const isLife = ({ lane }: Pick<NewMessage, 'lane'>): boolean => lane.startsWith(LIFE)

/** A message that this gateway has claimed. */
export interface ClaimedMessage extends Pick<
  NewMessage,
  'recipient' | 'way' | 'target' | 'lane' | 'topic' | 'until' | 'notificationIds'
> {
  messageId: number
  /** The same at each attempt. */
  id: string
  /** End of the lease; a different value in the row means that another gateway has claimed it. */
  dueAt: number
  tries: number
  tenant: string
  cognitoId: string | null
  /** Only for a channel. */
  language: OutgoingMessage['language'] | null
  timeZone: string | null
  /** Whether all its notifications have been read. */
  isRead: boolean
  content: MessageContent
}

/** Ports that sending needs in addition to the gateway's own. */
export interface SendPorts {
  push: NotificationTransport
  channels: CompanyTransport
  /** Creates a one-time token to acknowledge an alarm for a person; undefined if not supported. */
  acknowledgeToken?: ((tenant: string, alarmId: string, cognitoId: string) => string) | undefined
}

export type SendDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'metrics'>

/**
 * Claims due messages until the end of their lease, so that a gateway that stops in the meantime loses none.
 *
 * which    messages about danger to life, or the others
 * most     maximum number of messages
 * perLane  maximum number of further messages per lane
 */
export const claimMessages = (
  { db, clock }: Pick<SendDeps, 'db' | 'clock'>,
  {
    which,
    most,
    perLane,
    full,
    half,
  }: { which: 'life' | 'other'; most: number; perLane: number; full: string[]; half: string[] },
): Promise<ClaimedMessage[]> =>
  db.query<ClaimedMessage>(sql`
    with ranked as (
      select message_id, lane, due_at, row_number() over (partition by lane order by due_at, message_id) as place
      from messages where due_at <= ${clock.now()}::bigint and starts_with(lane, ${LIFE}::text) = ${which === 'life'}::boolean
        and lane <> all(${full}::text[])),
    taken as (
      select message_id from messages where message_id in (
        select message_id from ranked where place <= case when lane = any(${half}::text[]) then 1 else ${perLane}::int end
        order by due_at, message_id limit ${most}::int)
        -- Asked again of the row itself: another gateway may have taken it since the ranking read it.
        and due_at <= ${clock.now()}::bigint
      for update skip locked)
    update messages m set tries = m.tries + 1, due_at = ${clock.now() + LEASE_MS}::bigint
    from taken t, recipients r
    where m.message_id = t.message_id and r.recipient = m.recipient
    returning m.message_id as "messageId", m.id, m.recipient, m.way, m.target, m.lane, m.topic, m.until, m.tries, m.content,
      m.due_at as "dueAt", m.notification_ids as "notificationIds", r.tenant, r.cognito_id as "cognitoId", r.language,
      (select h.time_zone from homes h where h.tenant = r.tenant and h.home_id = m.content ->> 'homeId') as "timeZone",
      cardinality(m.notification_ids) > 0 and not exists (select from notifications n
        where n.notification_id = any(m.notification_ids) and n.read_at is null) as "isRead"`)

/** Sends one message and stores the outcome. */
export async function sendMessage(deps: SendDeps, ports: SendPorts, taken: ClaimedMessage): Promise<void> {
  const outcome = await attempt(deps, ports, taken)
  countOutcome(deps.metrics, taken.way, outcome.is)
  await note(deps, ports, taken, outcome)
}

type Attempt = DeliveryOutcome | { is: 'needless' } | { is: 'tooMany' }

async function attempt(deps: SendDeps, ports: SendPorts, taken: ClaimedMessage): Promise<Attempt> {
  const { way, content } = taken
  if (taken.isRead || taken.until <= deps.clock.now()) return { is: 'needless' }
  if (taken.cognitoId === null) return deliver(deps, ports.channels, taken, wordedFor(taken, ports))
  const person = (await loadPeople(deps.db, [taken.cognitoId])).get(taken.cognitoId)
  if (!person || !content.access.some((access) => mayReceive(person, access))) return { is: 'needless' }
  const readable = { ...taken, content: readableBy(person, content) }
  if (way === 'mail') return sendMail(deps, readable, person)
  if (!person.pushes) return { is: 'needless' }
  const unread = await countUnread(deps.db, person, MOST_UNREAD)
  return deliver(deps, ports.push, taken, wordedFor(readable, ports, { person, unread }))
}

/** Removes the most important notification of a digest if the person lost the right to some of its contents. */
const readableBy = (person: Recipient, content: MessageContent): MessageContent =>
  content.access.every((access) => mayReceive(person, access)) ? content : { ...content, worst: undefined }

/** Renders the message for its reader. */
function wordedFor(
  taken: ClaimedMessage,
  { acknowledgeToken }: SendPorts,
  reader?: { person: Recipient; unread: number },
): OutgoingMessage {
  const person = reader?.person
  const { content, tenant, topic, notificationIds } = taken
  const { canAcknowledge, alarmId } = content
  const token =
    person && canAcknowledge && alarmId !== null
      ? acknowledgeToken?.(tenant, alarmId, person.cognitoId)
      : undefined
  return messageOf(content, readerOf(taken, person), {
    id: taken.id,
    topic,
    notificationId: notificationIds.length === 1 ? (notificationIds[0] ?? null) : null,
    acknowledgeToken: token ?? null,
    unread: reader?.unread ?? null,
    ...(isLife(taken) && { isLifeSafety: true }),
  })
}

const readerOf = ({ language, timeZone }: ClaimedMessage, person?: Recipient) => ({
  language: person?.language ?? language ?? ('zh-TW' as const),
  timeZone: timeZone ?? DEFAULT_ZONE,
})

/** Sends a message by a transport, with a timeout. */
async function deliver(
  { clock, log }: SendDeps,
  way: Pick<NotificationTransport, 'send'>,
  { tenant, target, way: by }: ClaimedMessage,
  message: OutgoingMessage,
): Promise<DeliveryOutcome> {
  let cancel = () => {}
  const tooLate = new Promise<DeliveryOutcome>((resolve) => {
    cancel = clock.after(SEND_TIMEOUT_MS, () => resolve({ is: 'retry', after: null }))
  })
  try {
    return await Promise.race([way.send(tenant, target, message), tooLate])
  } catch (err) {
    log.warn({ err, way: by }, 'message not sent, will retry')
    return { is: 'retry', after: null }
  } finally {
    cancel()
  }
}

async function sendMail(deps: SendDeps, taken: ClaimedMessage, person: Recipient): Promise<Attempt> {
  const { db, clock, mail, config, log } = deps
  const { tenant } = taken
  // Colleagues are exempt from the limit per address.
  const quota = { ...config.mailQuota, recipient: NO_LIMIT }
  try {
    // Dangers to life neither wait for the quota nor use it.
    if (!isLife(taken))
      await db.transaction((tx) => assertMailQuota(tx, { tenant, to: person.email, now: clock.now(), quota }))
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'LIMIT_EXCEEDED') return { is: 'tooMany' }
    throw error
  }
  try {
    await mail.send(mailOf(person.email, taken.content, readerOf(taken, person), config.publicUrl, taken.id))
    return { is: 'sent' }
  } catch (err) {
    log.warn({ err, way: 'mail' }, 'message not sent, will retry')
    return { is: 'retry', after: null }
  }
}

/** Stores the outcome, unless another message has replaced the row in the meantime. */
async function note(
  deps: SendDeps,
  ports: SendPorts,
  taken: ClaimedMessage,
  outcome: Attempt,
): Promise<void> {
  const { db, clock, log } = deps
  const mine = sql`message_id = ${taken.messageId}::bigint and due_at = ${taken.dueAt}::bigint`
  const remove = (tx: Db) => tx.query(sql`delete from messages where ${mine} returning 1 as one`)
  if (outcome.is === 'sent' || outcome.is === 'needless') return void (await remove(db))
  if (outcome.is === 'tooMany') {
    await db.query(
      sql`update messages set due_at = ${clock.now() + QUOTA_RETRY_MS}::bigint, tries = tries - 1 where ${mine}`,
    )
    return
  }
  const pause = isLife(taken) ? soon : later
  const next = clock.now() + (outcome.is === 'retry' ? (outcome.after ?? pause(taken.tries)) : 0)
  if (outcome.is === 'retry' && (isLife(taken) || taken.tries < MOST_TRIES) && next < taken.until) {
    await db.query(sql`update messages set due_at = ${next}::bigint where ${mine}`)
    return
  }
  if (outcome.is !== 'gone') log.warn({ way: taken.way, outcome: outcome.is }, 'message not sent, gave up')
  await db.transaction(async (tx) => {
    const removed = await remove(tx)
    if (removed.length > 0 && taken.way === 'push') await mailInstead(tx, ports, taken, clock.now())
  })
}

/** Queues an email if the person's last browser can no longer be reached and they want emails of that category. */
async function mailInstead(tx: Db, { push }: SendPorts, taken: ClaimedMessage, now: number): Promise<void> {
  const { cognitoId, tenant, recipient, topic, content } = taken
  // Dangers to life were mailed immediately.
  if (cognitoId === null || isLife(taken)) return
  const person = (await loadPeople(tx, [cognitoId])).get(cognitoId)
  if (!person?.settings.Categories[content.category].Mail) return
  const others = await push.targetsOf(tx, tenant, [cognitoId])
  if (others.some(({ target }) => target !== taken.target)) return
  const { until, notificationIds } = taken
  await writeMessages(tx, [
    {
      recipient,
      way: 'mail',
      target: cognitoId,
      lane: MAIL,
      topic,
      dueAt: now,
      until,
      notificationIds,
      content,
    },
  ])
}

/** Counter of all messages of a gateway. */
function countOutcome(metrics: Registry, way: string, outcome: string): void {
  const counter =
    (metrics.getSingleMetric('messages_total') as Counter | undefined) ??
    new Counter({
      name: 'messages_total',
      help: 'Messages to people and channels, by way and by what came of them',
      labelNames: ['way', 'outcome'],
      registers: [metrics],
    })
  counter.inc({ way, outcome })
}
