import type { Clock } from '../kernel/ports.ts'
import { readSigned, writeSigned } from '../lib/signed.ts'

/** How long a screen may connect with what ConnectRealtime handed out. */
export const LIFETIME = 60 * 60 * 1000

/** Whose connection a screen may open: a sign-in of a person. What they may do is read when it connects. */
export interface ScreenGrant {
  tenant: string
  cognitoId: string
  sessionId: string
  /** Epoch ms. */
  issuedAt: number
  expiresAt: number
}

interface Written extends ScreenGrant {
  clientId: string
}

/** What every screen's password begins with, and no hub's: a hub's secret has no dot. */
const MARK = 'screen.'

/**
 * Passwords of screens, each good for one client id and an hour. They are signed by a key that follows from SECRET, so every
 * gateway knows those of the others.
 */
export function createScreenTokens({ key, clock }: { key: Uint8Array; clock: Pick<Clock, 'now'> }) {
  return {
    issue(
      { tenant, cognitoId, sessionId = '' }: { tenant: string; cognitoId: string; sessionId?: string },
      clientId: string,
    ): { password: string; expiresAt: number } {
      const issuedAt = clock.now()
      const expiresAt = issuedAt + LIFETIME
      const written: Written = { tenant, cognitoId, sessionId, issuedAt, expiresAt, clientId }
      return { password: `${MARK}${writeSigned(written, key)}`, expiresAt }
    },

    /** Whether a password is a screen's, be it a true one or not. */
    isOne: (password: string): boolean => password.startsWith(MARK),

    /** What a password grants; undefined when it is not ours, of somebody else, or too old. */
    read(clientId: string, username: string, password: string): ScreenGrant | undefined {
      if (!password.startsWith(MARK)) return undefined
      const written = readSigned<Written>(password.slice(MARK.length), key)
      const isRight =
        written?.clientId === clientId && written.cognitoId === username && written.expiresAt > clock.now()
      return isRight ? written : undefined
    },
  }
}

export type ScreenTokens = ReturnType<typeof createScreenTokens>
