import type { NotificationProvider } from '@refinedev/core'
import { notices } from '../data/notices.ts'

/** Refine's notifications through the product's own: 2 s for a success, an error stays (§2). */
export const notificationProvider: NotificationProvider = {
  open({ type, message, description }) {
    if (type === 'error') notices.error(() => description ?? message, message)
    else if (type === 'success') notices.success(() => description ?? message)
  },
  close() {},
}
