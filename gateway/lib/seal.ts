import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  createHmac,
  timingSafeEqual,
} from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives a 32-byte key for one use from a long-lived secret (HKDF-SHA256). */
export function deriveKey(secret: string | Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), purpose, 32))
}

/**
 * Encrypts and authenticates (AES-256-GCM).
 *
 * context  bound to the result: opening with another context fails
 * returns  nonce, tag and ciphertext in one buffer
 */
export function seal(key: Buffer, plain: string | Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Decrypts the result of `seal`; throws if the key, the context or a single bit differs. */
export function open(key: Buffer, sealed: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/** Encrypts texts for storage in the database, each bound to a context; opening throws if the context or a bit differs. */
export interface Sealer {
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
}

/** Creates a sealer for one use, with its own key derived from the master secret. */
export function createSealer(secret: string | Uint8Array, purpose: string): Sealer {
  const key = deriveKey(secret, purpose)
  return {
    seal: (text, context) => seal(key, text, context).toString('base64'),
    open: (sealed, context) => open(key, Buffer.from(sealed, 'base64'), context).toString(),
  }
}

const sign = (key: Uint8Array, body: string) => createHmac('sha256', key).update(body).digest('base64url')

/** Encodes a value for a URL, with a signature instead of stored state. Not encrypted: anyone can read it. */
export function writeSigned(value: object, key: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${body}.${sign(key, body)}`
}

/** Decodes a signed value; undefined if the signature is invalid. */
export function readSigned<T extends object>(text: string, key: Uint8Array): T | undefined {
  const [body = '', signature = '', ...rest] = text.split('.')
  // Compared as text: the last character of base64url has unused bits, and even these must not differ.
  const actual = Buffer.from(signature)
  const expected = Buffer.from(sign(key, body))
  if (rest.length || actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as T
}
