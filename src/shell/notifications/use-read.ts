import { notifications } from '../../../contract/notifications/calls.ts'
import type { RequestOf } from '../../data/api.ts'
import { unread } from '../../data/unread.ts'
import { useAction } from '../../data/use-action.ts'

/** Marks the user's notifications as read or unread, and updates the bell's counter. */
export function useRead() {
  return useAction(async (input: RequestOf<typeof notifications.readNotification>, send) => {
    const results = await send(notifications.readNotification, input)
    unread.set(results.Unread)
    return results
  })
}
