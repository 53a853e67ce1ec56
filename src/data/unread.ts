import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { userNotification } from '../../contract/alarms/channels.ts'
import { createStore } from '../lib/store.ts'

/** How many notifications the person has not read, whatever tab they read them in; 0 until it is known. */
export const unread = createStore(0)

/** What the realtime channel last told the person; undefined before it told anything. */
export const lastNotification = createStore<PayloadOf<typeof userNotification> | undefined>(undefined)
