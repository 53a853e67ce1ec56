import type { Deps } from '../deps.ts'
import type {
  OutgoingMessage,
  DeliveryOutcome,
  NotificationTransport,
} from '../../domain/notifications/notification-transport.ts'
import type { Sealer } from '../../lib/sealer.ts'
import { type PushResponse, sendPush, type PushRequest } from './deliver.ts'
import { composePayload, topicOf } from './compose.ts'
import type { PushKeys } from './keys.ts'
import { infoOf, recordOutcome, targetsOf } from './subscriptions.ts'

const HOUR = 3_600
/** Time for which a push service stores a message for an offline browser, seconds. */
const KEPT = { critical: 24 * HOUR, others: 4 * HOUR }
const WITHIN = 10_000
/** Statuses that reject the gateway itself: its keys, its subject or its request. */
const REFUSED: readonly number[] = [400, 401, 403]

export interface PushState {
  deps: Deps
  sealer: Sealer
  keys: () => Promise<PushKeys>
  /** Contact for push services: a mail address or a page. */
  subject: string
}

/** Notification transport by push; targets are browsers, by SubscriptionID. */
export const createPushTransport = (state: PushState): NotificationTransport => ({
  targetsOf: (tx, tenant, people) =>
    people.length > 0 ? targetsOf(tx, { tenant, people, now: state.deps.clock.now() }) : Promise.resolve([]),
  send: (tenant, target, message) => sendThroughPush(state, { tenant, target, message }),
})

/** Sends a message to one browser and records the response. Errors: UNAVAILABLE if the database is unavailable before sending. */
export async function sendThroughPush(
  state: PushState,
  {
    tenant,
    target,
    message,
    within = WITHIN,
  }: { tenant: string; target: string; message: OutgoingMessage; within?: number },
): Promise<DeliveryOutcome> {
  const { db, clock, log } = state.deps
  const asked = clock.now()
  const info = await infoOf(db, { tenant, target, sealer: state.sealer })
  if (!info) {
    await recordOutcome(db, { tenant, target, is: 'gone', asked, now: asked })
    return { is: 'gone' }
  }
  const answered = await sendPush(await encrypt(state, { tenant, info, message }), { clock, within })
  const outcome = outcomeOf(answered)
  const is = outcome.is === 'failed' && REFUSED.includes(answered.status ?? 0) ? 'refused' : outcome.is
  if (is === 'refused')
    log.warn({ subscriptionId: target, status: answered.status }, 'push service refuses the gateway')
  if (is === 'sent' || is === 'gone' || is === 'refused')
    // The message is sent, even if recording fails.
    await recordOutcome(db, { tenant, target, is, asked, now: clock.now() }).catch((err: unknown) =>
      log.warn({ err, subscriptionId: target }, 'push result not stored'),
    )
  return outcome
}

async function encrypt(
  { deps: { config }, keys, subject }: PushState,
  {
    tenant,
    info,
    message,
  }: {
    tenant: string
    info: { endpoint: string; keys: { p256dh: string; auth: string } }
    message: OutgoingMessage
  },
): Promise<PushRequest> {
  const [{ default: webPush }, pair] = await Promise.all([import('web-push'), keys()])
  const isCritical = message.severity === 'critical'
  const payload = composePayload(message, { tenant, publicUrl: config.publicUrl, apiKey: config.apiKey })
  const { endpoint, headers, body } = webPush.generateRequestDetails(info, payload, {
    vapidDetails: { subject, ...pair },
    TTL: isCritical ? KEPT.critical : KEPT.others,
    urgency: isCritical ? 'high' : 'normal',
    ...(message.topic !== null && { topic: topicOf(tenant, message.topic) }),
  })
  // Set by fetch itself.
  const { 'Content-Length': _, ...said } = headers as Record<string, string | number>
  return {
    endpoint,
    headers: Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)])),
    body: body as Buffer,
  }
}

function outcomeOf({ status, retryAfter }: PushResponse): DeliveryOutcome {
  if (status === undefined) return { is: 'retry', after: null }
  if (status >= 200 && status < 300) return { is: 'sent' }
  if (status === 404 || status === 410) return { is: 'gone' }
  if (status === 429 || status >= 500) return { is: 'retry', after: retryAfter }
  return { is: 'failed', reason: `HTTP ${status}` }
}
