import { createHash } from 'node:crypto'
import type { Random } from '../../kernel/ports.ts'

/**
 * Creates a hub's password of 32 random bytes. It cannot be guessed, so a fast hash is sufficient, and thousands of hubs can reconnect at
 * the same time.
 */
export function createHubSecret(random: Random): { secret: string; hash: Buffer } {
  const secret = Buffer.from(random.bytes(32)).toString('base64url')
  return { secret, hash: createHash('sha256').update(secret).digest() }
}
