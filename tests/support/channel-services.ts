import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** Request received by the fake service. */
export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

interface Answered {
  status: number
  body?: string
  headers?: Record<string, string>
}

/** Body that LINE accepts for a push message (developers.line.biz, Send push message). */
const LinePush = z.strictObject({
  to: z.string().regex(/^[UCR]/),
  messages: z
    .array(z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(5_000) }))
    .min(1)
    .max(5),
})
const RETRY_KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Body that a Teams workflow accepts to post a card when its webhook is called. */
const TextBlock = z.object({ type: z.literal('TextBlock'), text: z.string().min(1) })
const TeamsCard = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.object({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        content: z.object({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.string().regex(/^1\.\d$/),
          body: z.array(TextBlock).min(1),
          actions: z.array(z.object({ type: z.literal('Action.OpenUrl'), url: z.url() })).optional(),
        }),
      }),
    )
    .min(1),
})

const messageBody = (message: string) => JSON.stringify({ message })
const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/**
 * Fake of LINE, Teams and any webhook with the same protocol. LINE: bearer token, validated body, a retry key that is accepted once, a
 * monthly limit counted per recipient. `fails` replaces the response; `loses` accepts a message and breaks the connection.
 */
export async function startChannelServices({
  tokens = ['token'],
  secret = 'shared secret',
  members = 12,
} = {}) {
  const requests: ReceivedRequest[] = []
  const state = {
    /** Response to use instead. */
    fails: undefined as Answered | undefined,
    /** Whether a message is accepted and its response lost. */
    loses: false,
    /** Whether the response never ends. */
    endless: false,
    monthlyLimit: Infinity,
    sent: 0,
  }
  /** Retry keys that LINE has accepted. */
  const acceptedIds = new Set<string>()
  /** Delivered messages, in order: texts of LINE, titles of cards and of webhooks. */
  const delivered: string[] = []

  function line({ url, method, headers, body }: ReceivedRequest): Answered {
    if (!tokens.some((token) => headers.authorization === `Bearer ${token}`))
      return {
        status: 401,
        body: messageBody('Authentication failed. Confirm that the access token is valid.'),
      }
    if (/^\/v2\/bot\/(group|room)\/[^/]+\/members\/count$/.test(url))
      return { status: 200, body: JSON.stringify({ count: members }) }
    if (method !== 'POST' || url !== '/v2/bot/message/push')
      return { status: 404, body: messageBody('Not found') }
    const push = LinePush.safeParse(parsed(body))
    if (!push.success) return { status: 400, body: messageBody('The request body has 1 error(s)') }
    const key = String(headers['x-line-retry-key'] ?? '')
    if (key !== '' && !RETRY_KEY.test(key)) return { status: 400, body: messageBody('Invalid retry key') }
    if (acceptedIds.has(key))
      return {
        status: 409,
        headers: { 'x-line-accepted-request-id': key },
        body: messageBody('The retry key is already accepted'),
      }
    const cost = push.data.to.startsWith('U') ? 1 : members
    if (state.sent + cost > state.monthlyLimit)
      return { status: 429, body: messageBody('You have reached your monthly limit.') }
    state.sent += cost
    if (key !== '') acceptedIds.add(key)
    delivered.push(push.data.messages[0]?.text ?? '')
    return { status: 200, body: JSON.stringify({ sentMessages: [{ id: String(state.sent) }] }) }
  }

  function workflow({ body }: ReceivedRequest): Answered {
    const card = TeamsCard.safeParse(parsed(body))
    if (!card.success)
      return { status: 400, body: messageBody('The input body is not a valid adaptive card') }
    delivered.push(card.data.attachments[0]?.content.body[0]?.text ?? '')
    return { status: 202 }
  }

  /** Webhook as the documentation asks owners to implement it: it verifies the signature and accepts an ID once. */
  function hook({ headers, body }: ReceivedRequest): Answered {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    if (headers['x-signature-256'] !== signature) return { status: 401 }
    const { ID, Title } = parsed(body) as { ID: string; Title: string }
    if (!acceptedIds.has(ID)) delivered.push(Title)
    acceptedIds.add(ID)
    return { status: 204 }
  }

  const answerOf = (received: ReceivedRequest): Answered =>
    received.url.startsWith('/v2/bot')
      ? line(received)
      : received.url === '/workflow'
        ? workflow(received)
        : hook(received)

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      }
      requests.push(received)
      const answer = state.fails ?? answerOf(received)
      if (state.loses && received.method === 'POST') return request.socket.destroy()
      response.writeHead(state.endless ? 200 : answer.status, answer.headers ?? {})
      if (!state.endless) return response.end(answer.body ?? '')
      const writeMore = (): void =>
        void (response.write('x'.repeat(65_536))
          ? setImmediate(writeMore)
          : response.once('drain', writeMore))
      writeMore()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: requests,
    delivered,
    state,
    reset() {
      requests.length = 0
      delivered.length = 0
      acceptedIds.clear()
      Object.assign(state, {
        fails: undefined,
        loses: false,
        endless: false,
        monthlyLimit: Infinity,
        sent: 0,
      })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type ChannelServices = Awaited<ReturnType<typeof startChannelServices>>
