import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { answers, server } from '../../support/msw.ts'

/** Gateway that stores which notifications are read. Returns a function that delivers another one. */
export function keepsNotifications(...all: Notification[]): (row: Notification) => void {
  let rows = all
  const countUnread = () => rows.filter(({ ReadAt }) => ReadAt === null).length
  server.use(
    answers(notifications.listNotification, () => ({
      Rows: rows,
      NextCursor: null,
      Total: rows.length,
      Unread: countUnread(),
    })),
    answers(notifications.readNotification, (body) => {
      const {
        NotificationIDs,
        Before = -1,
        Read = true,
      } = body as { NotificationIDs?: string[]; Before?: number; Read?: boolean }
      const before = countUnread()
      rows = rows.map((row) =>
        NotificationIDs?.includes(row.NotificationID) || row.At <= Before
          ? { ...row, ReadAt: Read ? 5 : null }
          : row,
      )
      return { Changed: Math.abs(before - countUnread()), Unread: countUnread() }
    }),
  )
  return (row) => {
    rows = [row, ...rows]
  }
}
