import { HEAD_BYTES, MAX_SEALED_BYTES } from './seal.ts'

/** First byte of a chunk. Other messages are complete: JSON never begins with it. */
const MARK = 0x01
/** Mark, chunk index from 0, and number of chunks. */
const PART_HEAD = 1 + 4 + 4
/** Maximum payload of one chunk, in bytes. */
const ROOM = MAX_SEALED_BYTES - HEAD_BYTES - PART_HEAD
/** Maximum message length before it is split, in bytes: half of what may be pending on the network. */
export const MAX_CHUNK_BYTES = 4 * 1024 * 1024

/** Frames to send for a message, in order: the message itself if it is short enough, else its chunks; undefined if it is too long. */
export function splitMessage(body: Buffer): Buffer[] | undefined {
  if (body.length > MAX_CHUNK_BYTES) return undefined
  if (body.length + HEAD_BYTES <= MAX_SEALED_BYTES) return [body]
  const count = Math.ceil(body.length / ROOM)
  return Array.from({ length: count }, (_, index) => {
    const head = Buffer.allocUnsafe(PART_HEAD)
    head.writeUInt8(MARK, 0)
    head.writeUInt32BE(index, 1)
    head.writeUInt32BE(count, 5)
    return Buffer.concat([head, body.subarray(index * ROOM, (index + 1) * ROOM)])
  })
}

/** Received frame: subject, sequence number of the sender, and body. */
export interface ReceivedChunk {
  subject: string
  no: number
  body: Buffer
}

/** Partly received message. */
interface Begun {
  subject: string
  /** Sequence number of the last received chunk. */
  no: number
  count: number
  parts: Buffer[]
}

/** Assembles the messages of one sender, which sends the chunks of a message consecutively. */
export function createChunkAssembler() {
  let begun: Begun | undefined

  /** Processes the next frame of the sender. `lost` means that the previous message will never be complete. */
  return function take({ subject, no, body }: ReceivedChunk): { body?: Buffer; lost: boolean } {
    const before = begun
    begun = undefined
    const isPart = body.length > PART_HEAD && body[0] === MARK
    if (!isPart) return { body, lost: before !== undefined }
    const [index, count] = [body.readUInt32BE(1), body.readUInt32BE(5)]
    const part = body.subarray(PART_HEAD)
    const isNext =
      before?.subject === subject &&
      before.no === no - 1 &&
      before.count === count &&
      before.parts.length === index
    if (!isNext && index > 0) return { lost: true }
    const parts = isNext ? [...before.parts, part] : [part]
    const lost = !isNext && before !== undefined
    if (count > Math.ceil(MAX_CHUNK_BYTES / ROOM)) return { lost: true }
    if (parts.length === count) return { body: Buffer.concat(parts), lost }
    begun = { subject, no, count, parts }
    return { lost }
  }
}

export type ChunkAssembler = ReturnType<typeof createChunkAssembler>
