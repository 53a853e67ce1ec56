import { rename, rm } from 'node:fs/promises'
import persistence, { type Acknowledgement, type Recipient } from 'aedes-persistence-level'
import type { Log } from '../../ports.ts'
import { openRecoveringLevel } from './recovering-level.ts'

/** What is in the way of opening: another process, a disk that is full or may not be written; else the files are damaged. */
const IN_THE_WAY = /LOCK|No space|Read-only|denied|too many open/i

/**
 * Opens the sessions of a directory and the messages that wait for absent hubs. Files that a power cut has damaged are put
 * aside: hubs subscribe again, and what waited for them is over.
 *
 * errors  when the directory is in use or cannot be written
 */
export async function openStoredSessions(directory: string, log: Pick<Log, 'error' | 'info'>) {
  const level = await openRecoveringLevel(directory, log).catch(async (error: Error) => {
    const { cause } = error as { cause?: unknown }
    if (!(cause instanceof Error) || IN_THE_WAY.test(cause.message)) throw error
    const damaged = `${directory}.damaged`
    log.error({ err: cause, damaged }, 'The stored sessions of hubs are damaged and were put aside')
    await rm(damaged, { recursive: true, force: true })
    await rename(directory, damaged)
    return openRecoveringLevel(directory, log)
  })
  const store = persistence(level)
  const clearMessage = store.outgoingClearMessageId.bind(store)
  return Object.assign(store, {
    // Nothing is kept of what a connection without a session was sent: there is no need to look it up on disk.
    outgoingClearMessageId: async (client: Recipient, packet: Acknowledgement) =>
      client.clean && packet.cmd === 'puback' ? undefined : clearMessage(client, packet),
    /** Forgets what waits for a client. */
    async forgetQueue(clientId: string) {
      for (const kind of ['outgoing', 'outgoing-id'])
        await level.clear({
          gte: `${kind}:${encodeURIComponent(clientId)}:`,
          lt: `${kind}:${encodeURIComponent(clientId)};`,
        })
    },
  })
}
