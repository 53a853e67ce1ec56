import type { BrokerHooks, Client, DisconnectEvent } from '../../kernel/broker.ts'
import type { ScreenTokens } from '../screen-tokens.ts'
import { isId } from '../topics.ts'

/** Authenticates connections: screens by their token, hubs and scanners by their secret. */
export function createAuthenticator(tokens: ScreenTokens) {
  /** Authentications in progress. */
  const entering = new Set<{ username: string; sessionId?: string; revoked: boolean; again: boolean }>()

  async function unlessRevoked<C extends Client>(
    entry: { username: string; sessionId?: string },
    check: () => Promise<C | undefined>,
  ): Promise<C | undefined> {
    const mine = { ...entry, revoked: false, again: false }
    entering.add(mine)
    try {
      for (;;) {
        mine.again = false
        const client = await check()
        if (!mine.again) return mine.revoked ? undefined : client
      }
    } finally {
      entering.delete(mine)
    }
  }

  return {
    /** The client that a password belongs to; undefined refuses the connection. */
    async check(
      clientId: string,
      username: string,
      password: string,
      hooks: Pick<BrokerHooks, 'authenticate' | 'screenOf'>,
      address?: string,
    ): Promise<Client | undefined> {
      if (!tokens.isOne(password))
        return isId(username)
          ? unlessRevoked({ username }, () => hooks.authenticate({ clientId, username, password, address }))
          : undefined
      const grant = tokens.read(clientId, username, password)
      return grant && unlessRevoked({ username, sessionId: grant.sessionId }, () => hooks.screenOf(grant))
    },

    /** Repeats the authentications in progress of a person or hub, or all of them, because their data changed. */
    checkAgain(who?: DisconnectEvent): void {
      const name = who && ('thingName' in who ? who.thingName : who.cognitoId)
      for (const entry of entering) entry.again ||= name === undefined || entry.username === name
    },

    /** Refuses the authentications in progress of a hub, or of a person or their sign-ins. */
    revoke(who: DisconnectEvent): void {
      for (const entry of entering)
        if ('thingName' in who) entry.revoked ||= entry.username === who.thingName
        else if (entry.username === who.cognitoId)
          entry.revoked ||= who.sessions?.includes(entry.sessionId ?? '') ?? true
    },
  }
}
