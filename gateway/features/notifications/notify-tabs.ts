import { userNotification } from '../../../contract/alarms/channels.ts'
import {
  NOTIFICATION_SEVERITIES,
  type NotificationSeverity,
} from '../../../contract/notifications/settings.ts'
import { isLifeSafety } from '../../domain/notifications/notification-transport.ts'
import type { Notification } from '../../../contract/notifications/calls.ts'
import type { Deps } from '../deps.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { countUnread } from './calls.ts'
import { loadPeople } from './recipients.ts'

/** Minimum interval between two messages to the screens of one person, ms, to throttle a flood. */
const MIN_INTERVAL_MS = 1_000

const rank = (severity: NotificationSeverity) => -NOTIFICATION_SEVERITIES.indexOf(severity)
const weighsLess = (one: Notification, other: Notification) =>
  rank(one.Severity) - rank(other.Severity) || one.At - other.At

/** Publishes new notifications and the number of unread ones to the screens of their recipients. */
export function createTabNotifier({ broker, clock, db, log }: Pick<Deps, 'broker' | 'clock' | 'db' | 'log'>) {
  /** Most important unpublished notification by person; null if notifications were only read. */
  const untold = new Map<string, Notification | null>()

  const pacer = createThrottle<string>(
    clock,
    () => MIN_INTERVAL_MS,
    async (person) => {
      const notification = untold.get(person) ?? null
      untold.delete(person)
      await publish(person, notification)
    },
  )

  async function publish(person: string, notification: Notification | null): Promise<void> {
    const [tenant = '', cognitoId = ''] = person.split('/')
    const topic = userNotification.topic({ rootId: tenant, cognitoId })
    if (broker.heard?.(topic) === false) return
    try {
      const reader = (await loadPeople(db, [cognitoId])).get(cognitoId)
      const unread = reader ? await countUnread(db, reader) : 0
      await broker.publish(topic, { Notification: notification, Unread: unread }, { qos: 1 })
    } catch (err) {
      log.warn({ err }, 'notification not published, shown at the next load')
    }
  }

  return {
    /**
     * Called when a notification was written for a person, or with null when one was read on one of their screens. Dangers to life are
     * published immediately and separately.
     */
    tell(tenant: string, cognitoId: string, notification: Notification | null): void {
      const person = `${tenant}/${cognitoId}`
      if (notification && isLifeSafety({ kind: notification.Kind, values: notification.Values }))
        return void publish(person, notification)
      const waiting = untold.get(person)
      if (waiting && (!notification || weighsLess(notification, waiting) < 0)) return void pacer.ask(person)
      untold.set(person, notification)
      pacer.ask(person)
    },
    close: pacer.close,
  }
}
export type TabNotifier = ReturnType<typeof createTabNotifier>
