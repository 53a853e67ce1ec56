import { readFileSync } from 'node:fs'
import {
  connect,
  type ConnectionOptions,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
  type Subscription,
} from '@nats-io/transport-node'
import type { Log } from '../ports.ts'
import type { Transport, Unanswered } from './port.ts'

export interface NatsOptions {
  /** nats:// or tls:// and hosts separated by commas. */
  url: string
  /** Of the inbox that answers come to: the installation and the gateway. */
  inbox: string
  name: string
  /** The seed of an nkey. */
  nkey?: string | undefined
  /** Paths of PEM files. */
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  log: Pick<Log, 'info' | 'warn'>
}

/** Before a server that could not be reached is tried again, in ms. */
const AGAIN = 250
const JITTER = 100
const PING_EVERY = 1_000

/** The bytes of the bus over core NATS, 2.9.10 or newer; nothing is stored there. */
export function createNatsTransport(options: NatsOptions): Transport {
  const { log } = options
  const subscriptions = new Map<string, Subscription | undefined>()
  let connection: NatsConnection | undefined
  let up = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let on: Parameters<Transport['start']>[0] | undefined

  function subscribeNow(subject: string): void {
    if (!connection) return
    const callback: NonNullable<Parameters<NatsConnection['subscribe']>[1]>['callback'] = (err, message) => {
      if (!err) on?.message(message.subject, message.data, message.reply || undefined)
    }
    subscriptions.set(subject, connection.subscribe(subject, { callback }))
  }

  function setUp(now: boolean): void {
    if (now === up) return
    up = now
    on?.state(now)
  }

  async function open(): Promise<void> {
    timer = undefined
    try {
      const mine = await connect(connectionOptions(options))
      if (closed) return await mine.close()
      connection = mine
      for (const subject of subscriptions.keys()) subscribeNow(subject)
      log.info({ server: mine.getServer() }, 'On the bus')
      setUp(true)
      void follow(mine)
    } catch (err) {
      if (closed) return
      log.warn({ err }, 'The bus cannot be reached; trying again')
      timer = setTimeout(() => void open(), AGAIN)
    }
  }

  async function follow(mine: NatsConnection): Promise<void> {
    for await (const { type } of mine.status()) {
      if (type === 'disconnect' || type === 'staleConnection') setUp(false)
      if (type === 'reconnect') setUp(true)
    }
    setUp(false)
    if (!closed && connection === mine) {
      connection = undefined
      timer = setTimeout(() => void open(), AGAIN)
    }
  }

  return {
    async start(hears) {
      on = hears
      // A bus that is away does not keep a gateway from starting.
      await Promise.race([open(), new Promise<void>((resolve) => setTimeout(resolve, PING_EVERY).unref())])
    },
    subscribe(subject) {
      if (subscriptions.has(subject)) return
      subscriptions.set(subject, undefined)
      subscribeNow(subject)
    },
    unsubscribe(subject) {
      subscriptions.get(subject)?.unsubscribe()
      subscriptions.delete(subject)
    },
    publish(subject, bytes) {
      if (up) connection?.publish(subject, bytes)
    },
    async request(subject, bytes, ms): Promise<Uint8Array | Unanswered> {
      if (!up || !connection) return 'away'
      try {
        return (await connection.request(subject, bytes, { timeout: ms })).data
      } catch (error) {
        const { name, message } = error as Error
        if (name === 'NoRespondersError' || /no responders/i.test(message)) return 'nobody'
        return up ? 'silent' : 'away'
      }
    },
    async flush(ms) {
      if (!up || !connection) return
      const flushed = connection.flush().catch(() => {})
      await Promise.race([flushed, new Promise<void>((resolve) => setTimeout(resolve, ms).unref())])
    },
    isUp: () => up,
    async close() {
      closed = true
      clearTimeout(timer)
      await connection?.close().catch(() => {})
    },
  }
}

function connectionOptions({ url, inbox, name, nkey, ca, cert, key }: NatsOptions): ConnectionOptions {
  const [, scheme = 'nats', hosts = ''] = /^(\w+):\/\/(.*)$/.exec(url) ?? []
  const hasTls = scheme === 'tls' || ca !== undefined || cert !== undefined
  return {
    servers: hosts.split(',').map((host) => `${scheme}://${host}`),
    ignoreClusterUpdates: true,
    name,
    inboxPrefix: inbox,
    noEcho: true,
    pingInterval: PING_EVERY,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: AGAIN,
    reconnectJitter: JITTER,
    reconnectJitterTLS: JITTER,
    timeout: 2_000,
    ...(nkey !== undefined && { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkey)) }),
    ...(hasTls && {
      tls: {
        ...(ca !== undefined && { ca: readFileSync(ca, 'utf8') }),
        ...(cert !== undefined && { cert: readFileSync(cert, 'utf8') }),
        ...(key !== undefined && { key: readFileSync(key, 'utf8') }),
      },
    }),
  }
}

/** The key of a user of NATS: a new one, or the one of a seed. */
export function openUserKey(seed?: string): { seed: string; publicKey: string } {
  const pair = seed === undefined ? nkeys.createUser() : nkeys.fromSeed(new TextEncoder().encode(seed))
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() }
}
