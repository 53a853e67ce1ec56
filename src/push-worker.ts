// The service worker: shows push messages and handles their buttons. Built to /sw.js as a single script.
import { respondOffline, type WorkerScope } from './worker/offline.ts'

declare const self: ServiceWorkerGlobalScope

/** Notification of a declarative push message, as written by gateway/features/push/transport.ts. */
interface Pushed extends NotificationOptions {
  title: string
  navigate: string
  data?: { acknowledge?: Acknowledge }
}

/** Credentials to acknowledge an alarm, and the texts of the outcome in the reader's language. */
interface Acknowledge {
  token: string
  apiKey: string
  acknowledged: string
  refused: string
  failed: string
}

interface ShownData {
  navigate: string
  acknowledge?: Acknowledge
}

const ICON = '/icons/192.png'
/** Time in ms within which an open page must confirm that it opens the path itself. */
const TAKEOVER_TIMEOUT_MS = 1_000

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('push', (event) => event.waitUntil(showNotification(event.data)))
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  const { navigate, acknowledge } = notification.data as ShownData
  notification.close()
  event.waitUntil(
    action === 'acknowledge' && acknowledge ? acknowledgeAlarm(notification, acknowledge) : open(navigate),
  )
})
// Only a page can register the new subscription, since it knows the signed-in user. Without a page, the next start does.
self.addEventListener('pushsubscriptionchange', (event) => (event as ExtendableEvent).waitUntil(tellPages()))
respondOffline(self as unknown as WorkerScope)

/** Browsers require every push to show a notification: an unreadable one shows the name of the host. */
async function showNotification(data: PushMessageData | null): Promise<void> {
  const { notification = { title: location.hostname, navigate: '/' } as Pushed, unread } = read(data)
  const { title, navigate, data: extra, ...options } = notification
  if (unread !== undefined) await setBadge(unread)
  return self.registration.showNotification(title, { icon: ICON, ...options, data: { ...extra, navigate } })
}

function read(data: PushMessageData | null): { notification?: Pushed; unread?: number } {
  try {
    const message = (data?.json() ?? {}) as { notification?: Pushed; app_badge?: unknown }
    const { notification, app_badge: unread } = message
    const isWhole = typeof notification?.title === 'string' && typeof notification.navigate === 'string'
    return { ...(isWhole && { notification }), ...(typeof unread === 'number' && { unread }) }
  } catch {
    return {}
  }
}

/** Sets the application's badge to the number of unread notifications, if supported; an open page keeps it up to date afterwards. */
async function setBadge(unread: number): Promise<void> {
  const badge: Partial<Pick<WorkerNavigator, 'setAppBadge'>> = navigator
  await badge.setAppBadge?.(unread).catch(() => {})
}

async function acknowledgeAlarm({ title, tag, lang, data }: Notification, acknowledge: Acknowledge) {
  const { token, apiKey, ...texts } = acknowledge
  const outcome = await fetch('/AcknowledgeAlarmByLink', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ Token: token }),
  }).then(
    ({ ok, status }) => (ok ? 'acknowledged' : status >= 500 || status === 429 ? 'failed' : 'refused'),
    () => 'failed' as const,
  )
  const { navigate } = data as ShownData
  // After a failure the button is offered again.
  const retryData = outcome === 'failed' && { acknowledge }
  await self.registration.showNotification(title, {
    icon: ICON,
    body: texts[outcome],
    tag,
    lang,
    data: { navigate, ...retryData },
  })
}

/** Opens a page in an existing window, else in a new one. */
async function open(navigate: string): Promise<void> {
  // On this host, even if the gateway has another name.
  const { pathname, search, hash } = new URL(navigate, location.origin)
  const path = pathname + search + hash
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0]
  if (!page) return void (await self.clients.openWindow(path))
  // Browsers may refuse to focus a window.
  await page.focus().catch(() => {})
  if (!(await canTakeOver(page, path))) await page.navigate(path).catch(() => self.clients.openWindow(path))
}

/** Whether the page navigates itself, which keeps the user's input. */
function canTakeOver(page: Client, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    page.postMessage({ type: 'open', path }, [port2])
    setTimeout(() => resolve(false), TAKEOVER_TIMEOUT_MS)
  })
}

async function tellPages(): Promise<void> {
  for (const page of await self.clients.matchAll({ type: 'window' }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker, not a window
    page.postMessage({ type: 'subscriptionChanged' })
}
