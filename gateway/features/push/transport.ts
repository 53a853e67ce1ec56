import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type {
  OutgoingMessage,
  DeliveryOutcome,
  NotificationTransport,
} from '../../domain/notifications/notification-transport.ts'
import type { Sealer } from '../../lib/seal.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { PushKeys } from './keys.ts'
import { readInfo, recordOutcome, targetsOf } from './subscriptions.ts'

/** Maximum size of a payload in bytes: push services accept 4,096 for the encrypted message. */
const MAX_BYTES = 3_500
const MAX_TITLE_LENGTH = 100

/** Texts that the service worker displays, by language. */
const WORDS = {
  'zh-TW': {
    acknowledge: '標為已知悉',
    acknowledged: '此警報已標為已知悉',
    refused: '無法記錄：此警報已結束、已有人知悉，或您已無此權限',
    failed: '無法連線，尚未記錄。請開啟警報頁面',
  },
  'en-US': {
    acknowledge: 'Acknowledge',
    acknowledged: 'Noted: you know of this alarm',
    refused: 'Not noted: the alarm is over, somebody has acknowledged it, or you may no longer',
    failed: 'Not noted: the gateway cannot be reached. Please open the alarm page',
  },
} as const

/** Data for the service worker in addition to a notification's fields. */
interface WorkerData {
  acknowledge?: { token: string; apiKey: string; acknowledged: string; refused: string; failed: string }
}

/** Push topic of 32 characters that reveals nothing of the company's topic (RFC 8030, 5.4). */
const topicOf = (tenant: string, topic: string): string =>
  createHash('sha256').update(`${tenant}/${topic}`).digest('base64url').slice(0, 32)

/** Page for notifications without their own. */
const HISTORY = '/historyNotification'

interface ComposeOptions {
  tenant: string
  /** Address of the gateway for browsers, without a slash at the end; if undefined, payloads contain only the path. */
  publicUrl: string | undefined
  apiKey: string
}

/**
 * Payload of a message: a declarative push message (W3C Push API), which Safari displays itself and our worker in other browsers. Texts
 * that are too long are cut between two characters.
 */
export function composePayload(
  message: OutgoingMessage,
  { tenant, publicUrl = '', apiKey }: ComposeOptions,
): string {
  const { severity, language, acknowledgeToken, topic, notificationId, at } = message
  const path = message.path ?? HISTORY
  const words = WORDS[language]
  const data: WorkerData = {}
  if (acknowledgeToken !== null) {
    const { acknowledged, refused, failed } = words
    data.acknowledge = { token: acknowledgeToken, apiKey, acknowledged, refused, failed }
  }
  const write = (title: string, body: string) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title,
        body,
        lang: language,
        navigate: publicUrl + path,
        ...((topic ?? notificationId) && {
          tag: topicOf(tenant, topic ?? `notification:${notificationId}`),
          renotify: severity === 'critical',
        }),
        timestamp: at,
        requireInteraction: severity === 'critical',
        ...(acknowledgeToken !== null && {
          actions: [{ action: 'acknowledge', title: words.acknowledge, navigate: publicUrl + path }],
        }),
        data,
      },
      ...(message.unread !== null && { app_badge: message.unread }),
      mutable: true,
    })
  const title = truncate(message.title, MAX_TITLE_LENGTH)
  return cutToFit(message.body, (body) => write(title, body))
}

const segmenter = new Intl.Segmenter()
const charactersOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

function truncate(text: string, maxBytes: number): string {
  if (text.length <= maxBytes) return text
  return `${charactersOf(text.slice(0, maxBytes)).slice(0, -1).join('')}…`
}

/** Payload with as much of the body as fits. */
function cutToFit(body: string, write: (body: string) => string): string {
  const whole = write(body)
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole
  // Every character takes at least one byte.
  const characters = charactersOf(body.slice(0, MAX_BYTES))
  let [least, maxBytes] = [0, characters.length - 1]
  while (least < maxBytes) {
    const middle = Math.ceil((least + maxBytes) / 2)
    const fits = Buffer.byteLength(write(`${characters.slice(0, middle).join('')}…`)) <= MAX_BYTES
    if (fits) least = middle
    else maxBytes = middle - 1
  }
  return write(`${characters.slice(0, least).join('')}…`)
}

/** Response of a push service; status undefined if there was none. */
interface PushResponse {
  status: number | undefined
  /** Requested delay in ms; null if not stated. */
  retryAfter: number | null
}

interface PushRequest {
  endpoint: string
  headers: Record<string, string>
  body: Uint8Array
}

/** Maximum number of bytes read of a response, so that its connection can be reused; the content is ignored. */
const MAX_READ = 1_024

/** Sends one request without following redirects, with a timeout of `timeoutMs` ms. */
async function sendPush(
  { endpoint, headers, body }: PushRequest,
  { clock, within: timeoutMs }: { clock: Clock; within: number },
): Promise<PushResponse> {
  const ended = new AbortController()
  const stop = clock.after(timeoutMs, () => ended.abort())
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: ended.signal,
    })
    await drain(answer)
    return {
      status: answer.status,
      retryAfter: readRetryAfter(answer.headers.get('retry-after'), clock.now()),
    }
  } catch {
    return { status: undefined, retryAfter: null }
  } finally {
    stop()
  }
}

async function drain({ body }: Response): Promise<void> {
  if (!body) return
  const reader = body.getReader()
  let read = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      read += part.value.length
      if (read > MAX_READ) return await reader.cancel()
    }
  } catch {
    // The status is known already.
  }
}

/** Delay of a Retry-After header in ms: seconds, or a date (RFC 9110, 10.2.3). */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d+$/.test(text.trim())) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

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
  readTargets: (tx, tenant, people) =>
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
    timeoutMs = WITHIN,
  }: { tenant: string; target: string; message: OutgoingMessage; timeoutMs?: number },
): Promise<DeliveryOutcome> {
  const { db, clock, log } = state.deps
  const askedAt = clock.now()
  const info = await readInfo(db, { tenant, target, sealer: state.sealer })
  if (!info) {
    await recordOutcome(db, { tenant, target, status: 'gone', askedAt, now: askedAt })
    return { status: 'gone' }
  }
  const answered = await sendPush(await encrypt(state, { tenant, info, message }), {
    clock,
    within: timeoutMs,
  })
  const outcome = outcomeOf(answered)
  const outcomeStatus =
    outcome.status === 'failed' && REFUSED.includes(answered.status ?? 0) ? 'refused' : outcome.status
  if (outcomeStatus === 'refused')
    log.warn({ subscriptionId: target, status: answered.status }, 'push service refuses the gateway')
  if (outcomeStatus === 'sent' || outcomeStatus === 'gone' || outcomeStatus === 'refused')
    // The message is sent, even if recording fails.
    await recordOutcome(db, { tenant, target, status: outcomeStatus, askedAt, now: clock.now() }).catch(
      (err: unknown) => log.warn({ err, subscriptionId: target }, 'push result not stored'),
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
  const { 'Content-Length': _, ...sentHeaders } = headers as Record<string, string | number>
  return {
    endpoint,
    headers: Object.fromEntries(Object.entries(sentHeaders).map(([name, value]) => [name, String(value)])),
    body: body as Buffer,
  }
}

function outcomeOf({ status, retryAfter }: PushResponse): DeliveryOutcome {
  if (status === undefined) return { status: 'retry', after: null }
  if (status >= 200 && status < 300) return { status: 'sent' }
  if (status === 404 || status === 410) return { status: 'gone' }
  if (status === 429 || status >= 500) return { status: 'retry', after: retryAfter }
  return { status: 'failed', reason: `HTTP ${status}` }
}
