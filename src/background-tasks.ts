import { followNotifications } from './domain/notifications/follow-notifications.ts'

/** Starts the notification tasks, and push if this browser allows notifications. Returns the stop function. */
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
