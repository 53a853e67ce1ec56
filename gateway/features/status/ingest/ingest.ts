import type { ReceivedMessage } from '../../../broker/port.ts'
import { createIngestLanes } from './lanes.ts'
import { countWaiting, createIngestState, type IngestOptions } from './state.ts'
import { ingestMessage } from './ingest-message.ts'

export type ReportIngest = ReturnType<typeof createIngest>

/**
 * Takes what hubs report: parses it, stores it in order and tells of the statuses that changed.
 *
 * `status/report` and `meter/report` only; other topics are not its business.
 */
export function createIngest(options: IngestOptions) {
  const state = createIngestState(options)
  const lanes = createIngestLanes(state)
  countWaiting(options.metrics, lanes.waiting)
  return {
    /**
     * Takes one message of a hub and resolves when everything of it that can be stored is committed. What cannot is
     * counted and logged, so that a hub does not send it again and again. A database that is away is waited for.
     *
     * errors  rejects, so that the hub sends again, when the gateway closes first or storing failed for no known reason
     */
    receive: (message: Pick<ReceivedMessage, 'match' | 'payload' | 'client'>): Promise<void> =>
      ingestMessage(state, message, lanes.add),
    /** Resolves when everything received so far is settled. */
    flush: lanes.flush,
    /** Takes no more, and resolves when everything received is stored or, with the database away, given back. */
    async close(): Promise<void> {
      state.closing.abort()
      await lanes.close()
      state.directory.close()
    },
  }
}
