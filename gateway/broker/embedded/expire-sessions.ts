import type { Client as Connection } from 'aedes'
import type { Clock, Log } from '../../kernel/ports.ts'
import type { BrokerHooks } from '../../kernel/broker.ts'
import type { LiveSessions } from './live-sessions.ts'

const CHECK_INTERVAL_MS = 60_000

/**
 * Ends, once a minute, screens' connections whose credentials have expired or whose sign-in has ended.
 *
 * endConnection  ends one connection as if its person had been signed out
 */
export function startExpiringSessions({
  sessions,
  hooks,
  clock,
  log,
  end: endConnection,
}: {
  sessions: LiveSessions
  hooks: Pick<BrokerHooks, 'sessionsOf'>
  clock: Clock
  log: Log
  end: (connection: Connection) => void
}): { close(): void } {
  let closed = false
  let cancel = clock.after(CHECK_INTERVAL_MS, check)

  function check() {
    void endExpired().finally(() => {
      if (!closed) cancel = clock.after(CHECK_INTERVAL_MS, check)
    })
  }

  async function endExpired(): Promise<void> {
    const screens = sessions.screens()
    const people = [...new Set(screens.map(({ client }) => client.cognitoId))]
    // While the database is unavailable, credentials still expire.
    const validSessions = await hooks.sessionsOf?.(people).catch((err: unknown) => {
      log.warn({ err }, 'session check of connected screens failed')
      return undefined
    })
    for (const { connection, client } of screens) {
      const { cognitoId, sessionId, expiresAt = Infinity } = client
      const isSignedOut = validSessions && sessionId && !validSessions.get(cognitoId)?.includes(sessionId)
      if (expiresAt <= clock.now() || isSignedOut) endConnection(connection)
    }
  }

  return {
    close() {
      closed = true
      cancel()
    },
  }
}
