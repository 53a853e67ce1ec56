import { createHmac, timingSafeEqual } from 'node:crypto'

const SENDER_BYTES = 16
const SEQUENCE_BYTES = 8
const MAC_BYTES = 16

/** Length of the header before the body, in bytes. */
export const HEADER_BYTES = SENDER_BYTES + SEQUENCE_BYTES + MAC_BYTES

/** Maximum length of one frame, in bytes. */
export const MAX_SEALED_BYTES = 1024 * 1024

/** Reason to drop a message; label of its counter. */
export type BusRefusal = 'size' | 'hmac' | 'sender' | 'old' | 'malformed' | 'pending' | 'part'

/** Verified message of a gateway with the same secret. */
export interface SealedMessage {
  /** Gateway id, 16 characters. */
  sender: string
  /** Sequence number that increases with each message of a sender. */
  no: number
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
    no: Number(bytes.readBigUInt64BE(SENDER_BYTES)),
    body,
  }
}
