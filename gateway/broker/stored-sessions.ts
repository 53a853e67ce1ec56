import { mkdir } from 'node:fs/promises'
import persistence, { type Acknowledgement, type Recipient } from 'aedes-persistence-level'
import { Level } from 'level'

/** Opens the sessions of a directory and the messages that wait for absent hubs. */
export async function openStoredSessions(directory: string) {
  await mkdir(directory, { recursive: true })
  const level = new Level<string, Buffer>(directory, { valueEncoding: 'buffer' })
  await level.open()
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
