import type { userNotification } from '../../contract/alarms/channels.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { cacheInvalidation } from '../data/api.ts'
import { lastNotification, unread } from '../data/unread.ts'

/** Handles a new notification, or one read in another tab. Resolves when the queries on the screen are refetched. */
export function handleNotification(told: PayloadOf<typeof userNotification>): Promise<void> {
  unread.set(told.Unread)
  lastNotification.set(told)
  // One message may cover several notifications, of any home.
  return cacheInvalidation.invalidate([{ entity: 'notification' }])
}
