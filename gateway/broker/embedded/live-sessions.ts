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
} from '../port.ts'

/** What the gateway knows of one connection. */
export interface LiveSession {
  client: Client
  /** The connection as the rest of the gateway knows it. */
  link: BrokerConnection
  lane: ConnectionQueue
  /** Topics this connection may publish to, so that each is judged once. */
  publishes: Map<string, TopicMatch>
  /** Filters it has, or is about to have. */
  filters: Set<string>
  /** Those of which the rest of the gateway was told. */
  told: Set<string>
  ready: boolean
  /** Nothing of it counts any more: its credentials were taken away, or it was dropped. */
  revoked: boolean
  /** How its connection ends; may still change before it does. */
  ending: CloseReason
}

/** More people do not pass a door; whoever tries card numbers is slowed down. */
const SCANS_PER_SECOND = 10

const keyOf = (who: Client | DisconnectEvent) =>
  'cognitoId' in who ? `person ${who.cognitoId}` : `hub ${who.thingName}`

/** Who is behind each connection of the embedded broker, from their password until the connection ends. */
export function createLiveSessions({
  limits,
  intake,
}: {
  limits: Pick<BrokerLimits, 'rate' | 'subscriptions'>
  intake: ReturnType<typeof createIntake>
}) {
  const sessions = new WeakMap<Connection, LiveSession>()
  /** Connections that are signed in or about to be, by person and hub. */
  const present = new Map<string, Set<Connection>>()

  return {
    of: (connection: Connection): LiveSession | undefined => sessions.get(connection),

    /** Whom a connection belongs to, as the log says it. */
    who(connection: Connection | null): Record<string, unknown> {
      const client = connection && sessions.get(connection)?.client
      if (!client) return {}
      return client.party === 'screen' ? { cognitoId: client.cognitoId } : { thingName: client.thingName }
    },

    /** The connection proved to be this client's. */
    enter(connection: Connection, client: Client): void {
      const rate = client.party === 'scanner' ? SCANS_PER_SECOND : limits.rate[client.party]
      const session: LiveSession = {
        client,
        link: {
          get clientId() {
            return connection.id
          },
          drop() {
            session.revoked = true
            connection.close()
          },
        },
        lane: intake.lane(rate),
        publishes: new Map(),
        filters: new Set(),
        told: new Set(),
        ready: false,
        revoked: false,
        ending: { final: false, unheard: 0 },
      }
      sessions.set(connection, session)
      const key = keyOf(client)
      present.set(key, (present.get(key) ?? new Set()).add(connection))
      // A client id is its owner's: nobody can take over another's connection by naming it.
      if (client.party !== 'screen') connection.id = `${client.thingName}/${connection.id}`
    },

    /** The connection ended; `last` when it was the only one of its person or hub. May be called twice. */
    leave(connection: Connection): { last: boolean } {
      const session = sessions.get(connection)
      if (!session) return { last: false }
      const key = keyOf(session.client)
      const others = present.get(key)
      others?.delete(connection)
      if (others?.size === 0) present.delete(key)
      intake.leave(session.lane, session.revoked)
      return { last: !present.has(key) }
    },

    /** Every connection of a screen. */
    screens: (): { connection: Connection; client: ScreenClient }[] =>
      [...present.values()].flatMap((connections) =>
        [...connections].flatMap((connection) => {
          const session = sessions.get(connection)
          return session?.client.party === 'screen' && !session.revoked
            ? [{ connection, client: session.client }]
            : []
        }),
      ),

    /** Every connection that is not ending. */
    all: (): Connection[] =>
      [...present.values()].flatMap((connections) =>
        [...connections].filter((connection) => sessions.get(connection)?.revoked === false),
      ),

    /** Every connection of a person or hub. */
    connectionsOf: (who: DisconnectEvent): readonly Connection[] => [...(present.get(keyOf(who)) ?? [])],

    /** Whether the hub or scanner of this connection is on another one meanwhile. */
    isReplaced(connection: Connection, { client }: LiveSession): boolean {
      const others = present.get(keyOf(client)) ?? []
      return client.party !== 'screen' && [...others].some((other) => other !== connection)
    },

    /** Counts one more filter of a connection; why not, when it has too many. */
    keepFilter(session: LiveSession | undefined, filter: string): 'subscriptions' | undefined {
      if (!session || (!session.filters.has(filter) && session.filters.size >= limits.subscriptions))
        return 'subscriptions'
      session.filters.add(filter)
      return undefined
    },
  }
}

export type LiveSessions = ReturnType<typeof createLiveSessions>
