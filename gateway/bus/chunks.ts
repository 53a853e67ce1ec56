import { HEADER_BYTES, MAX_SEALED_BYTES } from './seal.ts'

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
export interface ReceivedChunk {
  subject: string
  no: number
  body: Buffer
}

/** Partly received message. */
interface PartialMessage {
  subject: string
  /** Sequence number of the last received chunk. */
  no: number
  count: number
  parts: Buffer[]
}

/** Assembles the messages of one sender, which sends the chunks of a message consecutively. */
export function createChunkAssembler() {
  let partial: PartialMessage | undefined

  /** Processes the next frame of the sender. `isLost` means that the previous message will never be complete. */
  return function add({ subject, no, body }: ReceivedChunk): { body?: Buffer; lost: boolean } {
    const previous = partial
    partial = undefined
    const isChunk = body.length > CHUNK_HEADER_BYTES && body[0] === CHUNK_MARK
    if (!isChunk) return { body, lost: previous !== undefined }
    const [index, count] = [body.readUInt32BE(1), body.readUInt32BE(5)]
    const chunk = body.subarray(CHUNK_HEADER_BYTES)
    const isNext =
      previous?.subject === subject &&
      previous.no === no - 1 &&
      previous.count === count &&
      previous.parts.length === index
    if (!isNext && index > 0) return { lost: true }
    const chunks = isNext ? [...previous.parts, chunk] : [chunk]
    const isLost = !isNext && previous !== undefined
    if (count > Math.ceil(MAX_CHUNK_BYTES / CHUNK_BODY_BYTES)) return { lost: true }
    if (chunks.length === count) return { body: Buffer.concat(chunks), lost: isLost }
    partial = { subject, no, count, parts: chunks }
    return { lost: isLost }
  }
}

export type ChunkAssembler = ReturnType<typeof createChunkAssembler>
