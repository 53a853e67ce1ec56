import type { Client as Connection } from 'aedes'
import type { Clock, Log } from '../../ports.ts'
import type { BrokerHooks } from '../port.ts'
import type { LiveSessions } from './live-sessions.ts'

const EVERY = 60_000

/**
 * Ends, each minute, the connections of screens that have outlived what they connected with, or the sign-in they belong to:
 * it may have run out, or have been ended where this broker does not hear of it.
 *
 * end  ends one connection as if its person had been signed out
 */
export function startEndingOutlived({
  sessions,
  hooks,
  clock,
  log,
  end,
}: {
  sessions: LiveSessions
  hooks: Pick<BrokerHooks, 'sessionsOf'>
  clock: Clock
  log: Log
  end: (connection: Connection) => void
}): { close(): void } {
  let closed = false
  let cancel = clock.after(EVERY, look)

  function look() {
    endOutlived()
      .catch((err: unknown) => log.warn({ err }, 'The sign-ins of connected screens could not be checked'))
      .finally(() => {
        if (!closed) cancel = clock.after(EVERY, look)
      })
  }

  async function endOutlived(): Promise<void> {
    const screens = sessions.screens()
    for (const { connection, client } of screens)
      if (client.expiresAt !== undefined && client.expiresAt <= clock.now()) end(connection)
    const people = [...new Set(screens.map(({ client }) => client.cognitoId))]
    const standing = await hooks.sessionsOf?.(people)
    for (const { connection, client } of screens)
      if (standing && client.sessionId && !standing.get(client.cognitoId)?.includes(client.sessionId))
        end(connection)
  }

  return {
    close() {
      closed = true
      cancel()
    },
  }
}
