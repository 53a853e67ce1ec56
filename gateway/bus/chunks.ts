import { HEAD_BYTES, MAX_SEALED_BYTES } from './seal.ts'

/** Begins a part; whatever begins otherwise is whole, for JSON does not begin so. */
const MARK = 0x01
/** The mark, the index of the part from 0, and how many there are. */
const PART_HEAD = 1 + 4 + 4
/** What goes into one part, in bytes. */
const ROOM = MAX_SEALED_BYTES - HEAD_BYTES - PART_HEAD
/** Longest message before it is cut, in bytes: half of what may wait for the network. */
export const MAX_CHUNK_BYTES = 4 * 1024 * 1024

/** What is sent of a message, in this order: itself when it is short enough, else its parts; undefined for one that is too long. */
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

/** A part as it came: where, with which number of its sender, and what it says. */
export interface ReceivedChunk {
  subject: string
  no: number
  body: Buffer
}

/** What has come of a message until now. */
interface Begun {
  subject: string
  /** Of the last part that came. */
  no: number
  count: number
  parts: Buffer[]
}

/** Puts messages of one sender together; it sends their parts one after the other, and nothing in between. */
export function createChunkAssembler() {
  let begun: Begun | undefined

  /** Takes the next message of the sender. `lost` says that the one before it will never be whole. */
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
