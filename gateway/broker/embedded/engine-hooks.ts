import type { AedesOptions, Client as Connection } from 'aedes'
import { userPermission } from '../../../contract/data-change.ts'
import type { MalformedSenders } from '../../lib/payloads/malformed-senders.ts'
import type { Log } from '../../kernel/ports.ts'
import { mayPublish, maySubscribe, type AclDecision } from '../acl.ts'
import { connectError } from './aedes-engine.ts'
import type { createIntake, ConnectionQueue } from '../inbound-queue.ts'
import type { BrokerLimits } from '../limits.ts'
import type { LiveSessions, LiveSession } from './live-sessions.ts'
import type { BrokerHooks, Client, TopicMatch } from '../port.ts'
import type { RejectConnection } from '../rejections.ts'
import type { Publish } from './publish-fast-path.ts'
import type { createAuthenticator } from './sign-in.ts'
import { isId, isMalformed } from '../topics.ts'

/** Filters of refused subscriptions: under it nothing is ever published. */
export const REFUSED_FILTER_PREFIX = '$refused'

const senderOf = (client: Client): string =>
  client.party === 'screen' ? `person ${client.cognitoId}` : `thing ${client.thingName}`

export interface EngineHookOptions {
  /** What the broker asks of the rest of the gateway. */
  hooks: BrokerHooks
  limits: Pick<BrokerLimits, 'unread'>
  sessions: LiveSessions
  signIn: ReturnType<typeof createAuthenticator>
  intake: ReturnType<typeof createIntake>
  refuse: RejectConnection
  malformed: MalformedSenders
  log: Log
}

/** What aedes asks before it lets a client connect, publish, subscribe or hear. */
type Asked = Required<
  Pick<
    AedesOptions,
    'preConnect' | 'authenticate' | 'authorizePublish' | 'authorizeSubscribe' | 'authorizeForward'
  >
>

/** Answers aedes: who comes in, what is taken of what they publish, and who hears what. */
export function createEngineHooks({
  hooks,
  limits,
  sessions,
  signIn,
  intake,
  refuse,
  malformed,
  log,
}: EngineHookOptions) {
  /** Has a message that may be published stored; `done` when its sender may be told. */
  function take(
    connection: Connection,
    { client, lane }: LiveSession,
    match: TopicMatch,
    { topic, payload, qos }: Publish,
    done: () => void,
  ): void {
    const message = { topic, match, payload, client, retain: false }
    const taken = intake.add(lane, {
      run: () => hooks.receive(message),
      acknowledged: qos > 0,
      done(error, outcome) {
        if (!error) {
          // It can never be stored, so it is acknowledged: otherwise the hub would keep sending it.
          done()
          if (outcome === 'malformed') onMalformed(connection, client, lane)
          return
        }
        refuse('failed', { ...sessions.who(connection), topic, err: error })
        connection.close()
      },
    })
    if (taken) return
    refuse('overload', sessions.who(connection))
    connection.close()
  }

  /** Counts a malformed payload: many slow its sender down, and more end the connection. */
  function onMalformed(connection: Connection, client: Client, lane: ConnectionQueue): void {
    refuse('malformed', sessions.who(connection))
    const standing = malformed.record(senderOf(client))
    if (standing === 'slowed') intake.slowDown(lane)
    // After the acknowledgement has been written.
    if (standing === 'disconnected') setImmediate(() => connection.close())
  }

  /** Takes what a hub publishes where it may, as it has done before; false for anything else. */
  function takeKnown(connection: Connection, publish: Publish, done: () => void): boolean {
    const session = sessions.of(connection)
    if (session?.client.party !== 'hub' || session.revoked) return false
    const match = session.publishes.get(publish.topic)
    if (!match) return false
    take(connection, session, match, publish, done)
    return true
  }

  /** Whether a connection gets a message: not one that is revoked, nor one that does not read what it was sent. */
  function mayHear(connection: Connection, { topic, qos }: { topic: string; qos: number }): boolean {
    if (sessions.of(connection)?.revoked && !userPermission.match(topic)) return false
    if (connection.conn.writableLength <= limits.unread) return true
    refuse('slow-reader', sessions.who(connection))
    if (qos > 0) connection.close()
    return false
  }

  /** The rest of a verdict, for which a hub's company must be known. */
  async function confirm(verdict: AclDecision, client: Client): Promise<AclDecision> {
    if (!verdict.allowed || verdict.ifOwn === undefined) return verdict
    const tenant = await hooks.tenantOf(verdict.ifOwn)
    return tenant === client.tenant ? verdict : { allowed: false, reason: 'thing' }
  }

  const asked: Asked = {
    preConnect(connection, packet, reply) {
      // Nothing is kept for who is away: a screen starts from a snapshot, a hub asks for what it missed or is sent it again.
      packet.clean = true
      if (packet.will?.retain) refuse('retain', sessions.who(connection))
      reply(null, packet.clientId.length <= 256)
    },

    authenticate(connection, username, password, reply) {
      const { remoteAddress } = connection.conn as { remoteAddress?: string }
      signIn.check(connection.id, username ?? '', password?.toString() ?? '', hooks, remoteAddress).then(
        (client) => {
          if (connection.closed) return
          if (client && malformed.standing(senderOf(client)) === 'disconnected') {
            refuse('malformed', { username: isId(username ?? '') ? username : undefined })
            reply(connectError(3, 'too many malformed messages'), false)
          } else if (client) {
            sessions.enter(connection, client)
            const link = sessions.of(connection)?.link
            const wait = link && client.party !== 'screen' ? hooks.came?.(client, link) : undefined
            if (!wait) return reply(null, true)
            void wait.then(() => {
              if (!connection.closed) reply(null, true)
            })
          } else {
            refuse('credentials', { username: isId(username ?? '') ? username : undefined })
            reply(connectError(4, 'bad user name or password'), false)
          }
        },
        (err: unknown) => {
          log.warn({ err }, 'connection check failed')
          reply(connectError(3, 'unavailable'), false)
        },
      )
    },

    authorizePublish(connection, packet, reply) {
      const session = connection && sessions.of(connection)
      // A will that outlived a crash: hubs that are not connected count as offline since the start.
      if (!connection || !session || session.revoked) return reply(null)
      const drop = (reason: Parameters<RejectConnection>[0]) => {
        refuse(reason, sessions.who(connection))
        reply(null)
      }
      if (isMalformed(packet.topic)) {
        drop('protocol')
        return connection.close()
      }
      if (packet.retain) return drop('retain')
      const isWill = packet === (connection as { will?: unknown }).will || connection.closed
      // The hub is back on another connection, here or elsewhere, so this one's last will is no longer true.
      if (isWill && sessions.isReplaced(connection, session)) return reply(null)
      const { client } = session
      const takeIt = (match: TopicMatch) =>
        take(connection, session, match, packet as Publish, () => reply(null))
      const allow = (match: TopicMatch) => {
        if (!isWill || client.party === 'screen' || !hooks.went) return takeIt(match)
        void hooks
          .went(client, session.link, session.ending)
          .then(({ last }) => (last ? takeIt(match) : reply(null)))
      }
      const known = session.publishes.get(packet.topic)
      if (known) return allow(known)
      const verdict = mayPublish(session.client, packet.topic)
      const judged = (final: AclDecision) => {
        if (!final.allowed) {
          hooks.turnedAway?.(session.client, final.reason)
          return drop(final.reason)
        }
        if (session.publishes.size < 64) session.publishes.set(packet.topic, final.match)
        allow(final.match)
      }
      if (!verdict.allowed || verdict.ifOwn === undefined) return judged(verdict)
      confirm(verdict, session.client).then(judged, () => connection.close())
    },

    authorizeSubscribe(connection, subscription, reply) {
      const session = sessions.of(connection)
      const { topic } = subscription
      const grant = async () => {
        if (session && !session.told.has(topic)) {
          session.told.add(topic)
          await hooks.subscribing?.(session.client, topic)
        }
        // aedes works on the packets of one segment side by side, and takes an UNSUBSCRIBE's topics away a turn later: an
        // answer before that would leave a topic that is asked for again without anybody to hear it.
        setImmediate(() => reply(null, subscription))
      }
      const answer = (verdict: AclDecision) => {
        const refusal = verdict.allowed ? sessions.keepFilter(session, topic) : verdict.reason
        if (refusal === undefined) return void grant()
        refuse(refusal, { ...sessions.who(connection), filter: topic.slice(0, 200) })
        subscription.topic = REFUSED_FILTER_PREFIX
        queueMicrotask(() => reply(null, null))
      }
      if (!session || session.revoked) return answer({ allowed: false, reason: 'party' })
      if (isMalformed(topic)) {
        refuse('protocol', sessions.who(connection))
        return connection.close()
      }
      const verdict = maySubscribe(session.client, topic)
      if (!verdict.allowed || verdict.ifOwn === undefined) return answer(verdict)
      confirm(verdict, session.client).then(answer, (error: Error) => reply(error))
    },

    authorizeForward: (connection, packet) => (mayHear(connection, packet) ? packet : null),
  }

  return { asked, takeKnown, mayHear }
}
