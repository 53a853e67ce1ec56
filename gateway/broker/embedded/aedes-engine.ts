import {
  Aedes,
  type AedesOptions,
  type AuthenticateError,
  type Client as Connection,
  type PublishPacket,
} from 'aedes'

/** Internals of aedes 1.2 that its types lack; the version is pinned and tests cover each of them. */
interface Internals {
  mq: {
    emit(packet: unknown, done?: (error?: Error) => void): unknown
    _matcher: { match(topic: string): unknown[] }
  }
  publish(packet: PublishPacket, client: Connection | null, done: (error?: Error) => void): void
}
interface ConnectionInternals {
  _disconnected: boolean
  _keepaliveInterval: number
  _parser: {
    packet: { length: number }
    _parseLength(): boolean
    emit(event: 'error', error: Error): void
    error: unknown
  }
}

export const packetOf = (topic: string, payload: Buffer, qos: 0 | 1): PublishPacket => ({
  cmd: 'publish',
  topic,
  payload,
  qos,
  retain: false,
  dup: false,
})

/** Error that answers a CONNECT with a return code (MQTT 3.1.1, 3.2.2.3): 3 unavailable, 4 bad user name or password. */
export const connectError = (returnCode: 3 | 4, text: string): AuthenticateError =>
  Object.assign(new Error(text), { returnCode }) as AuthenticateError

/** Closes a connection as soon as the length of a too large packet is read; aedes itself would buffer up to 256 MB first. */
export function limitPackets(connection: Connection, maxBytes: () => number, onTooLarge: () => void) {
  const parser = (connection as unknown as ConnectionInternals)._parser
  const parseLength = parser._parseLength
  parser._parseLength = function () {
    const isComplete = parseLength.call(this)
    if (!isComplete || this.packet.length <= maxBytes()) return isComplete
    onTooLarge()
    this.error = new Error('The packet is too large')
    this.emit('error', this.error as Error)
    return false
  }
}

/** Whether the client ended the connection by a DISCONNECT. */
export const isCleanDisconnect = (connection: Connection): boolean =>
  (connection as unknown as ConnectionInternals)._disconnected

/** One and a half times the keep-alive of a connection, in ms; unset once the connection is closed. */
export const keepAliveTimeoutOf = (connection: Connection): number =>
  (connection as unknown as ConnectionInternals)._keepaliveInterval

export type SendPacket = (packet: PublishPacket) => Promise<void>

/**
 * Aedes broker whose publishes do not wait for readers and keep their order.
 *
 * - A publish resolves when sessions have stored it, not when every connected reader has received it: one frozen screen
 *   would block the publisher.
 * - aedes discards a message whose number is lower than the subscriber's last one, and assigns numbers before it
 *   queries the store; so publishes run one after the other.
 * - Messages that a client publishes go to the gateway only, not to other clients.
 */
export async function createAedesEngine(options: AedesOptions) {
  const broker = await Aedes.createBroker(options)
  const internals = broker as unknown as Internals
  const emit = internals.mq.emit.bind(internals.mq)
  internals.mq.emit = (packet, done) => {
    emit(packet)
    done?.()
    return internals.mq
  }

  const publish = internals.publish.bind(broker)
  let last: Promise<unknown> = Promise.resolve()
  let waitingCount = 0
  const publishNow = (packet: PublishPacket) =>
    new Promise<void>((resolve, reject) =>
      publish(packet, null, (error) => (error ? reject(error) : resolve())),
    )
  const send: SendPacket = (packet) => {
    if (packet.qos === 0 && waitingCount === 0) return publishNow(packet)
    waitingCount++
    const sent = last.then(() => publishNow(packet)).finally(() => waitingCount--)
    last = sent.catch(() => {})
    return sent
  }

  internals.publish = (packet, client, done) => {
    // Notices of aedes itself have no client object and are addressed to $SYS.
    if (typeof client === 'function') return publish(packet, null, client)
    if (!client) return publish(packet, null, done)
    done()
  }
  return {
    broker,
    send,
    /** Whether a connected client subscribes to this topic. */
    hasSubscribers: (topic: string): boolean => internals.mq._matcher.match(topic).length > 0,
  }
}
