import type { BrokerHooks, Client, DisconnectEvent, ScreenGrant } from '../../kernel/broker.ts'
import { isId } from '../topics.ts'
import type { BrokerLimits } from '../limits.ts'
import type { createRejections } from '../rejections.ts'
import type { Clock } from '../../kernel/ports.ts'
import { readSigned, writeSigned } from '../../lib/seal.ts'

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

type ScreenTokens = ReturnType<typeof createScreenTokens>

/** Authenticates connections: screens by their token, hubs and scanners by their secret. */
export function createAuthenticator(tokens: ScreenTokens) {
  /** Authentications in progress. */
  const pending = new Set<{
    username: string
    sessionId?: string
    isRevoked: boolean
    mustRecheck: boolean
  }>()

  async function unlessRevoked<C extends Client>(
    entry: { username: string; sessionId?: string },
    check: () => Promise<C | undefined>,
  ): Promise<C | undefined> {
    const attempt = { ...entry, isRevoked: false, mustRecheck: false }
    pending.add(attempt)
    try {
      for (;;) {
        attempt.mustRecheck = false
        const client = await check()
        if (!attempt.mustRecheck) return attempt.isRevoked ? undefined : client
      }
    } finally {
      pending.delete(attempt)
    }
  }

  return {
    /** The client that a password belongs to; undefined refuses the connection. */
    async check(
      clientId: string,
      username: string,
      password: string,
      hooks: Pick<BrokerHooks, 'authenticate' | 'authenticateScreen'>,
      address?: string,
    ): Promise<Client | undefined> {
      if (!tokens.isOne(password))
        return isId(username)
          ? unlessRevoked({ username }, () => hooks.authenticate({ clientId, username, password, address }))
          : undefined
      const grant = tokens.read(clientId, username, password)
      return (
        grant &&
        unlessRevoked({ username, sessionId: grant.sessionId }, () => hooks.authenticateScreen(grant))
      )
    },

    /** Repeats the authentications in progress of a person or hub, or all of them, because their data changed. */
    recheck(target?: DisconnectEvent): void {
      const name = target && ('thingName' in target ? target.thingName : target.cognitoId)
      for (const entry of pending) entry.mustRecheck ||= name === undefined || entry.username === name
    },

    /** Refuses the authentications in progress of a hub, or of a person or their sign-ins. */
    revoke(target: DisconnectEvent): void {
      for (const entry of pending)
        if ('thingName' in target) entry.isRevoked ||= entry.username === target.thingName
        else if (entry.username === target.cognitoId)
          entry.isRevoked ||= target.sessions?.includes(entry.sessionId ?? '') ?? true
    },
  }
}

/** Counts connections, and limits them per address and in total. */
export function createAdmission(
  limits: Pick<BrokerLimits, 'connections' | 'connectionsPerAddress'>,
  reject: ReturnType<typeof createRejections>,
) {
  const addresses = new Map<string, number>()
  let connections = 0
  return {
    connections: () => connections,
    admit(address: string): boolean {
      const count = addresses.get(address) ?? 0
      if (connections >= limits.connections) reject('connection-limit')
      else if (count >= limits.connectionsPerAddress) reject('address-limit', { address })
      else {
        connections++
        addresses.set(address, count + 1)
        return true
      }
      return false
    },
    release(address: string): void {
      connections--
      const count = (addresses.get(address) ?? 1) - 1
      if (count > 0) addresses.set(address, count)
      else addresses.delete(address)
    },
  }
}
