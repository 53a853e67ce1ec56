import type { Client as Connection } from 'aedes'
import type { createIntake, ConnectionQueue } from '../inbound-queue.ts'
import type { BrokerLimits } from '../limits.ts'
import type {
  BrokerConnection,
  Client,
  DisconnectEvent,
  CloseReason,
  ScreenClient,
  TopicMatch,
  BrokerHooks,
} from '../../kernel/broker.ts'
import type { Clock, Log } from '../../kernel/ports.ts'

/** State of one authenticated connection. */
export interface LiveSession {
  client: Client
  /** Handle of the connection for the rest of the gateway. */
  connection: BrokerConnection
  queue: ConnectionQueue
  /** Topics this connection may publish to, so that each is authorized only once. */
  publishes: Map<string, TopicMatch>
  /** Filters that are subscribed, or are being subscribed. */
  filters: Set<string>
  /** Filters that were announced to the rest of the gateway. */
  announcedFilters: Set<string>
  isReady: boolean
  /** Credentials were revoked or the connection was dropped; its messages no longer count. */
  isRevoked: boolean
  /** Reason for the end of the connection; may change until it ends. */
  closeReason: CloseReason
}

/** Faster than people can pass a door; slows down attempts to guess card numbers. */
const SCANS_PER_SECOND = 10

const keyOf = (target: Client | DisconnectEvent) =>
  'cognitoId' in target ? `person ${target.cognitoId}` : `hub ${target.thingName}`

/** Clients of the embedded broker's connections, from authentication until the connection ends. */
export function createLiveSessions({
  limits,
  intake,
}: {
  limits: Pick<BrokerLimits, 'rate' | 'subscriptions'>
  intake: ReturnType<typeof createIntake>
}) {
  const sessions = new WeakMap<Connection, LiveSession>()
  /** Connections from authentication on, by person and hub. */
  const connectionsByClient = new Map<string, Set<Connection>>()

  return {
    get: (connection: Connection): LiveSession | undefined => sessions.get(connection),

    /** Log fields that identify the client of a connection. */
    logFieldsOf(connection: Connection | null): Record<string, unknown> {
      const client = connection && sessions.get(connection)?.client
      if (!client) return {}
      return client.party === 'screen' ? { cognitoId: client.cognitoId } : { thingName: client.thingName }
    },

    /** Registers the authenticated client of a connection. */
    add(connection: Connection, client: Client): void {
      const rate = client.party === 'scanner' ? SCANS_PER_SECOND : limits.rate[client.party]
      const session: LiveSession = {
        client,
        connection: {
          get clientId() {
            return connection.id
          },
          disconnect() {
            session.isRevoked = true
            connection.close()
          },
        },
        queue: intake.createQueue(rate),
        publishes: new Map(),
        filters: new Set(),
        announcedFilters: new Set(),
        isReady: false,
        isRevoked: false,
        closeReason: { isFinal: false, silentMs: 0 },
      }
      sessions.set(connection, session)
      const key = keyOf(client)
      connectionsByClient.set(key, (connectionsByClient.get(key) ?? new Set()).add(connection))
      // Client ids are scoped to the thing, so that no client can take over another thing's connection.
      if (client.party !== 'screen') connection.id = `${client.thingName}/${connection.id}`
    },

    /** Removes an ended connection; `isLast` if its person or hub has no other one. May be called twice. */
    remove(connection: Connection): { isLast: boolean } {
      const session = sessions.get(connection)
      if (!session) return { isLast: false }
      const key = keyOf(session.client)
      const others = connectionsByClient.get(key)
      others?.delete(connection)
      if (others?.size === 0) connectionsByClient.delete(key)
      intake.discard(session.queue, session.isRevoked)
      return { isLast: !connectionsByClient.has(key) }
    },

    screens: (): { connection: Connection; client: ScreenClient }[] =>
      [...connectionsByClient.values()].flatMap((connections) =>
        [...connections].flatMap((connection) => {
          const session = sessions.get(connection)
          return session?.client.party === 'screen' && !session.isRevoked
            ? [{ connection, client: session.client }]
            : []
        }),
      ),

    all: (): Connection[] =>
      [...connectionsByClient.values()].flatMap((connections) =>
        [...connections].filter((connection) => sessions.get(connection)?.isRevoked === false),
      ),

    connectionsOf: (target: DisconnectEvent): readonly Connection[] => [
      ...(connectionsByClient.get(keyOf(target)) ?? []),
    ],

    /** Whether the hub or scanner of this connection has another connection by now. */
    isReplaced(connection: Connection, { client }: LiveSession): boolean {
      const others = connectionsByClient.get(keyOf(client)) ?? []
      return client.party !== 'screen' && [...others].some((other) => other !== connection)
    },

    /** Records a filter of a connection; returns the refusal if it has too many. */
    addFilter(session: LiveSession | undefined, filter: string): 'subscriptions' | undefined {
      if (!session || (!session.filters.has(filter) && session.filters.size >= limits.subscriptions))
        return 'subscriptions'
      session.filters.add(filter)
      return undefined
    },
  }
}

export type LiveSessions = ReturnType<typeof createLiveSessions>

const CHECK_INTERVAL_MS = 60_000

/**
 * Ends, once a minute, screens' connections whose credentials have expired or whose sign-in has ended.
 *
 * endConnection  ends one connection as if its person had been signed out
 */
export function startExpiringSessions({
  sessions,
  hooks,
  clock,
  log,
  endConnection,
}: {
  sessions: LiveSessions
  hooks: Pick<BrokerHooks, 'findSessions'>
  clock: Clock
  log: Log
  endConnection: (connection: Connection) => void
}): { close(): void } {
  let closed = false
  let cancel = clock.after(CHECK_INTERVAL_MS, check)

  function check() {
    void endExpired().finally(() => {
      if (!closed) cancel = clock.after(CHECK_INTERVAL_MS, check)
    })
  }

  async function endExpired(): Promise<void> {
    const screens = sessions.screens()
    const people = [...new Set(screens.map(({ client }) => client.cognitoId))]
    // While the database is unavailable, credentials still expire.
    const validSessions = await hooks.findSessions?.(people).catch((err: unknown) => {
      log.warn({ err }, 'session check of connected screens failed')
      return undefined
    })
    for (const { connection, client } of screens) {
      const { cognitoId, sessionId, expiresAt = Infinity } = client
      const isSignedOut = validSessions && sessionId && !validSessions.get(cognitoId)?.includes(sessionId)
      if (expiresAt <= clock.now() || isSignedOut) endConnection(connection)
    }
  }

  return {
    close() {
      closed = true
      cancel()
    },
  }
}
