import type { ReceivedMessage } from '../../../kernel/broker.ts'
import { countWaiting, createIngestState, type IngestOptions, type IngestState } from './state.ts'
import { ingestMessage } from './ingest-message.ts'
import { hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import { createBatcher } from './batcher.ts'
import type { Report } from './report.ts'
import { type Message, storeBatch, storeRounds, storeWithAlarms } from './store-batch.ts'

const canRaise = ({ device }: Report): boolean => hasAlarmStates(device.type)

/**
 * Two queues: reports that can raise an alarm are stored together with it, and do not delay the others, which are the
 * majority. A device always uses the same queue, so its reports stay in order.
 */
function createIngestLanes(state: IngestState) {
  const alarmBatcher = createBatcher<Message>((messages) =>
    storeBatch(state, messages, storeWithAlarms, waitingCount),
  )
  const otherBatcher = createBatcher<Message>((messages) =>
    storeBatch(state, messages, storeRounds, waitingCount),
  )
  function waitingCount(): number {
    return alarmBatcher.waiting() + otherBatcher.waiting()
  }
  const messageOf = ({ patience }: Message, reports: Report[]): Message => ({
    reports,
    size: reports.length,
    patience,
  })
  return {
    /** Resolves when all of the message is stored. After a failure the sender repeats the whole message, which is harmless. */
    add(message: Message): Promise<void> {
      if (!message.reports.some(canRaise)) return otherBatcher.add(message)
      if (message.reports.every(canRaise)) return alarmBatcher.add(message)
      return Promise.all([
        alarmBatcher.add(messageOf(message, message.reports.filter(canRaise))),
        otherBatcher.add(
          messageOf(
            message,
            message.reports.filter((report) => !canRaise(report)),
          ),
        ),
      ]).then(() => {})
    },
    waiting: waitingCount,
    /** Resolves when all queued messages are written or failed. */
    async flush(): Promise<void> {
      await Promise.all([alarmBatcher.flush(), otherBatcher.flush()])
    },
    /** Rejects further messages; resolves when all queued ones are written or failed. */
    async close(): Promise<void> {
      await Promise.all([alarmBatcher.close(), otherBatcher.close()])
    },
  }
}

export type ReportIngest = ReturnType<typeof createIngest>

/**
 * Ingests hubs' reports: parses them, stores them in order and emits changed statuses.
 *
 * Only for `status/report` and `meter/report`.
 */
export function createIngest(options: IngestOptions) {
  const state = createIngestState(options)
  const batchers = createIngestLanes(state)
  countWaiting(options.metrics, batchers.waiting)
  return {
    /**
     * Receives a hub's message and resolves when all valid parts are committed. Invalid parts are counted and logged,
     * and not rejected, so that a hub does not send them again. Waits while the database is unavailable.
     *
     * errors  rejects, so that the hub sends again, if the gateway closes first or storing failed for an unknown reason
     */
    receive: (message: Pick<ReceivedMessage, 'match' | 'payload' | 'client'>): Promise<void> =>
      ingestMessage(state, message, batchers.add),
    /** Resolves when everything received so far is stored or failed. */
    flush: batchers.flush,
    /** Rejects further messages; resolves when everything received is stored or, without a database, rejected. */
    async close(): Promise<void> {
      state.closing.abort()
      await batchers.close()
      state.directory.close()
    },
  }
}
