import {
  connect,
  type ConnectionOptions,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
  type Subscription,
} from '@nats-io/transport-node'
import type { Log } from '../kernel/ports.ts'
import { countNodes, hostsOfBus } from './nodes.ts'
import type { Transport, TransportState, RequestFailure } from '../kernel/bus.ts'

export interface NatsOptions {
  /** nats:// or tls:// with comma-separated hosts. */
  url: string
  /** Prefix of the reply inbox: the installation and the gateway. */
  inbox: string
  name: string
  nkey?: string | undefined
  /** Paths of PEM files. */
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  log: Pick<Log, 'info' | 'warn'>
}

/** Maximum time in ms that a closing gateway waits until its last messages reach NATS. */
const FLUSH_TIMEOUT_MS = 500
/** Delay before another connection attempt, in ms. */
const RECONNECT_MS = 250
const JITTER_MS = 100
const PING_INTERVAL_MS = 1_000
/** Intervals of delivery confirmation and of counting reachable nodes, in ms. */
const CONFIRM_INTERVAL_MS = 1_000
const COUNT_INTERVAL_MS = 15_000
/** Maximum number of unconfirmed bytes; beyond it, messages are dropped and receivers detect the gap. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024

/** Creates a transport over core NATS, 2.9.10 or newer, without persistence. */
export function createNatsTransport(options: NatsOptions): Transport {
  const { log } = options
  const subscriptions = new Map<string, Subscription | undefined>()
  let connection: NatsConnection | undefined
  let isUp = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let handlers: Parameters<Transport['start']>[0] | undefined
  const pendingBytes = trackPending(options, () => (isUp ? connection : undefined))

  function subscribeNow(subject: string): void {
    if (!connection) return
    const callback: NonNullable<Parameters<NatsConnection['subscribe']>[1]>['callback'] = (err, message) => {
      if (!err) handlers?.onMessage(message.subject, message.data, message.reply || undefined)
    }
    subscriptions.set(subject, connection.subscribe(subject, { callback }))
  }

  function setIsUp(next: boolean): void {
    if (next === isUp) return
    isUp = next
    handlers?.onStateChange(next)
  }

  async function open(): Promise<void> {
    timer = undefined
    try {
      const opened = await connect(connectionOptions(options))
      if (isClosed) return await opened.close()
      connection = opened
      for (const subject of subscriptions.keys()) subscribeNow(subject)
      log.info({ server: opened.getServer() }, 'connected to bus')
      setIsUp(true)
      void followStatus(opened)
    } catch (err) {
      if (isClosed) return
      log.warn({ err }, 'bus unreachable, will retry')
      timer = setTimeout(() => void open(), RECONNECT_MS)
    }
  }

  async function followStatus(current: NatsConnection): Promise<void> {
    for await (const { type } of current.status()) {
      if (type === 'disconnect' || type === 'staleConnection') setIsUp(false)
      if (type === 'reconnect') setIsUp(true)
    }
    setIsUp(false)
    if (!isClosed && connection === current) {
      connection = undefined
      timer = setTimeout(() => void open(), RECONNECT_MS)
    }
  }

  async function flush(ms: number): Promise<void> {
    if (!isUp || !connection) return
    const flushed = connection.flush().catch(() => {})
    await Promise.race([flushed, new Promise<void>((resolve) => setTimeout(resolve, ms).unref())])
  }

  return {
    async start(messageHandlers) {
      handlers = messageHandlers
      // An unavailable bus does not prevent a gateway from starting.
      await Promise.race([
        open(),
        new Promise<void>((resolve) => setTimeout(resolve, PING_INTERVAL_MS).unref()),
      ])
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
      if (!isUp || !connection || !pendingBytes.reserve(bytes.length)) return false
      connection.publish(subject, bytes)
      return true
    },
    async request(subject, bytes, ms): Promise<Uint8Array | RequestFailure> {
      if (!isUp || !connection) return 'away'
      try {
        return (await connection.request(subject, bytes, { timeout: ms })).data
      } catch (error) {
        const { name, message } = error as Error
        if (name === 'NoRespondersError' || /no responders/i.test(message)) return 'nobody'
        return isUp ? 'silent' : 'away'
      }
    },
    flush,
    isUp: () => isUp,
    readState: pendingBytes.readState,
    async close() {
      isClosed = true
      pendingBytes.close()
      clearTimeout(timer)
      // The last messages matter to the remaining gateways.
      await flush(FLUSH_TIMEOUT_MS)
      await connection?.close().catch(() => {})
    },
  }
}

/** Tracks unconfirmed bytes and reachable nodes. */
function trackPending(
  { url, cert, key }: Pick<NatsOptions, 'url' | 'cert' | 'key'>,
  connection: () => NatsConnection | undefined,
) {
  let published = 0
  let confirmed = 0
  let confirming: NatsConnection | undefined
  let nodes: TransportState['nodes']

  /** Confirms delivery: a node answers in order, so everything published before the flush has arrived. */
  function confirm(): void {
    const current = connection()
    // Unconfirmed messages of a closed connection are lost.
    if (!current) {
      confirmed = published
      confirming = undefined
    }
    if (!current || confirming === current) return
    confirming = current
    const publishedBefore = published
    current
      .flush()
      .then(() => (confirmed = Math.max(confirmed, publishedBefore)))
      .catch(() => {})
      .finally(() => {
        if (confirming === current) confirming = undefined
      })
  }
  async function count(): Promise<void> {
    nodes = await countNodes(url, { cert, key })
  }
  const timers = [
    setInterval(confirm, CONFIRM_INTERVAL_MS).unref(),
    setInterval(count, COUNT_INTERVAL_MS).unref(),
  ]
  void count()

  return {
    /** Whether the given number of bytes may be published; if so, they count as pending. */
    reserve(bytes: number): boolean {
      if (published - confirmed + bytes > MAX_PENDING_BYTES) return false
      published += bytes
      return true
    },
    readState: (): TransportState => ({ nodes, pending: published - confirmed }),
    close(): void {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** Options of the NATS connection, with reconnects. */
export function connectionOptions({
  url,
  inbox,
  name,
  nkey,
  ca,
  cert,
  key,
}: Omit<NatsOptions, 'log'>): ConnectionOptions {
  const scheme = url.split(':', 1)[0] ?? 'nats'
  const hasTls = scheme === 'tls' || ca !== undefined || cert !== undefined
  return {
    servers: hostsOfBus(url).map(
      ({ host, port }) => `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ),
    ignoreClusterUpdates: true,
    name,
    inboxPrefix: inbox,
    noEcho: true,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: JITTER_MS,
    reconnectJitterTLS: JITTER_MS,
    timeout: 2_000,
    ...(nkey !== undefined && { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkey)) }),
    ...(hasTls && {
      // The client reads the files for each connection, so a renewed certificate is used from the next one on.
      tls: {
        ...(ca !== undefined && { caFile: ca }),
        ...(cert !== undefined && { certFile: cert }),
        ...(key !== undefined && { keyFile: key }),
      },
    }),
  }
}

/** NATS user key: a new one, or that of a seed. */
export function openUserKey(seed?: string): { seed: string; publicKey: string } {
  const pair = seed === undefined ? nkeys.createUser() : nkeys.fromSeed(new TextEncoder().encode(seed))
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() }
}
