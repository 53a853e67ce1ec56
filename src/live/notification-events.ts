import type { userNotification } from '../../contract/alarms/channels.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { cacheInvalidation } from '../data/api.ts'
import { lastNotification, unread } from '../data/unread.ts'

/** The person was told something, or has read something in another tab. Resolves when what is on the screen says so. */
export function handleNotification(told: PayloadOf<typeof userNotification>): Promise<void> {
  unread.set(told.Unread)
  lastNotification.set(told)
  // One message may stand for several notifications, of any home.
  return cacheInvalidation.tell([{ entity: 'notification' }])
}
