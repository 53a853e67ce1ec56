import { Counter, type Registry } from 'prom-client'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import type { RetryPolicy, Sender, SendResult } from '../../deliveries/worker.ts'
import type { Delivery } from '../../deliveries/store.ts'
import { isWithinMailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import type {
  CompanyTransport,
  OutgoingMessage,
  DeliveryOutcome,
  NotificationTransport,
} from '../../domain/notifications/notification-transport.ts'
import type { Deps } from '../deps.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { MessageContent } from './digest.ts'
import { enqueueMessages, MAIL_LANE, type MessageKind, type MessagePayload } from './enqueue-messages.ts'
import { countUnread } from './calls.ts'
import { loadPeople, mayReceive, type Recipient } from './recipients.ts'
import { mailOf, messageOf } from './render.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Timeout after which an attempt counts as failed for now, ms. */
const SEND_TIMEOUT_MS = 30 * SECOND
/** Lease of a claimed message, ms; longer than any transport timeout. */
const LEASE_MS = 45 * SECOND
/** Maximum number of unread notifications that the icon shows. */
const MAX_UNREAD_SHOWN = 999

/** Dangers to life are retried sooner, and until they expire. */
const POLICIES: Record<MessageKind, RetryPolicy> = {
  notification: { leaseMs: LEASE_MS, firstDelayMs: 2 * MINUTE, maxDelayMs: HOUR, maxAttempts: 6 },
  'life-safety': { leaseMs: LEASE_MS, firstDelayMs: 10 * SECOND, maxDelayMs: 5 * MINUTE },
}
/** Maximum number of concurrent messages of a kind, in total and per lane. */
const CONCURRENCY = { total: 8, perLane: 2 }

/** Ports that sending needs in addition to the gateway's own. */
export interface SendPorts {
  push: NotificationTransport
  channels: CompanyTransport
  /** Creates a one-time token to acknowledge an alarm for a person; undefined if not supported. */
  acknowledgeToken?: ((tenant: string, alarmId: string, cognitoId: string) => string) | undefined
}

export type SendDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'metrics'>

/** Sends notifications by push, email and channels. */
export const createNotificationSender = (
  deps: SendDeps,
  ports: SendPorts,
  kind: MessageKind,
): Sender<MessagePayload> => ({
  kind,
  policy: POLICIES[kind],
  concurrency: CONCURRENCY,
  async send(delivery) {
    const { way } = delivery.payload
    try {
      const result = await attempt({ deps, ports, kind }, delivery)
      countResult(deps.metrics, way, result.status)
      return result
    } catch (error) {
      countResult(deps.metrics, way, 'retry')
      throw error
    }
  },
  async onFailed(tx, delivery) {
    // Dangers to life were mailed immediately.
    if (kind === 'notification' && delivery.payload.way === 'push')
      await mailInstead(tx, ports, delivery, deps.clock.now())
  },
  logFields: ({ payload: { way } }) => ({ way }),
})

type Message = Delivery<MessagePayload>

/** Dependencies of an attempt. */
interface SendContext {
  deps: SendDeps
  ports: SendPorts
  kind: MessageKind
}

/** Current state of a message's recipient. */
interface RecipientState {
  /** Language of a channel; null for a person. */
  language: OutgoingMessage['language'] | null
  /** Time zone of the home, if the message is about one. */
  timeZone: string | null
  /** Whether all notifications of the message have been read. */
  isRead: boolean
}

async function attempt(context: SendContext, message: Message): Promise<SendResult> {
  const { deps, ports } = context
  const { way, cognitoId, content } = message.payload
  if (message.expiresAt !== null && message.expiresAt <= deps.clock.now()) return { status: 'skipped' }
  const state = await readState(deps.db, message)
  if (state.isRead) return { status: 'skipped' }
  if (cognitoId === null)
    return sendBy(deps, ports.channels, message, render(context, message, content, state))
  const person = (await loadPeople(deps.db, [cognitoId])).get(cognitoId)
  if (!person || !content.access.some((access) => mayReceive(person, access))) return { status: 'skipped' }
  const readable = readableBy(person, content)
  if (way === 'mail') return sendMail(context, message, readable, { person, state })
  if (!person.pushes) return { status: 'skipped' }
  const unread = await countUnread(deps.db, person, MAX_UNREAD_SHOWN)
  return sendBy(deps, ports.push, message, render(context, message, readable, state, { person, unread }))
}

async function readState(
  db: Db,
  { tenant, recipient, payload: { content, notificationIds } }: Message,
): Promise<RecipientState> {
  const [state] = await db.query<RecipientState>(sql`
    select (select language from recipients where recipient = ${recipient}) as language,
      (select time_zone from homes where tenant = ${tenant} and home_id = ${content.homeId}::text) as "timeZone",
      cardinality(${notificationIds}::uuid[]) > 0 and not exists (select from notifications
        where notification_id = any(${notificationIds}::uuid[]) and read_at is null) as "isRead"`)
  return state as RecipientState
}

/** Removes the most important notification of a digest if the person lost the right to some of its contents. */
const readableBy = (person: Recipient, content: MessageContent): MessageContent =>
  content.access.every((access) => mayReceive(person, access)) ? content : { ...content, worst: undefined }

/** Renders a push or channel message for its reader. */
function render(
  { ports: { acknowledgeToken }, kind }: SendContext,
  { id, tenant, topic, payload: { notificationIds } }: Message,
  content: MessageContent,
  state: RecipientState,
  reader?: { person: Recipient; unread: number },
): OutgoingMessage {
  const { canAcknowledge, alarmId } = content
  const token =
    reader && canAcknowledge && alarmId !== null
      ? acknowledgeToken?.(tenant, alarmId, reader.person.cognitoId)
      : undefined
  return messageOf(content, readerOf(state, reader?.person), {
    id,
    topic,
    notificationId: notificationIds.length === 1 ? (notificationIds[0] ?? null) : null,
    acknowledgeToken: token ?? null,
    unread: reader?.unread ?? null,
    ...(kind === 'life-safety' && { isLifeSafety: true }),
  })
}

const readerOf = ({ language, timeZone }: RecipientState, person?: Recipient) => ({
  language: person?.language ?? language ?? ('zh-TW' as const),
  timeZone: timeZone ?? DEFAULT_ZONE,
})

/** Sends a message by a transport, with a timeout. */
async function sendBy(
  { clock }: SendDeps,
  transport: Pick<NotificationTransport, 'send'>,
  { tenant, payload: { target } }: Message,
  message: OutgoingMessage,
): Promise<DeliveryOutcome> {
  let cancel = () => {}
  const timeout = new Promise<DeliveryOutcome>((resolve) => {
    cancel = clock.after(SEND_TIMEOUT_MS, () => resolve({ status: 'retry', after: null }))
  })
  try {
    return await Promise.race([transport.send(tenant, target, message), timeout])
  } finally {
    cancel()
  }
}

async function sendMail(
  { deps: { db, clock, mail, config }, kind }: SendContext,
  { id, tenant }: Message,
  content: MessageContent,
  { person, state }: { person: Recipient; state: RecipientState },
): Promise<SendResult> {
  // Colleagues are exempt from the limit per address.
  const quota = { ...config.mailQuota, recipient: NO_LIMIT }
  // Dangers to life neither wait for the quota nor use it.
  if (
    kind !== 'life-safety' &&
    !(await isWithinMailQuota(db, { tenant, to: person.email, now: clock.now(), quota }))
  )
    return { status: 'overQuota' }
  await mail.send(mailOf(person.email, content, readerOf(state, person), config.publicUrl, id))
  return { status: 'sent' }
}

/** Enqueues an email if the person's last browser can no longer be reached and they want emails of that category. */
async function mailInstead(
  tx: Db,
  { push }: SendPorts,
  { tenant, recipient, topic, expiresAt, payload }: Message,
  now: number,
): Promise<void> {
  const { cognitoId, target, content } = payload
  if (cognitoId === null || topic === null || expiresAt === null) return
  const person = (await loadPeople(tx, [cognitoId])).get(cognitoId)
  if (!person?.settings.Categories[content.category].Mail) return
  const browsers = await push.readTargets(tx, tenant, [cognitoId])
  if (browsers.some((browser) => browser.target !== target)) return
  await enqueueMessages(
    tx,
    [
      {
        tenant,
        kind: 'notification',
        recipient,
        topic,
        lane: MAIL_LANE,
        dueAt: now,
        expiresAt,
        payload: { ...payload, way: 'mail', target: cognitoId },
      },
    ],
    now,
  )
}

/** Values of the label `outcome` that are named differently than the result. */
const LABELS: Partial<Record<SendResult['status'], string>> = { skipped: 'needless', overQuota: 'tooMany' }

/** Counts an attempt in the metric of all messages of a gateway. */
function countResult(metrics: Registry, way: string, status: SendResult['status']): void {
  const counter =
    (metrics.getSingleMetric('messages_total') as Counter | undefined) ??
    new Counter({
      name: 'messages_total',
      help: 'Messages to people and channels, by way and by what came of them',
      labelNames: ['way', 'outcome'],
      registers: [metrics],
    })
  counter.inc({ way, outcome: LABELS[status] ?? status })
}
