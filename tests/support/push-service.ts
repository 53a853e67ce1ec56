import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { decrypt } from 'http_ece'
import { importJWK, jwtVerify } from 'jose'
import type { SubscriptionInfo } from '../../contract/notifications/push-calls.ts'

/** Message that the service accepted, as the browser would receive it. */
export interface Pushed {
  endpoint: string
  topic: string | undefined
  ttl: number
  urgency: string | undefined
  /** Decrypted content. */
  payload: string
  /** Subject of the signed token: the sender. */
  subject: string
  publicKey: string
}

/** Response to a request: a status with headers, or none. */
export type PushAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'hang'

/** Browser with a subscription. */
export interface PushBrowser {
  info: SubscriptionInfo
  /** Received messages, oldest first. */
  messages: Pushed[]
  /** Response of the service to messages for this browser. */
  answers: PushAnswer
}

export interface PushService {
  origin: string
  /** Host as in PUSH_HOSTS. */
  host: string
  /** Creates a browser with a subscription. */
  subscribe(): PushBrowser
  /** Reasons why requests were rejected as invalid (RFC 8030, 8188, 8292), oldest first. */
  faults: string[]
  /** Number of requests, accepted or not. */
  requests: number
  close(): Promise<void>
}

interface StoredBrowser extends PushBrowser {
  ecdh: ECDH
}

/**
 * Push service for tests (RFC 8030): it verifies the sender (RFC 8292: ES256 with the key in the token, audience, expiry, subject) and
 * decrypts messages (RFC 8188, 8291), as service and browser do together.
 *
 * tls  PEM texts; without them it uses http
 */
export async function startPushService(tls?: { key: string; cert: string }): Promise<PushService> {
  const browsers = new Map<string, StoredBrowser>()
  const listener: RequestListener = (request, response) => {
    service.requests += 1
    handle(request, response).catch((error: unknown) => {
      service.faults.push(String(error))
      if (!response.headersSent) response.writeHead(400).end()
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${tls ? 'https' : 'http'}://localhost:${port}`

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const browser = browsers.get(request.url ?? '')
    if (!browser) return void response.writeHead(404).end()
    const { answers } = browser
    if (answers === 'hang') return
    const message = await read(request, { body, browser, origin })
    if (answers.status >= 200 && answers.status < 300) browser.messages.push(message)
    response.writeHead(answers.status, answers.headers).end(answers.body)
  }

  const service: PushService = {
    origin,
    host: tls ? `localhost:${port}` : origin,
    faults: [],
    requests: 0,
    subscribe() {
      const ecdh = createECDH('prime256v1')
      const path = `/wpush/v2/${randomBytes(24).toString('base64url')}`
      const keys = {
        p256dh: ecdh.generateKeys().toString('base64url'),
        auth: randomBytes(16).toString('base64url'),
      }
      const browser: StoredBrowser = {
        ecdh,
        info: { endpoint: origin + path, expirationTime: null, keys },
        messages: [],
        answers: { status: 201, headers: { location: `${origin}/message/1` } },
      }
      browsers.set(path, browser)
      return browser
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}

const VAPID = /^vapid t=([\w.-]+), k=([\w-]+)$/
/** Maximum size of an encrypted message, bytes (RFC 8030, 7.2). */
const MAX_BODY_BYTES = 4_096

async function read(
  { headers, method }: IncomingMessage,
  { body, browser, origin }: { body: Buffer; browser: StoredBrowser; origin: string },
): Promise<Pushed> {
  if (method !== 'POST') throw new Error(`A push is no ${method}`)
  if (body.length > MAX_BODY_BYTES) throw new Error(`${body.length} bytes are too many`)
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('Not encrypted by RFC 8188')
  const ttl = Number(headers['ttl'])
  if (!Number.isInteger(ttl) || ttl < 0) throw new Error('TTL is missing')
  const topic = headers['topic'] as string | undefined
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error(`No topic: ${topic}`)
  const [, token = '', publicKey = ''] = VAPID.exec(headers.authorization ?? '') ?? []
  const subject = await verify(token, publicKey, origin)
  const payload = decrypt(body, {
    version: 'aes128gcm',
    privateKey: browser.ecdh,
    authSecret: browser.info.keys.auth,
  }).toString()
  const urgency = headers['urgency'] as string | undefined
  return { endpoint: browser.info.endpoint, topic, ttl, urgency, payload, subject, publicKey }
}

/** Verifies a token signed with this key for this service and valid for at most a day; returns its subject. */
async function verify(token: string, publicKey: string, origin: string): Promise<string> {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 65 || point[0] !== 4) throw new Error('k is no uncompressed point')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((coordinate) =>
    coordinate.toString('base64url'),
  )
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, 'ES256')
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['ES256'],
    audience: origin,
    requiredClaims: ['exp'],
  })
  const lifetimeSeconds = (payload.exp ?? 0) - Date.now() / 1_000
  if (lifetimeSeconds > 86_400) throw new Error('The token is good for longer than a day')
  if (!/^(mailto:|https:)/.test(payload.sub ?? '')) throw new Error('sub is no mailto: or https:')
  return payload.sub as string
}
