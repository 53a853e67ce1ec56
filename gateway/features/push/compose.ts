import { createHash } from 'node:crypto'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'

/** Maximum size of a payload in bytes: push services accept 4,096 for the encrypted message. */
export const MOST_BYTES = 3_500
const LONGEST_TITLE = 100

/** Texts that the service worker displays, by language. */
const WORDS = {
  'zh-TW': {
    acknowledge: '已知悉',
    acknowledged: '已記錄：您已知悉此警報',
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
export const topicOf = (tenant: string, topic: string): string =>
  createHash('sha256').update(`${tenant}/${topic}`).digest('base64url').slice(0, 32)

/** Page for notifications without their own. */
const HISTORY = '/historyNotification'

export interface ComposeOptions {
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
  const title = cut(message.title, LONGEST_TITLE)
  return cutToFit(message.body, (body) => write(title, body))
}

const segmenter = new Intl.Segmenter()
const charactersOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${charactersOf(text.slice(0, most)).slice(0, -1).join('')}…`
}

/** Payload with as much of the body as fits. */
function cutToFit(body: string, write: (body: string) => string): string {
  const whole = write(body)
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole
  // Every character takes at least one byte.
  const characters = charactersOf(body.slice(0, MOST_BYTES))
  let [least, most] = [0, characters.length - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    const fits = Buffer.byteLength(write(`${characters.slice(0, middle).join('')}…`)) <= MOST_BYTES
    if (fits) least = middle
    else most = middle - 1
  }
  return write(`${characters.slice(0, least).join('')}…`)
}
