import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../contract/kernel/parse-json.ts'
import type { ChannelKind } from '../../../contract/notifications/notification-channel.ts'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'
import type { ChannelSecret } from './store.ts'
import type { WebhookResponse, WebhookClient } from './webhook-client.ts'

/** A message with the full address of its page; null if the gateway's own address is unknown. */
export type ChannelMessage = Pick<
  OutgoingMessage,
  'id' | 'title' | 'body' | 'severity' | 'category' | 'homeId' | 'alarmId' | 'at' | 'isLifeSafety'
> & {
  url: string | null
}

/** Adapter for a kind of channel: sends messages and computes their cost in the budget. */
export interface Adapter {
  send(outside: WebhookClient, secret: ChannelSecret, message: ChannelMessage): Promise<WebhookResponse>
  costOf?(outside: WebhookClient, secret: ChannelSecret): Promise<number>
  /** Whether a response means that an earlier attempt has delivered the message. */
  isTaken?(answer: WebhookResponse): boolean
  /** Whether a response means that the monthly quota is used up. */
  isUsedUp?(answer: WebhookResponse): boolean
}

const Members = z.object({ count: z.number().int().min(1) })

const textOf = ({ title, body, url }: ChannelMessage): string => [title, body, url].filter(Boolean).join('\n')

/**
 * LINE Messaging API. A push is billed per recipient: a group costs as much as it has members.
 *
 * base  https://api.line.me
 */
export const line = (base: string): Adapter => {
  const headers = ({ Token }: ChannelSecret) => ({ authorization: `Bearer ${Token}` })
  return {
    send: (outside, secret, message) =>
      outside.send(`${base}/v2/bot/message/push`, {
        headers: { ...headers(secret), 'x-line-retry-key': message.id },
        body: JSON.stringify({
          to: secret.Target,
          messages: [{ type: 'text', text: textOf(message).slice(0, 5_000) }],
        }),
      }),
    async costOf(outside, secret) {
      const { Target = '' } = secret
      const path = Target.startsWith('C') ? 'group' : Target.startsWith('R') ? 'room' : undefined
      if (!path) return 1
      const url = `${base}/v2/bot/${path}/${encodeURIComponent(Target)}/members/count`
      const { status, text } = await outside.send(url, { headers: headers(secret) })
      const found = status === 200 ? Members.safeParse(parseJson(text)) : undefined
      return found?.success ? found.data.count : 1
    },
    // LINE returns this status for an accepted retry key for 24 hours.
    isTaken: ({ status }) => status === 409,
    isUsedUp: ({ status, text }) => status === 429 && text.includes('monthly limit'),
  }
}

const COLOURS = { critical: 'attention', warning: 'warning', info: 'default' } as const

/** Microsoft Teams: a workflow that posts an adaptive card when its webhook is called. */
export const teams: Adapter = {
  send: (outside, { Address = '' }, message) =>
    outside.send(Address, {
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
export const webhook: Adapter = {
  send(outside, { Address = '', Token = '' }, { id, title, body: text, url, ...message }) {
    const body = JSON.stringify({
      Version: 1,
      ID: id,
      Title: title,
      Text: text,
      Url: url,
      ...rename(message),
    })
    const signature = createHmac('sha256', Token).update(body).digest('hex')
    return outside.send(Address, { headers: { 'x-signature-256': `sha256=${signature}` }, body })
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
