import type { ScreenGrant } from '../kernel/broker.ts'
import type { Clock } from '../kernel/ports.ts'
import { readSigned, writeSigned } from '../lib/seal.ts'

/** Lifetime of the credentials that ConnectRealtime returns, in ms. */
export const CREDENTIALS_TTL_MS = 60 * 60 * 1000

interface TokenContent extends ScreenGrant {
  clientId: string
}

/** Prefix of every screen's password; a hub's secret has no dot. */
const PREFIX = 'screen.'

/**
 * Passwords of screens, each valid for one client id and one hour. The key is derived from SECRET, so every gateway
 * accepts the passwords of the others.
 */
export function createScreenTokens({ key, clock }: { key: Uint8Array; clock: Pick<Clock, 'now'> }) {
  return {
    issue(
      { tenant, cognitoId, sessionId = '' }: { tenant: string; cognitoId: string; sessionId?: string },
      clientId: string,
    ): { password: string; expiresAt: number } {
      const issuedAt = clock.now()
      const expiresAt = issuedAt + CREDENTIALS_TTL_MS
      const content: TokenContent = { tenant, cognitoId, sessionId, issuedAt, expiresAt, clientId }
      return { password: `${PREFIX}${writeSigned(content, key)}`, expiresAt }
    },

    /** Whether a password has the format of a screen's; does not check its signature. */
    isOne: (password: string): boolean => password.startsWith(PREFIX),

    /** Grant in a password; undefined if the signature, client id or user name does not match, or if it has expired. */
    read(clientId: string, username: string, password: string): ScreenGrant | undefined {
      if (!password.startsWith(PREFIX)) return undefined
      const content = readSigned<TokenContent>(password.slice(PREFIX.length), key)
      const isValid =
        content?.clientId === clientId && content.cognitoId === username && content.expiresAt > clock.now()
      return isValid ? content : undefined
    },
  }
}

export type ScreenTokens = ReturnType<typeof createScreenTokens>
