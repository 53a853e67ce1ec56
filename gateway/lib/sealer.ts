import { deriveKey, open, seal } from './seal.ts'

/**
 * Encrypts texts that the database must not hold in the clear, each bound to a context; opening throws when the context or a
 * bit differs.
 */
export interface Sealer {
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
}

/** A sealer for one use, under a key of its own that follows from the master secret. */
export function createSealer(secret: string | Uint8Array, use: string): Sealer {
  const key = deriveKey(secret, use)
  return {
    seal: (text, context) => seal(key, text, context).toString('base64'),
    open: (sealed, context) => open(key, Buffer.from(sealed, 'base64'), context).toString(),
  }
}
