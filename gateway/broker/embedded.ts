import type { Duplex } from 'node:stream'
import type { Client as Connection, Subscription } from 'aedes'
import { userPermission } from '../../contract/channels/data-change.ts'
import { GatewayError } from '../errors.ts'
import type { Clock, Log, Random } from '../outsides.ts'
import { mayPublish, maySubscribe, type Verdict } from './acl.ts'
import { createAdmission } from './admission.ts'
import { connectError, createEngine, limitPackets, packetOf, saidGoodbye } from './aedes-engine.ts'
import { createFanOut } from './fan-out.ts'
import { createIntake, type Lane } from './intake.ts'
import { type BrokerLimits, LIMITS } from './limits.ts'
import { createScreenDoor, listenForHubs, SCREEN_PATH, type ListenerOptions } from './listeners.ts'
import type { Broker, BrokerHooks, Client, TopicMatch } from './port.ts'
import { createRefusals, type BrokerMetrics } from './refusals.ts'
import { createScreenCredentials } from './screen-credentials.ts'
import { openShortWay, type Publish } from './short-way.ts'
import { openStoredSessions } from './stored-sessions.ts'
import { isId } from './topics.ts'

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

/** What the gateway knows of one connection. */
interface Session {
  client: Client
  lane: Lane
  /** Topics this connection may publish to, so that each is judged once. */
  publishes: Map<string, TopicMatch>
  /** Filters it has, or is about to have. */
  filters: Set<string>
  ready: boolean
  /** Its credentials were taken away: nothing of it counts any more. */
  revoked: boolean
}

/** Largest packet before the sender is known: a CONNECT with its will. */
const UNKNOWN_PACKET_BYTES = 16 * 1024
/** Filters of refused subscriptions: under it nothing is ever published. */
const NOWHERE = '$refused'
/** Time in ms for the last word to a person whose rights ended; their publishes and subscriptions end at once. */
const FAREWELL = 300

/** More people do not pass a door; whoever tries card numbers is slowed down. */
const SCANS_PER_SECOND = 10

const keyOf = (client: Client) =>
  client.party === 'screen' ? `person ${client.cognitoId}` : `hub ${client.thingName}`

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
  const sessions = new WeakMap<Connection, Session>()
  /** Connections that are signed in or about to be, by person and hub. */
  const present = new Map<string, Set<Connection>>()
  /** Hubs whose secret is being checked. */
  const entering = new Set<{ username: string; revoked: boolean }>()
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
      stream.once('close', () => leave(connection))
      const longest = () => (connection.connected ? limits.packetBytes : UNKNOWN_PACKET_BYTES)
      limitPackets(connection, longest, () => refuse('packet-size', who(connection)))
      const { takeKnown, fanOut } = running
      openShortWay(connection, longest, (publish, done) => takeKnown(connection, publish, done))
      fanOut(connection)
    },
  }
  const door = createScreenDoor(listener)
  metrics.watch(() => ({ connections: connections(), held: intake.held() }))

  const who = (connection: Connection | null): Record<string, unknown> => {
    const client = connection && sessions.get(connection)?.client
    return client
      ? client.party === 'screen'
        ? { cognitoId: client.cognitoId }
        : { thingName: client.thingName }
      : {}
  }

  function enter(connection: Connection, client: Client) {
    const rate = client.party === 'scanner' ? SCANS_PER_SECOND : limits.rate[client.party]
    sessions.set(connection, {
      client,
      lane: intake.lane(rate),
      publishes: new Map(),
      filters: new Set(),
      ready: false,
      revoked: false,
    })
    const key = keyOf(client)
    present.set(key, (present.get(key) ?? new Set()).add(connection))
    // A client id is its owner's: nobody can take over another's connection or session by naming it. A hub has one lasting session.
    if (client.party !== 'screen')
      connection.id = connection.clean ? `${client.thingName}/${connection.id}` : client.thingName
  }

  function leave(connection: Connection): { last: boolean } {
    const session = sessions.get(connection)
    if (!session) return { last: false }
    const key = keyOf(session.client)
    const others = present.get(key)
    others?.delete(connection)
    if (others?.size === 0) present.delete(key)
    intake.leave(session.lane, session.revoked)
    return { last: !present.has(key) }
  }

  /** Counts one more filter of a connection; why not, when it has too many. */
  function keepFilter(session: Session | undefined, filter: string): 'subscriptions' | undefined {
    if (!session || (!session.filters.has(filter) && session.filters.size >= limits.subscriptions))
      return 'subscriptions'
    session.filters.add(filter)
    return undefined
  }

  async function identify(clientId: string, username: string, password: string, hooks: BrokerHooks) {
    if (screens.has(clientId)) return screens.check(clientId, username, password)
    if (!isId(username)) return undefined
    const entry = { username, revoked: false }
    entering.add(entry)
    try {
      const client = await hooks.authenticate({ clientId, username, password })
      return entry.revoked ? undefined : client
    } finally {
      entering.delete(entry)
    }
  }

  /** The rest of a verdict, for which a hub's company must be known. */
  async function confirm(verdict: Verdict, client: Client, hooks: BrokerHooks): Promise<Verdict> {
    if (!verdict.allowed || verdict.ifOwn === undefined) return verdict
    const tenant = await hooks.tenantOf(verdict.ifOwn)
    return tenant === client.tenant ? verdict : { allowed: false, reason: 'thing' }
  }

  async function run(hooks: BrokerHooks) {
    const store = options.directory === 'memory' ? undefined : await openStoredSessions(options.directory)
    /** Has a message that may be published stored; `done` when its sender may be told. */
    function take(
      connection: Connection,
      { client, lane }: Session,
      match: TopicMatch,
      { topic, payload, qos }: Publish,
      done: () => void,
    ) {
      const message = { topic, match, payload, client, retain: false }
      const taken = intake.add(lane, {
        run: () => hooks.receive(message),
        acknowledged: qos > 0,
        done(error) {
          if (!error) return done()
          refuse('failed', { ...who(connection), topic, err: error })
          connection.close()
        },
      })
      if (taken) return
      refuse('overload', who(connection))
      connection.close()
    }

    /** Takes what a hub publishes where it may, as it has done before; false for anything else. */
    function takeKnown(connection: Connection, publish: Publish, done: () => void): boolean {
      const session = sessions.get(connection)
      if (session?.client.party !== 'hub' || session.revoked) return false
      const match = session.publishes.get(publish.topic)
      if (!match) return false
      take(connection, session, match, publish, done)
      return true
    }

    function mayHear(connection: Connection, { topic, qos }: { topic: string; qos: number }): boolean {
      if (sessions.get(connection)?.revoked && !userPermission.match(topic)) return false
      if (connection.conn.writableLength <= limits.unread) return true
      refuse('slow-reader', who(connection))
      if (qos > 0) connection.close()
      return false
    }

    const { broker, send, heard } = await createEngine({
      ...(store && { persistence: store }),
      concurrency: 0,
      connectTimeout: limits.connectTimeout,
      keepaliveLimit: limits.keepalive,
      drainTimeout: 30_000,
      maxTopicLevels: 16,

      preConnect(connection, packet, reply) {
        // A screen starts from a snapshot each time, so it has no lasting session.
        if (screens.has(packet.clientId)) packet.clean = true
        if (packet.will?.retain) refuse('retain', who(connection))
        reply(null, packet.clientId.length <= 256)
      },

      authenticate(connection, username, password, reply) {
        identify(connection.id, username ?? '', password?.toString() ?? '', hooks).then(
          (client) => {
            if (connection.closed) return
            if (client) {
              enter(connection, client)
              reply(null, true)
            } else {
              refuse('credentials', { username: isId(username ?? '') ? username : undefined })
              reply(connectError(4, 'bad user name or password'), false)
            }
          },
          (err: unknown) => {
            log.warn({ err }, 'A connection could not be checked')
            reply(connectError(3, 'unavailable'), false)
          },
        )
      },

      authorizePublish(connection, packet, reply) {
        const session = connection && sessions.get(connection)
        // A will that outlived a crash: hubs that are not connected count as offline since the start.
        if (!connection || !session || session.revoked) return reply(null)
        const drop = (reason: Parameters<typeof refuse>[0]) => {
          refuse(reason, who(connection))
          reply(null)
        }
        if (packet.retain) return drop('retain')
        const key = keyOf(session.client)
        const others = present.get(key)
        const isWill = packet === (connection as { will?: unknown }).will || connection.closed
        // The hub is back on another connection, so this one's last will is no longer true.
        if (
          isWill &&
          session.client.party !== 'screen' &&
          others?.size &&
          !(others.size === 1 && others.has(connection))
        )
          return reply(null)

        const allow = (match: TopicMatch) =>
          take(connection, session, match, packet as Publish, () => reply(null))
        const known = session.publishes.get(packet.topic)
        if (known) return allow(known)
        const verdict = mayPublish(session.client, packet.topic)
        const judged = (final: Verdict) => {
          if (!final.allowed) return drop(final.reason)
          if (session.publishes.size < 64) session.publishes.set(packet.topic, final.match)
          allow(final.match)
        }
        if (!verdict.allowed || verdict.ifOwn === undefined) return judged(verdict)
        confirm(verdict, session.client, hooks).then(judged, () => connection.close())
      },

      authorizeSubscribe(connection, subscription, reply) {
        const session = sessions.get(connection)
        const { topic } = subscription
        const answer = (verdict: Verdict) => {
          const refusal = verdict.allowed ? keepFilter(session, topic) : verdict.reason
          // aedes works on the packets of one segment side by side, and takes an UNSUBSCRIBE's topics away a turn later: an
          // answer before that would leave a topic that is asked for again without anybody to hear it.
          if (refusal === undefined) return void setImmediate(() => reply(null, subscription))
          refuse(refusal, { ...who(connection), filter: topic.slice(0, 200) })
          // aedes keeps all filters of one SUBSCRIBE in a lasting session, the refused ones too.
          subscription.topic = NOWHERE
          queueMicrotask(() => reply(null, null))
        }
        if (!session || session.revoked) return answer({ allowed: false, reason: 'party' })
        const verdict = maySubscribe(session.client, topic)
        if (!verdict.allowed || verdict.ifOwn === undefined) return answer(verdict)
        confirm(verdict, session.client, hooks).then(answer, (error: Error) => reply(error))
      },

      authorizeForward: (connection, packet) => (mayHear(connection, packet) ? packet : null),
    })

    broker.on('clientReady', (connection) => {
      const session = sessions.get(connection)
      if (!session || session.revoked) return
      session.ready = true
      hooks.connected(session.client)
    })
    broker.on('clientDisconnect', (connection) => {
      const session = sessions.get(connection)
      const { last } = leave(connection)
      if (!session?.ready) return
      if (session.client.party === 'screen' || last)
        hooks.disconnected(session.client, saidGoodbye(connection))
    })
    broker.on('subscribe', (subscriptions: Subscription[], connection) => {
      const session = connection && sessions.get(connection)
      if (!session) return
      for (const { topic } of subscriptions) {
        if (topic === NOWHERE) continue
        // Again, for an UNSUBSCRIBE of it may have been at work meanwhile.
        session.filters.add(topic)
        hooks.subscribed?.(session.client, topic)
      }
    })
    broker.on('unsubscribe', (topics: string[], connection) => {
      const session = connection && sessions.get(connection)
      for (const topic of topics) session?.filters.delete(topic)
    })
    const onError = (connection: Connection, error: Error) => {
      if (/keep ?alive|ECONNRESET|EPIPE|closed|too large|user name|unavailable/i.test(error.message)) return
      refuse('protocol', { ...who(connection), text: error.message.slice(0, 200) })
    }
    broker.on('clientError', onError)
    broker.on('connectionError', onError)
    ;(broker as NodeJS.EventEmitter).on('error', (err: Error) => log.error({ err }, 'The broker failed'))
    const fanOut = createFanOut(mayHear)
    return { broker, send, store, heard, takeKnown, fanOut }
  }

  async function disconnect(target: Parameters<Broker['disconnect']>[0]) {
    const key = 'cognitoId' in target ? `person ${target.cognitoId}` : `hub ${target.thingName}`
    const only = 'cognitoId' in target ? target.sessions : undefined
    if ('cognitoId' in target) screens.forgetPerson(target.cognitoId, only)
    else for (const entry of entering) if (entry.username === target.thingName) entry.revoked = true
    for (const connection of present.get(key) ?? []) {
      const session = sessions.get(connection)
      if (session?.client.party === 'screen' && only?.includes(session.client.sessionId ?? '') === false)
        continue
      if (session) session.revoked = true
      // A person is told why before the connection goes; from now on that is all they may hear.
      if ('cognitoId' in target) clock.after(FAREWELL, () => connection.close())
      else connection.close()
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
