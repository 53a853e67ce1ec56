import type { Duplex } from 'node:stream'
import type { Client as Connection, Subscription } from 'aedes'
import { GatewayError } from '../../kernel/errors.ts'
import type { KeyPair } from '../../lib/settings/certificates.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import { createAdmission, createAuthenticator, createScreenTokens } from './sign-in.ts'
import {
  createAedesEngine,
  limitPackets,
  packetOf,
  isCleanDisconnect,
  keepAliveTimeoutOf,
} from './aedes-engine.ts'
import { startExpiringSessions, createLiveSessions } from './live-sessions.ts'
import { createEngineHooks, REFUSED_FILTER_PREFIX } from './engine-hooks.ts'
import { createFanOut } from './fan-out.ts'
import { createIntake } from '../inbound-queue.ts'
import { createMalformedSenders } from '../../lib/payloads/malformed-senders.ts'
import { type BrokerLimits, LIMITS, DISCONNECT_NOTICE_MS } from '../limits.ts'
import { createWebSocketListener, listenForHubs, WEBSOCKET_PATH, type ListenerOptions } from './listeners.ts'
import type { Broker, BrokerHooks, Client } from '../../kernel/broker.ts'
import { createRejections, type BrokerMetrics } from '../rejections.ts'
import { openPublishFastPath } from './publish-fast-path.ts'

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
/** `drain` disconnects hubs in `batches` batches, one every `intervalMs` ms. */
const DRAIN = { batches: 10, intervalMs: 500 }
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
  const reject = createRejections({ metrics, log, clock })
  const tokens = createScreenTokens({ key: options.screenKey, clock })
  const inboundQueue = createIntake({ limits, clock, log, onThrottled: () => reject('rate') })
  const authenticator = createAuthenticator(tokens)
  const malformed = createMalformedSenders({ clock, limits: limits.malformed })
  const sessions = createLiveSessions({ limits, intake: inboundQueue })
  const streams = new Set<Duplex>()
  const { connections, admit, release } = createAdmission(limits, reject)
  let running: Awaited<ReturnType<typeof run>> | undefined
  const ports: { tcp?: number; tls?: number } = {}

  const listener: ListenerOptions = {
    maxPacketBytes: limits.packetBytes,
    isProxy: options.isProxy,
    onError: (err) => log.warn({ err }, 'connection rejected, authentication check failed'),
    admit,
    release,
    accept(stream) {
      if (!running) return void stream.destroy()
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      const connection = running.broker.handle(stream)
      // aedes does not report connections that end between authentication and CONNACK.
      stream.once('close', () => onConnectionClosed(connection))
      // Wrapped before CONNACK is sent: the client's next packet may arrive before aedes emits `clientReady`.
      const maxBytes = () => (sessions.get(connection) ? limits.packetBytes : UNKNOWN_PACKET_BYTES)
      limitPackets(connection, maxBytes, () => reject('packet-size', sessions.logFieldsOf(connection)))
      const { takeKnown: enqueueKnown, fanOut } = running
      openPublishFastPath(connection, maxBytes, (publish, done) => enqueueKnown(connection, publish, done))
      fanOut(connection)
    },
  }
  const webSockets = createWebSocketListener(listener)
  metrics.setSource(() => ({ connections: connections(), held: inboundQueue.held() }))

  async function run(hooks: BrokerHooks) {
    const { engineOptions, enqueueKnown, mayDeliver } = createEngineHooks({
      hooks,
      limits,
      sessions,
      signIn: authenticator,
      intake: inboundQueue,
      reject,
      malformed,
      log,
    })
    const { broker, send, hasSubscribers } = await createAedesEngine({
      concurrency: 0,
      connectTimeout: limits.connectTimeoutMs,
      keepaliveLimit: limits.maxKeepaliveSeconds,
      drainTimeout: 30_000,
      maxTopicLevels: 16,
      ...engineOptions,
    })

    broker.on('clientReady', (connection) => {
      const session = sessions.get(connection)
      if (!session || session.isRevoked) return
      session.isReady = true
    })
    broker.on('keepaliveTimeout', (connection) => {
      const session = sessions.get(connection)
      if (session) session.closeReason.silentMs = keepAliveTimeoutOf(connection)
    })
    broker.on('clientDisconnect', onConnectionClosed)
    broker.on('subscribe', (subscriptions: Subscription[], connection) => {
      const session = connection && sessions.get(connection)
      if (!session) return
      for (const { topic } of subscriptions) {
        if (topic === REFUSED_FILTER_PREFIX) continue
        // Added again, because a concurrent UNSUBSCRIBE may have removed it.
        session.filters.add(topic)
        if (!session.announcedFilters.has(topic)) {
          session.announcedFilters.add(topic)
          void hooks.beforeSubscribe?.(session.client, topic)
        }
        hooks.onSubscribed?.(session.client, topic)
      }
    })
    broker.on('unsubscribe', (topics: string[], connection) => {
      const session = connection && sessions.get(connection)
      for (const topic of topics) {
        session?.filters.delete(topic)
        if (session?.announcedFilters.delete(topic)) hooks.onUnsubscribed?.(session.client, topic)
      }
    })
    const onError = (connection: Connection, error: Error) => {
      if (/keep ?alive|ECONNRESET|EPIPE|closed|not open|too large|user name|unavailable/i.test(error.message))
        return
      reject('protocol', { ...sessions.logFieldsOf(connection), text: error.message.slice(0, 200) })
    }
    broker.on('clientError', onError)
    broker.on('connectionError', onError)
    ;(broker as NodeJS.EventEmitter).on('error', (err: Error) => log.error({ err }, 'broker error'))
    const fanOut = createFanOut(mayDeliver)
    const sessionExpiry = startExpiringSessions({ sessions, hooks, clock, log, endConnection })
    return {
      hooks,
      broker,
      send,
      heard: hasSubscribers,
      takeKnown: enqueueKnown,
      fanOut,
      expiry: sessionExpiry,
    }
  }

  function onConnectionClosed(connection: Connection) {
    const session = sessions.get(connection)
    sessions.remove(connection)
    for (const topic of session?.announcedFilters ?? [])
      running?.hooks.onUnsubscribed?.(session?.client as Client, topic)
    session?.announcedFilters.clear()
    if (!session || session.client.party === 'screen') return
    session.closeReason.isFinal ||= isCleanDisconnect(connection)
    void running?.hooks.onDisconnected?.(session.client, session.connection, session.closeReason)
  }

  function endConnection(connection: Connection) {
    const session = sessions.get(connection)
    if (session) Object.assign(session, { isRevoked: true, closeReason: { isFinal: true, silentMs: 0 } })
    // A screen receives the reason before the connection closes, and nothing else from now on.
    if (session?.client.party === 'screen') clock.after(DISCONNECT_NOTICE_MS, () => connection.close())
    else connection.close()
  }

  async function disconnect(target: Parameters<Broker['disconnect']>[0]) {
    const onlySessions = 'cognitoId' in target ? target.sessions : undefined
    authenticator.revoke(target)
    for (const connection of sessions.connectionsOf(target)) {
      const session = sessions.get(connection)
      if (
        session?.client.party === 'screen' &&
        onlySessions?.includes(session.client.sessionId ?? '') === false
      )
        continue
      endConnection(connection)
    }
  }

  /** Ends connections that the database would no longer authorize, of one person or hub or of all. */
  async function reauthorize(target?: { cognitoId: string } | { thingName: string }): Promise<void> {
    const checkAuthorized = running?.hooks.checkAuthorized
    if (!checkAuthorized) return
    authenticator.recheck(target)
    try {
      const connections = (target ? sessions.connectionsOf(target) : sessions.all()).flatMap((connection) => {
        const session = sessions.get(connection)
        return session && !session.isRevoked ? [{ connection, client: session.client }] : []
      })
      if (connections.length === 0) return
      const isAuthorized = await checkAuthorized(connections.map(({ client }) => client))
      for (const [i, { connection }] of connections.entries()) if (!isAuthorized[i]) endConnection(connection)
    } catch (err) {
      log.warn({ err }, 'permission check of connected clients failed, will retry')
      clock.after(REVIEW_RETRY_MS, () => void reauthorize(target))
    }
  }

  async function acceptHubs(): Promise<void> {
    drainCount += 1
    if (!running || listeners.length > 0) return
    try {
      for (const kind of ['tcp', 'tls'] as const) {
        const address = options[kind]
        if (!address) continue
        const tls = options.tls && kind === 'tls' ? { tls: options.tls.pair } : {}
        const hubListener = await listenForHubs(listener, {
          port: ports[kind] ?? address.port,
          host: address.host,
          ...tls,
        })
        listeners.push(hubListener)
        ports[kind] = hubListener.port
      }
      if (!running) throw new Error('The broker was closed meanwhile')
    } catch (error) {
      await Promise.all(listeners.splice(0).map((active) => active.close()))
      throw error
    }
  }

  /** Disconnects hubs in batches, so that they do not all reconnect to the other gateways at the same time. */
  async function drain(): Promise<void> {
    const thisDrain = ++drainCount
    const closedListeners = listeners.splice(0).map((active) => active.close())
    void Promise.all(closedListeners)
    const hubConnections = sessions
      .all()
      .filter((connection) => sessions.get(connection)?.client.party !== 'screen')
    const batchSize = Math.ceil(hubConnections.length / DRAIN.batches)
    for (let from = 0; from < hubConnections.length; from += batchSize) {
      if (thisDrain !== drainCount) return
      for (const connection of hubConnections.slice(from, from + batchSize))
        sessions.get(connection)?.connection.disconnect()
      await new Promise<void>((resolve) => clock.after(DRAIN.intervalMs, resolve))
    }
  }

  const listeners: { close(): Promise<void> }[] = []
  /** Counts `drain` and `acceptHubs` calls, so that a newer call cancels an older `drain`. */
  let drainCount = 0
  let closing: Promise<void> | undefined

  async function close() {
    const engine = running
    running = undefined
    engine?.expiry.close()
    webSockets.close()
    const closedListeners = listeners.map((active) => active.close())
    if (engine) await new Promise<void>((resolve) => engine.broker.close(() => resolve()))
    for (const stream of streams) stream.destroy()
    await Promise.all(closedListeners)
    inboundQueue.close()
  }

  return {
    async start(hooks) {
      running = await run(hooks)
      await acceptHubs()
    },

    hasSubscribers: (topic) => running?.heard(topic) ?? false,

    async publish(topic, payload, { qos = 1 } = {}) {
      if (!running) throw new GatewayError('UNAVAILABLE', 'The broker is not running')
      try {
        await running.send(packetOf(topic, Buffer.from(JSON.stringify(payload)), qos))
      } catch (cause) {
        throw new GatewayError('UNAVAILABLE', 'The broker could not keep a message', undefined, { cause })
      }
    },

    disconnect,
    reauthorize,
    drain,
    acceptHubs,

    async credentials(person, clientId) {
      const { password, expiresAt } = tokens.issue(person, clientId)
      return { url: options.screenUrl ?? WEBSOCKET_PATH, username: person.cognitoId, password, expiresAt }
    },

    attach: webSockets.attach,
    isRunning: () => running !== undefined,
    close: () => (closing ??= close()),
    ports: () => ports,
  }
}
