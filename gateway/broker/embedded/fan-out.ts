import type { Client as Connection } from 'aedes'
import { generate } from 'mqtt-packet'

/** A message of aedes on its way to those who subscribed. */
interface Passing {
  topic: string
  payload: Buffer
  qos: number
  brokerId?: string
  brokerCounter: number
}
/** What of aedes 1.2 is not in its types; the version is pinned and tests hold each of these. */
interface Internals {
  /** By broker, the number of the last message that this connection was given. */
  duplicates: Record<string, number>
  deliver0(packet: Passing, done: () => void): void
}

/**
 * Makes a message for readers at QoS 0 once for all of them: it is the same bytes for each, and aedes would write it again,
 * piece by piece, for every one.
 *
 * mayHear  whether this connection gets it
 */
export function createFanOut(mayHear: (connection: Connection, packet: Passing) => boolean) {
  let last: { packet: Passing; bytes: Buffer } | undefined

  function bytesOf(packet: Passing): Buffer {
    if (last?.packet !== packet) {
      const { topic, payload } = packet
      last = {
        packet,
        bytes: generate({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }),
      }
    }
    return last.bytes
  }

  /** Has what this connection hears at QoS 0 written so. */
  return (connection: Connection): void => {
    const internals = connection as unknown as Internals
    internals.deliver0 = (packet, done) => {
      const { brokerId, brokerCounter } = packet
      const isNew = !brokerId || (internals.duplicates[brokerId] ?? 0) < brokerCounter
      if (isNew && brokerId) internals.duplicates[brokerId] = brokerCounter
      if (!isNew || !mayHear(connection, packet)) return void setImmediate(done)
      const bytes = bytesOf(packet)
      // Not at once, for aedes delivers QoS 1 in the next turn, too, and their order is kept.
      setImmediate(() => {
        if (!connection.closed) connection.conn.write(bytes)
        done()
      })
    }
  }
}
