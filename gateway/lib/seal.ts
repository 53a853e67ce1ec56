import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

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
