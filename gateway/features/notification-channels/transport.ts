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
import type { Sealer } from '../../lib/sealer.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type Db, sql } from '../../store/db.ts'
import type { Adapter, ChannelMessage } from './adapters.ts'
import { type WebhookResponse, type WebhookClient, WebhookTimeout } from './webhook-client.ts'
import { releaseBudget, reserveBudget } from './budget.ts'
import { isOne, openSecret } from './store.ts'

export interface ChannelTransportDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  outside: WebhookClient
  adapters: Readonly<Record<ChannelKind, Adapter>>
  /** Where people open the dashboard, without a slash at the end; undefined where nobody has said. */
  publicUrl: string | undefined
  tell: Notify
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

/** Sends what a company is told through its channels. */
export function createChannelTransport(parts: ChannelTransportDeps): CompanyTransport {
  return {
    targetsFor: (tx, { tenant, category, severity, homeId, to: { channels = [] } }) =>
      tx.query(sql`
        select notification_channel_id as target, language from notification_channels
        where tenant = ${tenant} and enabled and (notification_channel_id = any(${[...channels]}::text[]) or categories @> ${JSON.stringify([category])}::jsonb
          and array_position(${[...NOTIFICATION_SEVERITIES]}::text[], least)
            >= array_position(${[...NOTIFICATION_SEVERITIES]}::text[], ${severity}::text)
          and (home_ids = '[]'::jsonb or home_ids @> ${JSON.stringify(homeId === null ? ['-'] : [homeId])}::jsonb))`),
    send: (tenant, target, message) => sendThrough(parts, tenant, target, message),
  }
}

/** Sends one message through one channel, and notes what came of it. */
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
  if (!row) return { is: 'gone' }
  const url = parts.publicUrl && message.path ? `${parts.publicUrl}${message.path}` : null
  const sent = await attempt(parts, row, tenant, id, { ...message, url })
  await note(parts, { tenant, id, messageId: message.id }, row, sent)
  return sent.outcome
}

interface Sent {
  outcome: DeliveryOutcome
  fault: Fault | null
}

const failed = (fault: Fault): Sent => ({ outcome: { is: 'failed', reason: fault }, fault })

async function attempt(
  { db, clock, sealer, outside, adapters }: ChannelTransportDeps,
  { kind, sealed, budget }: Row,
  tenant: string,
  id: string,
  message: ChannelMessage,
): Promise<Sent> {
  const adapter = adapters[kind]
  const secret = openSecret(sealer, tenant, id, sealed)
  try {
    const cost = budget === null ? 1 : ((await adapter.costOf?.(outside, secret)) ?? 1)
    const isReserved = await reserveBudget(
      db,
      { tenant, id, messageId: message.id, isLifeSafety: message.isLifeSafety },
      cost,
      clock.now(),
    )
    if (!isReserved) return failed('budget')
    const answer = await adapter.send(outside, secret, message)
    if (adapter.isUsedUp?.(answer)) return failed('budget')
    if (adapter.isTaken?.(answer)) return { outcome: { is: 'sent' }, fault: null }
    return outcomeOf(answer)
  } catch (error) {
    if (!(error instanceof WebhookTimeout)) throw error
    if (error.why === 'forbiddenAddress') return failed('forbiddenAddress')
    return { outcome: { is: 'retry', after: null }, fault: 'unreachable' }
  }
}

/** What an answer means: too many and faults of the other side are tried again, what it refuses is not. */
function outcomeOf({ status, retryAfter }: WebhookResponse): Sent {
  if (status >= 200 && status < 300) return { outcome: { is: 'sent' }, fault: null }
  if (status !== 408 && status !== 429 && status < 500) return failed('refused')
  const seconds = Number(retryAfter)
  const after = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
  return { outcome: { is: 'retry', after }, fault: 'unreachable' }
}

/** Notes what came of a message, and tells those who look after channels when one begins to fail. */
async function note(
  { db, clock, tell }: ChannelTransportDeps,
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
    // Of one that is tried again nobody knows whether it has arrived.
    if (outcome.is !== 'retry') await releaseBudget(tx, { tenant, id, messageId }, outcome.is === 'sent')
    if (changed.length === 0 || fault === null || fault === row.lastError) return
    await tell(tx, [
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
