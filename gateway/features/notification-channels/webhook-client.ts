import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { GatewayError } from '../../kernel/errors.ts'
import { AddressRefused, createSafeRequest } from '../../lib/guarded-request.ts'
import { parseJson } from '../../../contract/kernel/parse-json.ts'
import type { ChannelKind } from '../../../contract/notifications/notification-channel.ts'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'
import type { ChannelSecret } from './store.ts'

/** Timeout of a request, ms. */
const REQUEST_TIMEOUT_MS = 5_000
/** Maximum time to read the body of a response after its status, ms. */
const BODY_TIMEOUT_MS = 1_000
/** Maximum length of a response that is read: enough for the reason of a rejection. */
const MAX_READ = 4_096

/** A response, with the first characters of its body. */
export interface WebhookResponse {
  status: number
  retryAfter: string | undefined
  text: string
}

/** Error for a request without a response, with the reason. */
export class WebhookTimeout extends Error {
  readonly reason: 'forbiddenAddress' | 'unreachable'

  constructor(reason: WebhookTimeout['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** HTTP client for addresses that companies enter. */
export type WebhookClient = ReturnType<typeof createWebhookClient>

/**
 * Reads the start of a response's body, as much as arrives in time. The status has been received before, so a slow or broken body is no
 * failure.
 */
async function readText(answer: IncomingMessage, withinMs: number): Promise<string> {
  let text = ''
  const timer = setTimeout(() => answer.destroy(), withinMs)
  try {
    for await (const chunk of answer) {
      text += (chunk as Buffer).toString()
      if (text.length >= MAX_READ) break
    }
  } catch {
    return text
  } finally {
    clearTimeout(timer)
    answer.destroy()
  }
  return text
}

/**
 * Creates the client.
 *
 * isAllowed     whether the gateway may connect to an IP address
 * bodyWithinMs  time for reading the body of a response, ms
 */
export function createWebhookClient(isAllowed: (address: string) => boolean, bodyWithinMs = BODY_TIMEOUT_MS) {
  const request = createSafeRequest(isAllowed)
  return {
    /**
     * Rejects an address that resolves to the internal network now; every message checks again. A host that cannot be resolved now is
     * accepted.
     *
     * errors  INVALID with `{ Address: 'address' }`
     */
    async assertAddressAllowed(address: string): Promise<void> {
      const { hostname, username, password } = new URL(address)
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      const found = isIP(host)
        ? [{ address: host }]
        : await lookup(host, { all: true }).catch(() => [] as { address: string }[])
      const leadsInside = found.length > 0 && found.every((one) => !isAllowed(one.address))
      if (leadsInside || username || password)
        throw new GatewayError('INVALID', 'The address cannot be used', { Address: 'address' })
    },

    /** Sends JSON, or a GET without a body. Redirects are not followed. Errors: WebhookTimeout. */
    async send(
      address: string,
      { headers = {}, body }: { headers?: Record<string, string>; body?: string },
    ): Promise<WebhookResponse> {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      try {
        const answer = await request(new URL(address), {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...headers,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }),
          },
          signal,
          ...(body !== undefined && { body }),
        })
        const text = await readText(answer, bodyWithinMs)
        return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], text }
      } catch (error) {
        throw new WebhookTimeout(error instanceof AddressRefused ? 'forbiddenAddress' : 'unreachable')
      }
    },
  }
}

/** A message with the full address of its page; null if the gateway's own address is unknown. */
export type ChannelMessage = Pick<
  OutgoingMessage,
  'id' | 'title' | 'body' | 'severity' | 'category' | 'homeId' | 'alarmId' | 'at' | 'isLifeSafety'
> & {
  url: string | null
}

/** Adapter for a kind of channel: sends messages and computes their cost in the budget. */
export interface Adapter {
  send(client: WebhookClient, secret: ChannelSecret, message: ChannelMessage): Promise<WebhookResponse>
  readCost?(client: WebhookClient, secret: ChannelSecret): Promise<number>
  /** Whether a response means that an earlier attempt has delivered the message. */
  isAccepted?(answer: WebhookResponse): boolean
  /** Whether a response means that the monthly quota is used up. */
  isQuotaExhausted?(answer: WebhookResponse): boolean
}

const Members = z.object({ count: z.number().int().min(1) })

const textOf = ({ title, body, url }: ChannelMessage): string => [title, body, url].filter(Boolean).join('\n')

/**
 * LINE Messaging API. A push is billed per recipient: a group costs as much as it has members.
 *
 * base  https://api.line.me
 */
const line = (base: string): Adapter => {
  const headers = ({ Token }: ChannelSecret) => ({ authorization: `Bearer ${Token}` })
  return {
    send: (client, secret, message) =>
      client.send(`${base}/v2/bot/message/push`, {
        headers: { ...headers(secret), 'x-line-retry-key': message.id },
        body: JSON.stringify({
          to: secret.Target,
          messages: [{ type: 'text', text: textOf(message).slice(0, 5_000) }],
        }),
      }),
    async readCost(client, secret) {
      const { Target = '' } = secret
      const path = Target.startsWith('C') ? 'group' : Target.startsWith('R') ? 'room' : undefined
      if (!path) return 1
      const url = `${base}/v2/bot/${path}/${encodeURIComponent(Target)}/members/count`
      const { status, text } = await client.send(url, { headers: headers(secret) })
      const found = status === 200 ? Members.safeParse(parseJson(text)) : undefined
      return found?.success ? found.data.count : 1
    },
    // LINE returns this status for an accepted retry key for 24 hours.
    isAccepted: ({ status }) => status === 409,
    isQuotaExhausted: ({ status, text }) => status === 429 && text.includes('monthly limit'),
  }
}

const COLOURS = { critical: 'attention', warning: 'warning', info: 'default' } as const

/** Microsoft Teams: a workflow that posts an adaptive card when its webhook is called. */
const teams: Adapter = {
  send: (client, { Address = '' }, message) =>
    client.send(Address, {
      body: JSON.stringify({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [
                {
                  type: 'TextBlock',
                  text: escapeMarkdown(message.title),
                  weight: 'bolder',
                  wrap: true,
                  color: COLOURS[message.severity],
                },
                { type: 'TextBlock', text: escapeMarkdown(message.body), wrap: true },
              ],
              ...(message.url && {
                actions: [{ type: 'Action.OpenUrl', title: message.url, url: message.url }],
              }),
            },
          },
        ],
      }),
    }),
}

/** Text blocks of cards are Markdown, so users' text is escaped. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|>~]/g, '\\$&')

/** Generic webhook for JSON. The signature covers the body as sent, so that only the gateway can create it. */
const webhook: Adapter = {
  send(client, { Address = '', Token = '' }, { id, title, body: text, url, ...message }) {
    const body = JSON.stringify({
      Version: 1,
      ID: id,
      Title: title,
      Text: text,
      Url: url,
      ...rename(message),
    })
    const signature = createHmac('sha256', Token).update(body).digest('hex')
    return client.send(Address, { headers: { 'x-signature-256': `sha256=${signature}` }, body })
  },
}

const rename = ({
  severity,
  category,
  homeId,
  alarmId,
  at,
}: Omit<ChannelMessage, 'id' | 'title' | 'body' | 'url'>) => ({
  Severity: severity,
  Category: category,
  HomeID: homeId,
  AlarmID: alarmId,
  At: at,
})

export const createAdapters = (lineApi: string): Readonly<Record<ChannelKind, Adapter>> => ({
  line: line(lineApi),
  teams,
  webhook,
})
