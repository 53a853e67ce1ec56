import { createHash } from 'node:crypto'
import type { Random } from '../../kernel/ports.ts'

/**
 * A hub's password: 32 random bytes. Guessing it is out of reach, so a fast hash is enough to store, and thousands
 * of hubs can reconnect at once.
 */
export function createHubSecret(random: Random): { secret: string; hash: Buffer } {
  const secret = Buffer.from(random.bytes(32)).toString('base64url')
  return { secret, hash: createHash('sha256').update(secret).digest() }
}
