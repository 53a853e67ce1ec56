import type { AedesOptions, Client as Connection } from 'aedes'
import { userPermission } from '../../../contract/data-change.ts'
import type { MalformedSenders } from '../../lib/payloads/malformed-senders.ts'
import type { Log } from '../../kernel/ports.ts'
import { mayPublish, maySubscribe, type AclDecision } from '../acl.ts'
import { connectError } from './aedes-engine.ts'
import type { createIntake, ConnectionQueue } from '../inbound-queue.ts'
import type { BrokerLimits } from '../limits.ts'
import type { LiveSessions, LiveSession } from './live-sessions.ts'
import type { BrokerHooks, Client, TopicMatch } from '../../kernel/broker.ts'
import type { RejectConnection } from '../rejections.ts'
import type { Publish } from './publish-fast-path.ts'
import type { createAuthenticator } from './sign-in.ts'
import { isId, isMalformed } from '../topics.ts'

/** Prefix that replaces refused filters; no message is ever published under it. */
export const REFUSED_FILTER_PREFIX = '$refused'

const senderOf = (client: Client): string =>
  client.party === 'screen' ? `person ${client.cognitoId}` : `thing ${client.thingName}`

export interface EngineHookOptions {
  hooks: BrokerHooks
  limits: Pick<BrokerLimits, 'maxUnreadBytes'>
  sessions: LiveSessions
  signIn: ReturnType<typeof createAuthenticator>
  intake: ReturnType<typeof createIntake>
  reject: RejectConnection
  malformed: MalformedSenders
  log: Log
}

/** Callbacks of aedes that authorize connecting, publishing, subscribing and forwarding. */
type EngineOptions = Required<
  Pick<
    AedesOptions,
    'preConnect' | 'authenticate' | 'authorizePublish' | 'authorizeSubscribe' | 'authorizeForward'
  >
>

/** aedes callbacks that authenticate clients, queue the messages they publish, and authorize what they subscribe to. */
export function createEngineHooks({
  hooks,
  limits,
  sessions,
  signIn,
  intake,
  reject,
  malformed,
  log,
}: EngineHookOptions) {
  /** Queues an authorized message for storage; calls `done` when its sender may receive the acknowledgement. */
  function enqueue(
    connection: Connection,
    { client, queue }: LiveSession,
    match: TopicMatch,
    { topic, payload, qos }: Publish,
    done: () => void,
  ): void {
    const message = { topic, match, payload, client, retain: false }
    const isQueued = intake.add(queue, {
      run: () => hooks.receive(message),
      isAcknowledged: qos > 0,
      onDone(error, outcome) {
        if (!error) {
          // A malformed message can never be stored, so it is acknowledged: otherwise the hub would keep sending it.
          done()
          if (outcome === 'malformed') onMalformed(connection, client, queue)
          return
        }
        reject('failed', { ...sessions.logFieldsOf(connection), topic, err: error })
        connection.close()
      },
    })
    if (isQueued) return
    reject('overload', sessions.logFieldsOf(connection))
    connection.close()
  }

  /** Counts a malformed payload: many slow the sender down, and more end the connection. */
  function onMalformed(connection: Connection, client: Client, lane: ConnectionQueue): void {
    reject('malformed', sessions.logFieldsOf(connection))
    const sanction = malformed.record(senderOf(client))
    if (sanction === 'slowed') intake.delayNext(lane)
    // After the acknowledgement has been written.
    if (sanction === 'disconnected') setImmediate(() => connection.close())
  }

  /** Queues a hub's message to a topic that the connection was already authorized for; false for any other message. */
  function enqueueKnown(connection: Connection, publish: Publish, done: () => void): boolean {
    const session = sessions.get(connection)
    if (session?.client.party !== 'hub' || session.isRevoked) return false
    const match = session.publishes.get(publish.topic)
    if (!match) return false
    enqueue(connection, session, match, publish, done)
    return true
  }

  /** Whether a message may be forwarded to a connection: not if it is revoked, nor if its send buffer is full. */
  function mayDeliver(connection: Connection, { topic, qos }: { topic: string; qos: number }): boolean {
    if (sessions.get(connection)?.isRevoked && !userPermission.match(topic)) return false
    if (connection.conn.writableLength <= limits.maxUnreadBytes) return true
    reject('slow-reader', sessions.logFieldsOf(connection))
    if (qos > 0) connection.close()
    return false
  }

  /** Completes a decision that depends on the company of a hub. */
  async function confirmOwner(decision: AclDecision, client: Client): Promise<AclDecision> {
    if (!decision.allowed || decision.ownThingName === undefined) return decision
    const tenant = await hooks.findTenant(decision.ownThingName)
    return tenant === client.tenant ? decision : { allowed: false, reason: 'thing' }
  }

  const engineOptions: EngineOptions = {
    preConnect(connection, packet, reply) {
      // No session state is kept for disconnected clients: a screen starts from a snapshot, a hub requests what it missed or resends.
      packet.clean = true
      if (packet.will?.retain) reject('retain', sessions.logFieldsOf(connection))
      reply(null, packet.clientId.length <= 256)
    },

    authenticate(connection, username, password, reply) {
      const { remoteAddress } = connection.conn as { remoteAddress?: string }
      signIn.check(connection.id, username ?? '', password?.toString() ?? '', hooks, remoteAddress).then(
        (client) => {
          if (connection.closed) return
          if (client && malformed.sanctionOf(senderOf(client)) === 'disconnected') {
            reject('malformed', { username: isId(username ?? '') ? username : undefined })
            reply(connectError(3, 'too many malformed messages'), false)
          } else if (client) {
            sessions.add(connection, client)
            const link = sessions.get(connection)?.connection
            const delay = link && client.party !== 'screen' ? hooks.onConnected?.(client, link) : undefined
            if (!delay) return reply(null, true)
            void delay.then(() => {
              if (!connection.closed) reply(null, true)
            })
          } else {
            reject('credentials', { username: isId(username ?? '') ? username : undefined })
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
      const session = connection && sessions.get(connection)
      // A will restored after a crash is ignored: hubs that are not connected count as offline since the start.
      if (!connection || !session || session.isRevoked) return reply(null)
      const dropMessage = (reason: Parameters<RejectConnection>[0]) => {
        reject(reason, sessions.logFieldsOf(connection))
        reply(null)
      }
      if (isMalformed(packet.topic)) {
        dropMessage('protocol')
        return connection.close()
      }
      if (packet.retain) return dropMessage('retain')
      const isWill = packet === (connection as { will?: unknown }).will || connection.closed
      // The hub has reconnected, here or elsewhere, so this connection's last will is no longer true.
      if (isWill && sessions.isReplaced(connection, session)) return reply(null)
      const { client } = session
      const enqueueMatch = (match: TopicMatch) =>
        enqueue(connection, session, match, packet as Publish, () => reply(null))
      const allow = (match: TopicMatch) => {
        if (!isWill || client.party === 'screen' || !hooks.onDisconnected) return enqueueMatch(match)
        void hooks
          .onDisconnected(client, session.connection, session.closeReason)
          .then(({ isLast }) => (isLast ? enqueueMatch(match) : reply(null)))
      }
      const known = session.publishes.get(packet.topic)
      if (known) return allow(known)
      const decision = mayPublish(session.client, packet.topic)
      const onDecision = (decision: AclDecision) => {
        if (!decision.allowed) {
          hooks.onRejected?.(session.client, decision.reason)
          return dropMessage(decision.reason)
        }
        if (session.publishes.size < 64) session.publishes.set(packet.topic, decision.match)
        allow(decision.match)
      }
      if (!decision.allowed || decision.ownThingName === undefined) return onDecision(decision)
      confirmOwner(decision, session.client).then(onDecision, () => connection.close())
    },

    authorizeSubscribe(connection, subscription, reply) {
      const session = sessions.get(connection)
      const { topic } = subscription
      const acknowledge = async () => {
        if (session && !session.announcedFilters.has(topic)) {
          session.announcedFilters.add(topic)
          await hooks.beforeSubscribe?.(session.client, topic)
        }
        // aedes processes the packets of one segment concurrently and removes the topics of an UNSUBSCRIBE a tick
        // later: an earlier answer would let that UNSUBSCRIBE remove a topic that is subscribed again.
        setImmediate(() => reply(null, subscription))
      }
      const onDecision = (decision: AclDecision) => {
        const rejection = decision.allowed ? sessions.addFilter(session, topic) : decision.reason
        if (rejection === undefined) return void acknowledge()
        reject(rejection, { ...sessions.logFieldsOf(connection), filter: topic.slice(0, 200) })
        subscription.topic = REFUSED_FILTER_PREFIX
        queueMicrotask(() => reply(null, null))
      }
      if (!session || session.isRevoked) return onDecision({ allowed: false, reason: 'party' })
      if (isMalformed(topic)) {
        reject('protocol', sessions.logFieldsOf(connection))
        return connection.close()
      }
      const decision = maySubscribe(session.client, topic)
      if (!decision.allowed || decision.ownThingName === undefined) return onDecision(decision)
      confirmOwner(decision, session.client).then(onDecision, (error: Error) => reply(error))
    },

    authorizeForward: (connection, packet) => (mayDeliver(connection, packet) ? packet : null),
  }

  return { engineOptions, enqueueKnown, mayDeliver }
}
