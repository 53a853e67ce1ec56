import { right } from '../../../contract/kernel/permissions.ts'
import type {
  ChannelKind,
  NotificationChannel,
} from '../../../contract/notifications/notification-channel.ts'
import { NOTIFICATION_SEVERITIES } from '../../../contract/notifications/settings.ts'
import type {
  CompanyTransport,
  OutgoingMessage,
  DeliveryOutcome,
  Notify,
} from '../../domain/notifications/notification-transport.ts'
import type { Sealer } from '../../lib/seal.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import {
  type Adapter,
  type ChannelMessage,
  type WebhookResponse,
  type WebhookClient,
  WebhookTimeout,
} from './webhook-client.ts'
import { isOne, openSecret, monthOf } from './store.ts'

interface Sending {
  tenant: string
  id: string
  messageId: string
  /** Whether the message is about danger to life: it is counted, but never suppressed. */
  isLifeSafety?: boolean | undefined
}

/**
 * Reserves the cost of a message before it is sent, so that concurrent messages do not exceed the budget. A retry is counted once; a
 * message with an unknown outcome stays counted.
 *
 * returns  false if too little is left, unless the message is about danger to life
 */
const reserveBudget = (
  db: Db,
  { tenant, id, messageId, isLifeSafety = false }: Sending,
  cost: number,
  now: number,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const month = monthOf(now)
    const [channel] = await tx.query<{ budget: number | null; sent: number; isReserved: boolean }>(sql`
      select monthly_budget as budget, case when month = ${month} then sent else 0 end as sent,
        exists (select from channel_reservations where ${isOne(tenant, id)} and message_id = ${messageId}::uuid) as "isReserved"
      from notification_channels where ${isOne(tenant, id)} for update`)
    if (!channel || channel.isReserved) return true
    if (!isLifeSafety && channel.budget !== null && channel.sent + cost > channel.budget) return false
    await tx.query(sql`update notification_channels set sent = ${channel.sent + cost}::int, month = ${month}
      where ${isOne(tenant, id)}`)
    await tx.query(sql`delete from channel_reservations where ${isOne(tenant, id)} and month <> ${month}`)
    await tx.query(sql`
      insert into channel_reservations (tenant, notification_channel_id, message_id, cost, month)
      values (${tenant}, ${id}, ${messageId}::uuid, ${cost}::int, ${month})`)
    return true
  })

/** Releases the reserved cost; the cost of an unsent message is returned to the month in which it was reserved. */
async function releaseBudget(tx: Db, { tenant, id, messageId }: Sending, isSent: boolean): Promise<void> {
  await tx.query(sql`
    with released as (
      delete from channel_reservations where ${isOne(tenant, id)} and message_id = ${messageId}::uuid returning cost, month)
    update notification_channels c set sent = c.sent - r.cost from released r
    where c.tenant = ${tenant} and c.notification_channel_id = ${id} and c.month = r.month and not ${isSent}::boolean`)
}

export interface ChannelTransportDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  client: WebhookClient
  adapters: Readonly<Record<ChannelKind, Adapter>>
  /** Address of the dashboard, without a slash at the end; undefined if not configured. */
  publicUrl: string | undefined
  notify: Notify
}

type Fault = NonNullable<NotificationChannel['LastError']>

interface Row {
  kind: ChannelKind
  name: string
  sealed: string
  enabled: boolean
  budget: number | null
  lastError: Fault | null
}

export function createChannelTransport(parts: ChannelTransportDeps): CompanyTransport {
  return {
    readSubscribedTargets: (tx, { tenant, category, severity, homeId, to: { channels = [] } }) =>
      tx.query(sql`
        select notification_channel_id as target, language from notification_channels
        where tenant = ${tenant} and enabled and (notification_channel_id = any(${[...channels]}::text[]) or categories @> ${JSON.stringify([category])}::jsonb
          and array_position(${[...NOTIFICATION_SEVERITIES]}::text[], least)
            >= array_position(${[...NOTIFICATION_SEVERITIES]}::text[], ${severity}::text)
          and (home_ids = '[]'::jsonb or home_ids @> ${JSON.stringify(homeId === null ? ['-'] : [homeId])}::jsonb))`),
    send: (tenant, target, message) => sendThrough(parts, tenant, target, message),
  }
}

/** Sends one message through one channel, and records the outcome. */
export async function sendThrough(
  parts: ChannelTransportDeps,
  tenant: string,
  id: string,
  message: Pick<
    OutgoingMessage,
    'id' | 'title' | 'body' | 'severity' | 'category' | 'homeId' | 'alarmId' | 'at' | 'path' | 'isLifeSafety'
  >,
): Promise<DeliveryOutcome> {
  const [row] = await parts.db.query<Row>(sql`
    select kind, channel_name as name, secret as sealed, enabled, monthly_budget as budget, last_error as "lastError"
    from notification_channels where ${isOne(tenant, id)}`)
  if (!row) return { status: 'gone' }
  const url = parts.publicUrl && message.path ? `${parts.publicUrl}${message.path}` : null
  const sent = await attempt(parts, row, tenant, id, { ...message, url })
  await note(parts, { tenant, id, messageId: message.id }, row, sent)
  return sent.outcome
}

interface Sent {
  outcome: DeliveryOutcome
  fault: Fault | null
}

const failed = (fault: Fault): Sent => ({ outcome: { status: 'failed', reason: fault }, fault })

async function attempt(
  { db, clock, sealer, client, adapters }: ChannelTransportDeps,
  { kind, sealed, budget }: Row,
  tenant: string,
  id: string,
  message: ChannelMessage,
): Promise<Sent> {
  const adapter = adapters[kind]
  const secret = openSecret(sealer, tenant, id, sealed)
  try {
    const cost = budget === null ? 1 : ((await adapter.readCost?.(client, secret)) ?? 1)
    const isReserved = await reserveBudget(
      db,
      { tenant, id, messageId: message.id, isLifeSafety: message.isLifeSafety },
      cost,
      clock.now(),
    )
    if (!isReserved) return failed('budget')
    const answer = await adapter.send(client, secret, message)
    if (adapter.isQuotaExhausted?.(answer)) return failed('budget')
    if (adapter.isAccepted?.(answer)) return { outcome: { status: 'sent' }, fault: null }
    return outcomeOf(answer)
  } catch (error) {
    if (!(error instanceof WebhookTimeout)) throw error
    if (error.reason === 'forbiddenAddress') return failed('forbiddenAddress')
    return { outcome: { status: 'retry', after: null }, fault: 'unreachable' }
  }
}

/** Outcome of a response: rate limits and server errors are retried, other rejections are not. */
function outcomeOf({ status, retryAfter }: WebhookResponse): Sent {
  if (status >= 200 && status < 300) return { outcome: { status: 'sent' }, fault: null }
  if (status !== 408 && status !== 429 && status < 500) return failed('refused')
  const seconds = Number(retryAfter)
  const after = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
  return { outcome: { status: 'retry', after }, fault: 'unreachable' }
}

/** Records the outcome of a message, and notifies the people responsible for channels when one begins to fail. */
async function note(
  { db, clock, notify }: ChannelTransportDeps,
  { tenant, id, messageId }: { tenant: string; id: string; messageId: string },
  row: Row,
  { outcome, fault }: Sent,
) {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const changed = await tx.query(sql`
      update notification_channels set last_error = ${fault},
        last_sent_at = case when ${fault === null} then ${now}::bigint else last_sent_at end
      where ${isOne(tenant, id)} returning 1 as one`)
    // Before a retry it is unknown whether the message has arrived.
    if (outcome.status !== 'retry')
      await releaseBudget(tx, { tenant, id, messageId }, outcome.status === 'sent')
    if (changed.length === 0 || fault === null || fault === row.lastError) return
    await notify(tx, [
      {
        tenant,
        homeId: null,
        category: 'system',
        severity: 'warning',
        kind: 'channelFailed',
        alarmId: null,
        values: { subject: row.name, reason: fault },
        path: '/NotificationChannels',
        to: { access: right('company', 'Update') },
        topic: `channel:${id}`,
        at: now,
      },
    ])
  })
}
