import { deriveKey, open, seal } from './seal.ts'

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
