import type { Client as Connection } from 'aedes'
import { generate } from 'mqtt-packet'

/** An aedes message on its way to subscribers. */
interface ForwardedPacket {
  topic: string
  payload: Buffer
  qos: number
  brokerId?: string
  brokerCounter: number
}
/** Internals of aedes 1.2 that its types lack; the version is pinned and tests cover each of them. */
interface Internals {
  /** Number of the last message delivered to this connection, by broker id. */
  duplicates: Record<string, number>
  deliver0(packet: ForwardedPacket, done: () => void): void
}

/**
 * Encodes a QoS 0 message once for all its subscribers: the bytes are the same, but aedes would encode it again for
 * every subscriber.
 *
 * mayDeliver  whether this connection may receive the message
 */
export function createFanOut(mayDeliver: (connection: Connection, packet: ForwardedPacket) => boolean) {
  let last: { packet: ForwardedPacket; bytes: Buffer } | undefined

  function bytesOf(packet: ForwardedPacket): Buffer {
    if (last?.packet !== packet) {
      const { topic, payload } = packet
      last = {
        packet,
        bytes: generate({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }),
      }
    }
    return last.bytes
  }

  /** Replaces a connection's QoS 0 delivery. */
  return (connection: Connection): void => {
    const internals = connection as unknown as Internals
    internals.deliver0 = (packet, done) => {
      const { brokerId, brokerCounter } = packet
      const isNew = !brokerId || (internals.duplicates[brokerId] ?? 0) < brokerCounter
      if (isNew && brokerId) internals.duplicates[brokerId] = brokerCounter
      if (!isNew || !mayDeliver(connection, packet)) return void setImmediate(done)
      const bytes = bytesOf(packet)
      // aedes delivers QoS 1 in the next tick, so QoS 0 waits too and their order is kept.
      setImmediate(() => {
        if (!connection.closed) connection.conn.write(bytes)
        done()
      })
    }
  }
}
