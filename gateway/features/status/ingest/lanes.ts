import { hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import { createBatcher } from './batcher.ts'
import type { Report } from './report.ts'
import type { IngestState } from './state.ts'
import { type Message, storeBatch, storeRounds, storeWithAlarms } from './store-batch.ts'

const canRaise = ({ device }: Report): boolean => hasAlarmStates(device.type)

/**
 * Two queues of messages that wait to be stored: what can raise an alarm is stored together with it, and holds up none of the others,
 * which are most. A device is always of one queue, so its reports stay in order.
 */
export function createIngestLanes(state: IngestState) {
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
