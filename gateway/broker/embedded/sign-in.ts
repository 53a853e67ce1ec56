import type { BrokerHooks, Client } from '../port.ts'
import type { createScreenCredentials } from './screen-credentials.ts'
import { isId } from '../topics.ts'

/** Checks who a connection belongs to: a screen by the broker's own credentials, a hub or scanner by the gateway's word. */
export function createSignIn(screens: ReturnType<typeof createScreenCredentials>) {
  /** Hubs whose secret is being checked. */
  const entering = new Set<{ username: string; revoked: boolean }>()

  return {
    /** Whose password this is; undefined to refuse the connection. */
    async check(
      clientId: string,
      username: string,
      password: string,
      hooks: Pick<BrokerHooks, 'authenticate'>,
    ): Promise<Client | undefined> {
      if (screens.has(clientId)) return screens.check(clientId, username, password)
      if (!isId(username)) return undefined
      const entry = { username, revoked: false }
      entering.add(entry)
      try {
        const client = await hooks.authenticate({ clientId, username, password })
        return entry.revoked ? undefined : client
      } finally {
        entering.delete(entry)
      }
    },

    /** A hub's secret was taken away: who is showing it at this moment does not come in. */
    revoke(thingName: string): void {
      for (const entry of entering) if (entry.username === thingName) entry.revoked = true
    },
  }
}
