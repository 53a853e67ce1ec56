import type { Duplex } from 'node:stream'
import type { Client as Connection, Subscription } from 'aedes'
import { GatewayError } from '../../kernel/errors.ts'
import type { KeyPair } from '../../lib/settings/certificates.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import { createAdmission } from './admission.ts'
import {
  createAedesEngine,
  limitPackets,
  packetOf,
  isCleanDisconnect,
  keepAliveTimeoutOf,
} from './aedes-engine.ts'
import { startExpiringSessions } from './expire-sessions.ts'
import { createEngineHooks, REFUSED_FILTER_PREFIX } from './engine-hooks.ts'
import { createFanOut } from './fan-out.ts'
import { createIntake } from '../inbound-queue.ts'
import { createMalformedSenders } from '../../lib/payloads/malformed-senders.ts'
import { type BrokerLimits, LIMITS, DISCONNECT_NOTICE_MS } from '../limits.ts'
import { createWebSocketListener, listenForHubs, WEBSOCKET_PATH, type ListenerOptions } from './listeners.ts'
import { createLiveSessions } from './live-sessions.ts'
import { createScreenTokens } from '../screen-tokens.ts'
import type { Broker, BrokerHooks, Client } from '../../kernel/broker.ts'
import { createRejections, type BrokerMetrics } from '../rejections.ts'
import { openPublishFastPath } from './publish-fast-path.ts'
import { createAuthenticator } from './sign-in.ts'

export interface EmbeddedBrokerOptions {
  /** Key that signs screens' credentials; the same at every gateway. */
  screenKey: Uint8Array
  /** TCP listener for hubs; port 0 picks a free one. Without it there is no TCP listener. */
  tcp?: { port: number; host?: string }
  /** TLS listener for hubs. */
  tls?: { port: number; host?: string; pair: KeyPair }
  /** Whether PROXY headers from an address are trusted; none are by default. */
  isProxy?: ((address: string) => boolean) | undefined
  /** URL that screens receive; by default a path on the gateway's own address. */
  screenUrl?: string
  limits?: Partial<BrokerLimits>
  clock: Clock
  log: Log
  metrics: BrokerMetrics
}

/** Delay before a failed check of rights is repeated, in ms. */
const REVIEW_RETRY_MS = 1_000
/** `drain` disconnects hubs in `parts` batches, one every `every` ms. */
const DRAIN = { parts: 10, every: 500 }
/** Maximum packet size before authentication: a CONNECT with its will. */
const UNKNOWN_PACKET_BYTES = 16 * 1024

/**
 * Broker inside the gateway's process (aedes): TCP for hubs, WebSocket for screens. Messages that clients publish go
 * to `hooks.receive` only, and their acknowledgement waits for it.
 */
export function createEmbeddedBroker(
  options: EmbeddedBrokerOptions,
): Broker & { ports(): { tcp?: number; tls?: number } } {
  const { clock, log, metrics } = options
  const limits: BrokerLimits = { ...LIMITS, ...options.limits }
  const refuse = createRejections({ metrics, log, clock })
  const tokens = createScreenTokens({ key: options.screenKey, clock })
  const intake = createIntake({ limits, clock, log, onSlowed: () => refuse('rate') })
  const signIn = createAuthenticator(tokens)
  const malformed = createMalformedSenders({ clock, limits: limits.malformed })
  const sessions = createLiveSessions({ limits, intake })
  const streams = new Set<Duplex>()
  const { connections, admit, left } = createAdmission(limits, refuse)
  let running: Awaited<ReturnType<typeof run>> | undefined
  const ports: { tcp?: number; tls?: number } = {}

  const listener: ListenerOptions = {
    maxPacketBytes: limits.packetBytes,
    isProxy: options.isProxy,
    failed: (err) => log.warn({ err }, 'connection rejected, authentication check failed'),
    admit,
    left,
    accept(stream) {
      if (!running) return void stream.destroy()
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      const connection = running.broker.handle(stream)
      // aedes does not report connections that end between authentication and CONNACK.
      stream.once('close', () => leave(connection))
      // Wrapped before CONNACK is sent: the client's next packet may arrive before aedes emits `clientReady`.
      const longest = () => (sessions.of(connection) ? limits.packetBytes : UNKNOWN_PACKET_BYTES)
      limitPackets(connection, longest, () => refuse('packet-size', sessions.who(connection)))
      const { takeKnown, fanOut } = running
      openPublishFastPath(connection, longest, (publish, done) => takeKnown(connection, publish, done))
      fanOut(connection)
    },
  }
  const door = createWebSocketListener(listener)
  metrics.watch(() => ({ connections: connections(), held: intake.held() }))

  async function run(hooks: BrokerHooks) {
    const { asked, takeKnown, mayHear } = createEngineHooks({
      hooks,
      limits,
      sessions,
      signIn,
      intake,
      refuse,
      malformed,
      log,
    })
    const { broker, send, heard } = await createAedesEngine({
      concurrency: 0,
      connectTimeout: limits.connectTimeout,
      keepaliveLimit: limits.keepalive,
      drainTimeout: 30_000,
      maxTopicLevels: 16,
      ...asked,
    })

    broker.on('clientReady', (connection) => {
      const session = sessions.of(connection)
      if (!session || session.revoked) return
      session.ready = true
    })
    broker.on('keepaliveTimeout', (connection) => {
      const session = sessions.of(connection)
      if (session) session.ending.unheard = keepAliveTimeoutOf(connection)
    })
    broker.on('clientDisconnect', leave)
    broker.on('subscribe', (subscriptions: Subscription[], connection) => {
      const session = connection && sessions.of(connection)
      if (!session) return
      for (const { topic } of subscriptions) {
        if (topic === REFUSED_FILTER_PREFIX) continue
        // Added again, because a concurrent UNSUBSCRIBE may have removed it.
        session.filters.add(topic)
        if (!session.told.has(topic)) {
          session.told.add(topic)
          void hooks.subscribing?.(session.client, topic)
        }
        hooks.subscribed?.(session.client, topic)
      }
    })
    broker.on('unsubscribe', (topics: string[], connection) => {
      const session = connection && sessions.of(connection)
      for (const topic of topics) {
        session?.filters.delete(topic)
        if (session?.told.delete(topic)) hooks.unsubscribed?.(session.client, topic)
      }
    })
    const onError = (connection: Connection, error: Error) => {
      if (/keep ?alive|ECONNRESET|EPIPE|closed|not open|too large|user name|unavailable/i.test(error.message))
        return
      refuse('protocol', { ...sessions.who(connection), text: error.message.slice(0, 200) })
    }
    broker.on('clientError', onError)
    broker.on('connectionError', onError)
    ;(broker as NodeJS.EventEmitter).on('error', (err: Error) => log.error({ err }, 'broker error'))
    const fanOut = createFanOut(mayHear)
    const expiry = startExpiringSessions({ sessions, hooks, clock, log, end })
    return { hooks, broker, send, heard, takeKnown, fanOut, expiry }
  }

  function leave(connection: Connection) {
    const session = sessions.of(connection)
    sessions.leave(connection)
    for (const topic of session?.told ?? []) running?.hooks.unsubscribed?.(session?.client as Client, topic)
    session?.told.clear()
    if (!session || session.client.party === 'screen') return
    session.ending.final ||= isCleanDisconnect(connection)
    void running?.hooks.went?.(session.client, session.link, session.ending)
  }

  function end(connection: Connection) {
    const session = sessions.of(connection)
    if (session) Object.assign(session, { revoked: true, ending: { final: true, unheard: 0 } })
    // A screen receives the reason before the connection closes, and nothing else from now on.
    if (session?.client.party === 'screen') clock.after(DISCONNECT_NOTICE_MS, () => connection.close())
    else connection.close()
  }

  async function disconnect(target: Parameters<Broker['disconnect']>[0]) {
    const only = 'cognitoId' in target ? target.sessions : undefined
    signIn.revoke(target)
    for (const connection of sessions.connectionsOf(target)) {
      const session = sessions.of(connection)
      if (session?.client.party === 'screen' && only?.includes(session.client.sessionId ?? '') === false)
        continue
      end(connection)
    }
  }

  /** Ends connections that the database would no longer authorize, of one person or hub or of all. */
  async function review(who?: { cognitoId: string } | { thingName: string }): Promise<void> {
    const standing = running?.hooks.standing
    if (!standing) return
    signIn.checkAgain(who)
    try {
      const connections = (who ? sessions.connectionsOf(who) : sessions.all()).flatMap((connection) => {
        const session = sessions.of(connection)
        return session && !session.revoked ? [{ connection, client: session.client }] : []
      })
      if (connections.length === 0) return
      const stand = await standing(connections.map(({ client }) => client))
      for (const [i, { connection }] of connections.entries()) if (!stand[i]) end(connection)
    } catch (err) {
      log.warn({ err }, 'permission check of connected clients failed, will retry')
      clock.after(REVIEW_RETRY_MS, () => void review(who))
    }
  }

  async function takeHubs(): Promise<void> {
    drains += 1
    if (!running || listeners.length > 0) return
    try {
      for (const kind of ['tcp', 'tls'] as const) {
        const at = options[kind]
        if (!at) continue
        const tls = options.tls && kind === 'tls' ? { tls: options.tls.pair } : {}
        const open = await listenForHubs(listener, { port: ports[kind] ?? at.port, host: at.host, ...tls })
        listeners.push(open)
        ports[kind] = open.port
      }
      if (!running) throw new Error('The broker was closed meanwhile')
    } catch (error) {
      await Promise.all(listeners.splice(0).map((open) => open.close()))
      throw error
    }
  }

  /** Disconnects hubs in batches, so that they do not all reconnect to the other gateways at the same time. */
  async function drain(): Promise<void> {
    const mine = ++drains
    const closed = listeners.splice(0).map((open) => open.close())
    void Promise.all(closed)
    const hubs = sessions.all().filter((connection) => sessions.of(connection)?.client.party !== 'screen')
    const share = Math.ceil(hubs.length / DRAIN.parts)
    for (let from = 0; from < hubs.length; from += share) {
      if (mine !== drains) return
      for (const connection of hubs.slice(from, from + share)) sessions.of(connection)?.link.drop()
      await new Promise<void>((resolve) => clock.after(DRAIN.every, resolve))
    }
  }

  const listeners: { close(): Promise<void> }[] = []
  /** Counts `drain` and `takeHubs` calls, so that a newer call cancels an older `drain`. */
  let drains = 0
  let closing: Promise<void> | undefined

  async function close() {
    const engine = running
    running = undefined
    engine?.expiry.close()
    door.close()
    const closed = listeners.map((open) => open.close())
    if (engine) await new Promise<void>((resolve) => engine.broker.close(() => resolve()))
    for (const stream of streams) stream.destroy()
    await Promise.all(closed)
    intake.close()
  }

  return {
    async start(hooks) {
      running = await run(hooks)
      await takeHubs()
    },

    heard: (topic) => running?.heard(topic) ?? false,

    async publish(topic, payload, { qos = 1 } = {}) {
      if (!running) throw new GatewayError('UNAVAILABLE', 'The broker is not running')
      try {
        await running.send(packetOf(topic, Buffer.from(JSON.stringify(payload)), qos))
      } catch (cause) {
        throw new GatewayError('UNAVAILABLE', 'The broker could not keep a message', undefined, { cause })
      }
    },

    disconnect,
    review,
    drain,
    takeHubs,

    async credentials(person, clientId) {
      const { password, expiresAt } = tokens.issue(person, clientId)
      return { url: options.screenUrl ?? WEBSOCKET_PATH, username: person.cognitoId, password, expiresAt }
    },

    attach: door.attach,
    healthy: () => running !== undefined,
    close: () => (closing ??= close()),
    ports: () => ports,
  }
}
