import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { userNotification } from '../../contract/alarms/channels.ts'
import { createStore } from '../lib/store.ts'

/** Number of the user's unread notifications, across tabs; 0 until known. */
export const unread = createStore(0)

/** The last notification message of the realtime channel; undefined before the first. */
export const lastNotification = createStore<PayloadOf<typeof userNotification> | undefined>(undefined)
