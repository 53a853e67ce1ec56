import { createHmac, timingSafeEqual } from 'node:crypto'

const SENDER = 16
const NUMBER = 8
const MAC = 16

/** Length of the header before the body, in bytes. */
export const HEAD_BYTES = SENDER + NUMBER + MAC

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
  createHmac('sha256', key).update(subject).update('\n').update(head).update(body).digest().subarray(0, MAC)

/** Encodes a message: sender, sequence number, and an HMAC over these, the subject and the body. */
export function sealMessage(
  key: Uint8Array,
  subject: string,
  sender: string,
  no: number,
  body: Buffer,
): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + body.length)
  bytes.write(sender, 0, SENDER, 'latin1')
  bytes.writeBigUInt64BE(BigInt(no), SENDER)
  body.copy(bytes, HEAD_BYTES)
  macOf(key, subject, bytes.subarray(0, SENDER + NUMBER), body).copy(bytes, SENDER + NUMBER)
  return bytes
}

/** Decodes and verifies a message; returns the reason if it is rejected. */
export function openMessage(key: Uint8Array, subject: string, given: Uint8Array): SealedMessage | BusRefusal {
  if (given.length > MAX_SEALED_BYTES) return 'size'
  if (given.length < HEAD_BYTES) return 'malformed'
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const body = bytes.subarray(HEAD_BYTES)
  const mac = macOf(key, subject, bytes.subarray(0, SENDER + NUMBER), body)
  if (!timingSafeEqual(mac, bytes.subarray(SENDER + NUMBER, HEAD_BYTES))) return 'hmac'
  return {
    sender: bytes.toString('latin1', 0, SENDER),
    no: Number(bytes.readBigUInt64BE(SENDER)),
    body,
  }
}
