import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../contract/kernel/parse-json.ts'
import type { ChannelKind } from '../../../contract/notifications/notification-channel.ts'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'
import type { ChannelSecret } from './channel-secret.ts'
import type { WebhookResponse, WebhookClient } from './webhook-client.ts'

/** A message with the whole address of its page; null where the gateway does not know its own. */
export type ChannelMessage = Pick<
  OutgoingMessage,
  'id' | 'title' | 'body' | 'severity' | 'category' | 'homeId' | 'alarmId' | 'at' | 'isLifeSafety'
> & {
  url: string | null
}

/** A kind of channel: how a message is sent there, and what it costs of a budget. */
export interface Adapter {
  send(outside: WebhookClient, secret: ChannelSecret, message: ChannelMessage): Promise<WebhookResponse>
  costOf?(outside: WebhookClient, secret: ChannelSecret): Promise<number>
  /** Whether an answer says that the other side has the message already, of an earlier attempt. */
  isTaken?(answer: WebhookResponse): boolean
  /** Whether an answer says that nothing more may be sent this month. */
  isUsedUp?(answer: WebhookResponse): boolean
}

const Members = z.object({ count: z.number().int().min(1) })

const textOf = ({ title, body, url }: ChannelMessage): string => [title, body, url].filter(Boolean).join('\n')

/**
 * LINE Messaging API. A push is billed per person that it reaches: a group costs as many as it has members.
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
    // A retry key that was accepted is answered so for 24 hours.
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

/** Text blocks of cards are Markdown: what people wrote must stay what it is. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|>~]/g, '\\$&')

/** Any system that takes JSON. The signature is of the body as it is sent, so that nobody else can send one. */
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

/** Where each kind of channel is. */
export const createAdapters = (lineApi: string): Readonly<Record<ChannelKind, Adapter>> => ({
  line: line(lineApi),
  teams,
  webhook,
})
