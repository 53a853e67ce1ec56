import type { Duplex } from 'node:stream'
import type { Client as Connection, Subscription } from 'aedes'
import { GatewayError } from '../../errors.ts'
import type { Clock, Log, Random } from '../../ports.ts'
import { createAdmission } from './admission.ts'
import { createEngine, limitPackets, packetOf, saidGoodbye } from './aedes-engine.ts'
import { startEndingExpired } from './end-expired.ts'
import { createEngineHooks, NOWHERE } from './engine-hooks.ts'
import { createFanOut } from './fan-out.ts'
import { createIntake } from '../intake.ts'
import { type BrokerLimits, LIMITS, TOLD_WITHIN } from '../limits.ts'
import { createScreenDoor, listenForHubs, SCREEN_PATH, type ListenerOptions } from './listeners.ts'
import { createLiveSessions } from './live-sessions.ts'
import type { Broker, BrokerHooks } from '../port.ts'
import { createRefusals, type BrokerMetrics } from '../refusals.ts'
import { createScreenCredentials } from './screen-credentials.ts'
import { openPublishFastPath } from './publish-fast-path.ts'
import { createSignIn } from './sign-in.ts'
import { openStoredSessions } from './stored-sessions.ts'

export interface EmbeddedBrokerOptions {
  /** Where sessions and messages for absent hubs are kept; 'memory' is for tests and forgets them. */
  directory: string | 'memory'
  /** TCP for hubs: port 0 picks a free one. Left out, there is none. */
  tcp?: { port: number; host?: string }
  /** The same with TLS; PEM texts. */
  tls?: { port: number; host?: string; key: string | Buffer; cert: string | Buffer }
  /** What screens are told; a path on the gateway's own address by default. */
  screenUrl?: string
  limits?: Partial<BrokerLimits>
  clock: Clock
  random: Random
  log: Log
  metrics: BrokerMetrics
}

/** Largest packet before the sender is known: a CONNECT with its will. */
const UNKNOWN_PACKET_BYTES = 16 * 1024

/**
 * A broker in the gateway's own process (aedes): TCP for hubs, WebSocket for screens. What clients publish goes to
 * `hooks.receive` and nowhere else, and its acknowledgement waits for that.
 */
export function createEmbeddedBroker(
  options: EmbeddedBrokerOptions,
): Broker & { ports(): { tcp?: number; tls?: number } } {
  const { clock, log, metrics } = options
  const limits: BrokerLimits = { ...LIMITS, ...options.limits }
  const refuse = createRefusals({ metrics, log, clock })
  const screens = createScreenCredentials(options)
  const intake = createIntake({ limits, clock, log, onSlowed: () => refuse('rate') })
  const signIn = createSignIn(screens)
  const sessions = createLiveSessions({ limits, intake })
  const streams = new Set<Duplex>()
  const { connections, admit, left } = createAdmission(limits, refuse)
  let running: Awaited<ReturnType<typeof run>> | undefined
  const ports: { tcp?: number; tls?: number } = {}

  const listener: ListenerOptions = {
    maxPacketBytes: limits.packetBytes,
    failed: (err) => log.warn({ err }, 'A connection could not be taken'),
    admit,
    left,
    accept(stream) {
      if (!running) return void stream.destroy()
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      const connection = running.broker.handle(stream)
      // Also for those that end between their password and their welcome, of which aedes does not tell.
      stream.once('close', () => sessions.leave(connection))
      // Known before the welcome leaves: the first packet after it may come before aedes calls the connection connected.
      const longest = () => (sessions.of(connection) ? limits.packetBytes : UNKNOWN_PACKET_BYTES)
      limitPackets(connection, longest, () => refuse('packet-size', sessions.who(connection)))
      const { takeKnown, fanOut } = running
      openPublishFastPath(connection, longest, (publish, done) => takeKnown(connection, publish, done))
      fanOut(connection)
    },
  }
  const door = createScreenDoor(listener)
  metrics.watch(() => ({ connections: connections(), held: intake.held() }))

  async function run(hooks: BrokerHooks) {
    const store =
      options.directory === 'memory' ? undefined : await openStoredSessions(options.directory, log)
    const { asked, takeKnown, mayHear } = createEngineHooks({
      hooks,
      limits,
      sessions,
      screens,
      signIn,
      intake,
      refuse,
      log,
    })
    const { broker, send, heard } = await createEngine({
      ...(store && { persistence: store }),
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
      hooks.connected(session.client)
    })
    broker.on('clientDisconnect', (connection) => {
      const session = sessions.of(connection)
      const { last } = sessions.leave(connection)
      if (!session?.ready) return
      if (session.client.party === 'screen' || last)
        hooks.disconnected(session.client, saidGoodbye(connection))
    })
    broker.on('subscribe', (subscriptions: Subscription[], connection) => {
      const session = connection && sessions.of(connection)
      if (!session) return
      for (const { topic } of subscriptions) {
        if (topic === NOWHERE) continue
        // Again, for an UNSUBSCRIBE of it may have been at work meanwhile.
        session.filters.add(topic)
        hooks.subscribed?.(session.client, topic)
      }
    })
    broker.on('unsubscribe', (topics: string[], connection) => {
      const session = connection && sessions.of(connection)
      for (const topic of topics) session?.filters.delete(topic)
    })
    const onError = (connection: Connection, error: Error) => {
      if (/keep ?alive|ECONNRESET|EPIPE|closed|not open|too large|user name|unavailable/i.test(error.message))
        return
      refuse('protocol', { ...sessions.who(connection), text: error.message.slice(0, 200) })
    }
    broker.on('clientError', onError)
    broker.on('connectionError', onError)
    ;(broker as NodeJS.EventEmitter).on('error', (err: Error) => log.error({ err }, 'The broker failed'))
    const fanOut = createFanOut(mayHear)
    const expiry = startEndingExpired({ sessions, hooks, clock, log, end })
    return { broker, send, store, heard, takeKnown, fanOut, expiry }
  }

  function end(connection: Connection) {
    const session = sessions.of(connection)
    if (session) session.revoked = true
    // A person is told why before the connection goes; from now on that is all they may hear.
    if (session?.client.party === 'screen') clock.after(TOLD_WITHIN, () => connection.close())
    else connection.close()
  }

  async function disconnect(target: Parameters<Broker['disconnect']>[0]) {
    const only = 'cognitoId' in target ? target.sessions : undefined
    if ('cognitoId' in target) screens.forgetPerson(target.cognitoId, only)
    else signIn.revoke(target.thingName)
    for (const connection of sessions.connectionsOf(target)) {
      const session = sessions.of(connection)
      if (session?.client.party === 'screen' && only?.includes(session.client.sessionId ?? '') === false)
        continue
      end(connection)
    }
    if ('thingName' in target && running?.store) {
      const { store } = running
      await store.cleanSubscriptions({ id: target.thingName })
      await store.forgetQueue(target.thingName)
    }
  }

  const listeners: { close(): Promise<void> }[] = []
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
    await engine?.store?.destroy()
  }

  return {
    async start(hooks) {
      running = await run(hooks)
      for (const kind of ['tcp', 'tls'] as const) {
        const at = options[kind]
        if (!at) continue
        const tls =
          options.tls && kind === 'tls' ? { tls: { key: options.tls.key, cert: options.tls.cert } } : {}
        const open = await listenForHubs(listener, { port: at.port, host: at.host, ...tls })
        listeners.push(open)
        ports[kind] = open.port
      }
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
    enrol: async () => {},

    async credentials(client, clientId) {
      const { password, expiresAt } = screens.issue(client, clientId)
      return { url: options.screenUrl ?? SCREEN_PATH, username: client.cognitoId, password, expiresAt }
    },

    attach: door.attach,
    healthy: () => running !== undefined,
    close: () => (closing ??= close()),
    ports: () => ports,
  }
}
