import type { AlarmMessage, userNotification } from '../../contract/alarms/channels.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { cacheInvalidation } from '../data/api.ts'
import { lastNotification, unread } from '../data/unread.ts'
import { createEmitter } from '../lib/create-emitter.ts'

/** Alarm messages with the home that they belong to, e.g. to play a sound. */
export const alarmEvents = createEmitter<AlarmMessage & { HomeID: string }>()

/** Handles a new notification, or one read in another tab. Resolves when the queries on the screen are refetched. */
export function handleNotification(message: PayloadOf<typeof userNotification>): Promise<void> {
  unread.set(message.Unread)
  lastNotification.set(message)
  // One message may cover several notifications, of any home.
  return cacheInvalidation.invalidate([{ entity: 'notification' }])
}

/** Removes what was received, at sign-out. */
export function resetNotifications(): void {
  unread.set(0)
  lastNotification.set(undefined)
}
