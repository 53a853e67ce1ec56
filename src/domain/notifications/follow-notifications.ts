import { notifications } from '../../../contract/notifications/calls.ts'
import { call } from '../../data/api.ts'
import { lastNotification, unread } from '../../data/unread.ts'
import { logFault } from '../../lib/log-fault.ts'
import { connection } from '../../live/channel.ts'

const fault = (error: unknown) => logFault('Notifications', error)

/**
 * Keeps the number of unread notifications current: fetches it once the realtime channel is connected and after each gap, shows it on the
 * app icon, and shows critical notifications over the page.
 *
 * returns  a function that stops it
 */
export function followNotifications(): () => void {
  const fetchUnread = async () => {
    const before = lastNotification.get()
    const { Unread } = await call(notifications.listNotification, { Limit: 1 })
    // A notification received in the meantime carries a newer number.
    if (lastNotification.get() === before) unread.set(Unread)
  }
  let isFetched = false
  const onConnectionState = () => {
    const state = connection.state.get()
    if (state === 'idle' || state === 'connecting' || state === 'ended') return
    // Without a connection, fetch the number once.
    if (state !== 'connected' && isFetched) return
    isFetched = true
    fetchUnread().catch(fault)
  }
  const badge = () => void showBadge(unread.get())
  const show = () => {
    const notification = lastNotification.get()?.Notification
    if (notification?.Severity !== 'critical' || document.hidden) return
    import('./show-critical.ts').then(({ showCritical }) => showCritical(notification)).catch(fault)
  }
  const stops = [
    connection.state.subscribe(onConnectionState),
    unread.subscribe(badge),
    lastNotification.subscribe(show),
  ]
  onConnectionState()
  return () => {
    for (const stop of stops) stop()
    void showBadge(0)
  }
}

/**
 * Shows the number of unread notifications on the icon of the installed app; 0 clears it. Does nothing in browsers without badges or
 * without the permission.
 */
export async function showBadge(unread: number): Promise<void> {
  // Some browsers lack the API, although the DOM types declare it.
  const badge: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator
  try {
    await (unread > 0 ? badge.setAppBadge?.(unread) : badge.clearAppBadge?.())
  } catch {
    // The bell in the header shows the number too.
  }
}
