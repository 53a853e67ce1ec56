import { followNotifications } from './domain/notifications/follow-notifications.ts'

/** What goes on beside the screens once the first of them is there: notifications, and push where this browser may notify. Returns how to stop. */
export function startBackgroundTasks(): () => void {
  let isOver = false
  let stopPush = () => {}
  const stopNotifications = followNotifications()
  if ('serviceWorker' in navigator && (globalThis.Notification?.permission ?? 'default') !== 'default')
    import('./domain/push/start.ts').then(
      ({ startPush }) => {
        if (!isOver) stopPush = startPush()
      },
      () => {},
    )
  return () => {
    isOver = true
    stopPush()
    stopNotifications()
  }
}
