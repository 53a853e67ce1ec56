import type { Received } from '../../../broker/port.ts'
import { createBatcher } from './batcher.ts'
import { countWaiting, createIngestState, type IngestOptions } from './state.ts'
import { type Message, storeBatch } from './store-batch.ts'
import { take } from './take.ts'

export type Ingest = ReturnType<typeof createIngest>

/**
 * Takes what hubs report: parses it, stores it in order and tells of the statuses that changed.
 *
 * `status/report` and `meter/report` only; other topics are not its business.
 */
export function createIngest(options: IngestOptions) {
  const state = createIngestState(options)
  const batcher = createBatcher<Message>((messages): Promise<unknown[]> =>
    storeBatch(state, messages, (): number => batcher.waiting()),
  )
  countWaiting(options.metrics, (): number => batcher.waiting())
  return {
    /**
     * Takes one message of a hub and resolves when everything of it that can be stored is committed. What cannot is
     * counted and logged, so that a hub does not send it again and again. A database that is away is waited for.
     *
     * errors  rejects, so that the hub sends again, when the gateway closes first or storing failed for no known reason
     */
    receive: (message: Pick<Received, 'match' | 'payload' | 'client'>): Promise<void> =>
      take(state, message, (added) => batcher.add(added)),
    /** Resolves when everything received so far is settled. */
    flush: () => batcher.flush(),
    /** Takes no more, and resolves when everything received is stored or, with the database away, given back. */
    async close(): Promise<void> {
      state.closing.abort()
      await batcher.close()
      state.directory.close()
    },
  }
}
