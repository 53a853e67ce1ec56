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
const PLAIN = new Set([0b0000, 0b0010, 0b1010])
const PUBACK = 0x40

/**
 * Parses PUBLISH packets directly from the bytes, bypassing aedes and its parser, which take several times as long
 * and dominate the cost of a reading. Handles complete, plain packets of an accepted connection only; aedes parses
 * the rest, in order. MQTT 3.1 and 3.1.1, like aedes 1.2: version 5 has properties before the payload.
 *
 * longest  maximum size of a packet in bytes
 * take     accepts a message, and calls `done` when it may be acknowledged, but not before `take` returns; false leaves
 *          the message to aedes
 */
export function openPublishFastPath(
  connection: Connection,
  longest: () => number,
  take: (publish: Publish, done: () => void) => boolean,
): void {
  const internals = connection as unknown as Internals
  const parser = internals._parser
  const parse = parser.parse
  const acknowledge = acknowledger(connection, internals)

  parser.parse = function (bytes) {
    let at = 0
    // aedes may have parsed part of a packet.
    if (parser._list.length === 0 && parser._stateCounter === 0 && internals.connackSent)
      while (at < bytes.length && !connection.closed) {
        const packet = readPublish(bytes, at, longest())
        if (!packet) break
        const { messageId, end } = packet
        if (!take(packet, () => acknowledge(messageId))) break
        at = end
        internals._parsingBatch++
        if (internals._keepaliveInterval > 0) internals._keepaliveTimer?.refresh()
      }
    if (at === bytes.length || connection.closed) return 0
    return parse.call(this, at === 0 ? bytes : bytes.subarray(at))
  }
}

/** The PUBLISH that begins at `at`; undefined if it is another packet, not plain, or incomplete. */
function readPublish(
  bytes: Buffer,
  at: number,
  longest: number,
): (Publish & { messageId: number; end: number }) | undefined {
  const first = bytes[at] as number
  if (first >> 4 !== PUBLISH || !PLAIN.has(first & 0b1111)) return undefined
  let length = 0
  let from = at + 1
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[from++]
    if (byte === undefined || shift > 21) return undefined
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  const end = from + length
  const qos = first & 0b0010 ? 1 : 0
  if (length > longest || end > bytes.length || length < 2 + 2 * qos) return undefined
  const topicEnd = from + 2 + bytes.readUInt16BE(from)
  const payloadAt = topicEnd + 2 * qos
  if (payloadAt > end) return undefined
  const messageId = qos ? bytes.readUInt16BE(topicEnd) : 0
  if (qos && messageId === 0) return undefined
  // Valid topics are ASCII; any other topic matches none of them in latin1.
  const topic = bytes.toString('latin1', from + 2, topicEnd)
  return { topic, payload: bytes.subarray(payloadAt, end), qos, messageId, end }
}

/** Acknowledges the messages of a connection, those of one tick in one write, and makes aedes read on. */
function acknowledger(connection: Connection, internals: Internals): (messageId: number) => void {
  let waiting: number[] = []

  function flush() {
    const messageIds = waiting
    waiting = []
    if (connection.closed) return
    const acks = Buffer.allocUnsafe(4 * messageIds.length)
    let length = 0
    for (const id of messageIds)
      if (id > 0) length = acks.writeUInt32BE(PUBACK * 2 ** 24 + 0x2_0000 + id, length)
    const readOn = () => {
      for (const _ of messageIds) internals._nextBatch()
    }
    if (length === 0 || connection.conn.write(acks.subarray(0, length))) readOn()
    else internals.waitForDrain((error) => error ?? readOn())
  }

  return (messageId) => {
    if (waiting.push(messageId) === 1) process.nextTick(flush)
  }
}
