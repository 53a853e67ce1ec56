import { createHmac, timingSafeEqual } from 'node:crypto'

const SENDER_BYTES = 16
const SEQUENCE_BYTES = 8
const MAC_BYTES = 16

/** Length of the header before the body, in bytes. */
const HEADER_BYTES = SENDER_BYTES + SEQUENCE_BYTES + MAC_BYTES

/** Maximum length of one frame, in bytes. */
export const MAX_SEALED_BYTES = 1024 * 1024

/** Reason to drop a message; label of its counter. */
export type BusRefusal = 'size' | 'hmac' | 'sender' | 'old' | 'malformed' | 'pending' | 'part'

/** Verified message of a gateway with the same secret. */
export interface SealedMessage {
  /** Gateway id, 16 characters. */
  sender: string
  /** Sequence number that increases with each message of a sender. */
  sequence: number
  body: Buffer
}

const macOf = (key: Uint8Array, subject: string, head: Uint8Array, body: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(subject)
    .update('\n')
    .update(head)
    .update(body)
    .digest()
    .subarray(0, MAC_BYTES)

/** Encodes a message: sender, sequence number, and an HMAC over these, the subject and the body. */
export function sealMessage(
  key: Uint8Array,
  subject: string,
  sender: string,
  sequence: number,
  body: Buffer,
): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  bytes.write(sender, 0, SENDER_BYTES, 'latin1')
  bytes.writeBigUInt64BE(BigInt(sequence), SENDER_BYTES)
  body.copy(bytes, HEADER_BYTES)
  macOf(key, subject, bytes.subarray(0, SENDER_BYTES + SEQUENCE_BYTES), body).copy(
    bytes,
    SENDER_BYTES + SEQUENCE_BYTES,
  )
  return bytes
}

/** Decodes and verifies a message; returns the reason if it is rejected. */
export function openMessage(
  key: Uint8Array,
  subject: string,
  sealed: Uint8Array,
): SealedMessage | BusRefusal {
  if (sealed.length > MAX_SEALED_BYTES) return 'size'
  if (sealed.length < HEADER_BYTES) return 'malformed'
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const body = bytes.subarray(HEADER_BYTES)
  const mac = macOf(key, subject, bytes.subarray(0, SENDER_BYTES + SEQUENCE_BYTES), body)
  if (!timingSafeEqual(mac, bytes.subarray(SENDER_BYTES + SEQUENCE_BYTES, HEADER_BYTES))) return 'hmac'
  return {
    sender: bytes.toString('latin1', 0, SENDER_BYTES),
    sequence: Number(bytes.readBigUInt64BE(SENDER_BYTES)),
    body,
  }
}

/** First byte of a chunk. Other messages are complete: JSON never begins with it. */
const CHUNK_MARK = 0x01
/** Mark, chunk index from 0, and number of chunks. */
const CHUNK_HEADER_BYTES = 1 + 4 + 4
/** Maximum payload of one chunk, in bytes. */
const CHUNK_BODY_BYTES = MAX_SEALED_BYTES - HEADER_BYTES - CHUNK_HEADER_BYTES
/** Maximum message length before it is split, in bytes: half of what may be pending on the network. */
export const MAX_CHUNK_BYTES = 4 * 1024 * 1024

/** Frames to send for a message, in order: the message itself if it is short enough, else its chunks; undefined if it is too long. */
export function splitMessage(body: Buffer): Buffer[] | undefined {
  if (body.length > MAX_CHUNK_BYTES) return undefined
  if (body.length + HEADER_BYTES <= MAX_SEALED_BYTES) return [body]
  const count = Math.ceil(body.length / CHUNK_BODY_BYTES)
  return Array.from({ length: count }, (_, index) => {
    const head = Buffer.allocUnsafe(CHUNK_HEADER_BYTES)
    head.writeUInt8(CHUNK_MARK, 0)
    head.writeUInt32BE(index, 1)
    head.writeUInt32BE(count, 5)
    return Buffer.concat([head, body.subarray(index * CHUNK_BODY_BYTES, (index + 1) * CHUNK_BODY_BYTES)])
  })
}

/** Received frame: subject, sequence number of the sender, and body. */
interface ReceivedChunk {
  subject: string
  sequence: number
  body: Buffer
}

/** Partly received message. */
interface PartialMessage {
  subject: string
  /** Sequence number of the last received chunk. */
  sequence: number
  count: number
  chunks: Buffer[]
}

/** Assembles the messages of one sender, which sends the chunks of a message consecutively. */
export function createChunkAssembler() {
  let partial: PartialMessage | undefined

  /** Processes the next frame of the sender. `isLost` means that the previous message will never be complete. */
  return function add({ subject, sequence, body }: ReceivedChunk): { body?: Buffer; isLost: boolean } {
    const previous = partial
    partial = undefined
    const isChunk = body.length > CHUNK_HEADER_BYTES && body[0] === CHUNK_MARK
    if (!isChunk) return { body, isLost: previous !== undefined }
    const [index, count] = [body.readUInt32BE(1), body.readUInt32BE(5)]
    const chunk = body.subarray(CHUNK_HEADER_BYTES)
    const isNext =
      previous?.subject === subject &&
      previous.sequence === sequence - 1 &&
      previous.count === count &&
      previous.chunks.length === index
    if (!isNext && index > 0) return { isLost: true }
    const chunks = isNext ? [...previous.chunks, chunk] : [chunk]
    const isLost = !isNext && previous !== undefined
    if (count > Math.ceil(MAX_CHUNK_BYTES / CHUNK_BODY_BYTES)) return { isLost: true }
    if (chunks.length === count) return { body: Buffer.concat(chunks), isLost }
    partial = { subject, sequence, count, chunks }
    return { isLost }
  }
}

export type ChunkAssembler = ReturnType<typeof createChunkAssembler>
