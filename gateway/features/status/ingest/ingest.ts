import type { ReceivedMessage } from '../../../broker/port.ts'
import { countWaiting, createIngestState, type IngestOptions, type IngestState } from './state.ts'
import { ingestMessage } from './ingest-message.ts'
import { hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import { createBatcher } from './batcher.ts'
import type { Report } from './report.ts'
import { type Message, storeBatch, storeRounds, storeWithAlarms } from './store-batch.ts'

const canRaise = ({ device }: Report): boolean => hasAlarmStates(device.type)

/**
 * Two queues of messages that wait to be stored: what can raise an alarm is stored together with it, and holds up none of the others,
 * which are most. A device is always of one queue, so its reports stay in order.
 */
function createIngestLanes(state: IngestState) {
  const alarming = createBatcher<Message>((messages) => storeBatch(state, messages, storeWithAlarms, waiting))
  const others = createBatcher<Message>((messages) => storeBatch(state, messages, storeRounds, waiting))
  function waiting(): number {
    return alarming.waiting() + others.waiting()
  }
  const part = ({ patience }: Message, reports: Report[]): Message => ({
    reports,
    size: reports.length,
    patience,
  })
  return {
    /** Resolves when all of the message is stored; of one that is not stored whole, the rest is stored again without harm. */
    add(message: Message): Promise<void> {
      if (!message.reports.some(canRaise)) return others.add(message)
      if (message.reports.every(canRaise)) return alarming.add(message)
      return Promise.all([
        alarming.add(part(message, message.reports.filter(canRaise))),
        others.add(
          part(
            message,
            message.reports.filter((report) => !canRaise(report)),
          ),
        ),
      ]).then(() => {})
    },
    waiting,
    /** Resolves when everything taken in is settled. */
    async flush(): Promise<void> {
      await Promise.all([alarming.flush(), others.flush()])
    },
    /** Takes no more and resolves when everything taken in is settled. */
    async close(): Promise<void> {
      await Promise.all([alarming.close(), others.close()])
    },
  }
}

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
