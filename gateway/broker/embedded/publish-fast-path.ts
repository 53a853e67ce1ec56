import type { Client as Connection } from 'aedes'

/** Internals of aedes 1.2 and its parser that their types lack; the version is pinned and tests cover each of them. */
interface Internals {
  connackSent: boolean
  _parser: { _list: { length: number }; _stateCounter: number; parse(bytes: Buffer): number }
  /** Number of packets in progress; aedes reads on when it is 0. */
  _parsingBatch: number
  _nextBatch(error?: Error): void
  _keepaliveInterval: number
  _keepaliveTimer: NodeJS.Timeout | null
  waitForDrain(done: (error?: Error | null) => void): void
}

/** Fields of a PUBLISH packet. */
export interface Publish {
  topic: string
  payload: Buffer
  qos: number
}

const PUBLISH = 0b0011
/** Flags of the first byte that the fast path accepts: QoS 0, QoS 1, QoS 1 duplicate; neither retained nor QoS 2. */
const PLAIN_FLAGS = new Set([0b0000, 0b0010, 0b1010])
const PUBACK = 0x40

/**
 * Parses PUBLISH packets directly from the bytes, bypassing aedes and its parser, which take several times as long
 * and dominate the cost of a reading. Handles complete, plain packets of an accepted connection only; aedes parses
 * the rest, in order. MQTT 3.1 and 3.1.1, like aedes 1.2: version 5 has properties before the payload.
 *
 * maxBytes  maximum size of a packet in bytes
 * tryEnqueue     accepts a message, and calls `done` when it may be acknowledged, but not before `tryEnqueue` returns; false leaves
 *          the message to aedes
 */
export function openPublishFastPath(
  connection: Connection,
  maxBytes: () => number,
  tryEnqueue: (publish: Publish, done: () => void) => boolean,
): void {
  const internals = connection as unknown as Internals
  const parser = internals._parser
  const parse = parser.parse
  const acknowledge = createAcknowledger(connection, internals)

  parser.parse = function (bytes) {
    let offset = 0
    // aedes may have parsed part of a packet.
    if (parser._list.length === 0 && parser._stateCounter === 0 && internals.connackSent)
      while (offset < bytes.length && !connection.closed) {
        const packet = readPublish(bytes, offset, maxBytes())
        if (!packet) break
        const { messageId, end } = packet
        if (!tryEnqueue(packet, () => acknowledge(messageId))) break
        offset = end
        internals._parsingBatch++
        if (internals._keepaliveInterval > 0) internals._keepaliveTimer?.refresh()
      }
    if (offset === bytes.length || connection.closed) return 0
    return parse.call(this, offset === 0 ? bytes : bytes.subarray(offset))
  }
}

/** The PUBLISH that begins at `offset`; undefined if it is another packet, not plain, or incomplete. */
function readPublish(
  bytes: Buffer,
  offset: number,
  maxBytes: number,
): (Publish & { messageId: number; end: number }) | undefined {
  const header = bytes[offset] as number
  if (header >> 4 !== PUBLISH || !PLAIN_FLAGS.has(header & 0b1111)) return undefined
  let length = 0
  let position = offset + 1
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[position++]
    if (byte === undefined || shift > 21) return undefined
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  const end = position + length
  const qos = header & 0b0010 ? 1 : 0
  if (length > maxBytes || end > bytes.length || length < 2 + 2 * qos) return undefined
  const topicEnd = position + 2 + bytes.readUInt16BE(position)
  const payloadAt = topicEnd + 2 * qos
  if (payloadAt > end) return undefined
  const messageId = qos ? bytes.readUInt16BE(topicEnd) : 0
  if (qos && messageId === 0) return undefined
  // Valid topics are ASCII; any other topic matches none of them in latin1.
  const topic = bytes.toString('latin1', position + 2, topicEnd)
  return { topic, payload: bytes.subarray(payloadAt, end), qos, messageId, end }
}

/** Acknowledges the messages of a connection, those of one tick in one write, and makes aedes read on. */
function createAcknowledger(connection: Connection, internals: Internals): (messageId: number) => void {
  let pendingIds: number[] = []

  function flush() {
    const messageIds = pendingIds
    pendingIds = []
    if (connection.closed) return
    const acks = Buffer.allocUnsafe(4 * messageIds.length)
    let length = 0
    for (const id of messageIds)
      if (id > 0) length = acks.writeUInt32BE(PUBACK * 2 ** 24 + 0x2_0000 + id, length)
    const continueReading = () => {
      for (const _ of messageIds) internals._nextBatch()
    }
    if (length === 0 || connection.conn.write(acks.subarray(0, length))) continueReading()
    else internals.waitForDrain((error) => error ?? continueReading())
  }

  return (messageId) => {
    if (pendingIds.push(messageId) === 1) process.nextTick(flush)
  }
}
