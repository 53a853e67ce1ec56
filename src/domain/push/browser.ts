import { push, type SubscriptionInfo } from '../../../contract/notifications/push-calls.ts'
import { webConfig } from '../../data/config.ts'
import type { Send } from '../../data/use-action.ts'
import { PUSH_OFF_KEY, PUSH_ON_KEY } from '../../lib/push-off-key.ts'
import { registerWorker } from '../../worker/register.ts'

/** localStorage key of this browser's subscription (specification, 4). */
export const SUBSCRIPTION_KEY = 'webPushSubscription'

/**
 * Push support of this browser: `homeScreen` if it requires the Home Screen (iPhone and iPad), `unsupported` if it has none or the page has
 * no secure context.
 */
export function pushSupport(): 'supported' | 'homeScreen' | 'unsupported' {
  if (
    globalThis.isSecureContext &&
    'serviceWorker' in navigator &&
    'PushManager' in globalThis &&
    'Notification' in globalThis
  )
    return 'supported'
  const isIos =
    /\b(iPhone|iPad|iPod)\b/.test(navigator.userAgent) ||
    (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return isIos && globalThis.isSecureContext && !matchMedia('(display-mode: standalone)').matches
    ? 'homeScreen'
    : 'unsupported'
}

/** The service worker; registers it if necessary. */
async function worker(): Promise<ServiceWorkerRegistration> {
  if (!(await registerWorker())) throw new Error('The service worker cannot be registered')
  return navigator.serviceWorker.ready
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const isSameKey = (key: ArrayBuffer | null | undefined, otherKey: Uint8Array): boolean =>
  !!key && new Uint8Array(key).join() === otherKey.join()

/** This browser's subscription; undefined if it has none. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  if (pushSupport() !== 'supported') return undefined
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/** Subscribes this browser at its push service; resubscribes if the gateway's key has changed. */
async function subscribe(): Promise<PushSubscription> {
  const [{ WebPushKey }, { pushManager }] = await Promise.all([webConfig(), worker()])
  if (!WebPushKey) throw new Error('The gateway has no key for push messages')
  const applicationServerKey = bytesOf(WebPushKey)
  const subscription = await pushManager.getSubscription()
  if (subscription && isSameKey(subscription.options.applicationServerKey, applicationServerKey))
    return subscription
  await subscription?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

/** Subscribes this browser and stores the subscription in the gateway. Errors: as `call`, and those of the browser or its push service. */
export async function enable(send: Send): Promise<void> {
  const subscription = await subscribe()
  const info = subscription.toJSON() as SubscriptionInfo
  await send(push.webPushSubscriptionSetting, { Status: 'ENABLE', SubscriptionInfo: info })
  localStorage.setItem(SUBSCRIPTION_KEY, JSON.stringify(info))
}

/** Removes the subscription from the gateway, and unsubscribes even if that fails. */
export async function disable(send: Send): Promise<void> {
  const subscription = await currentSubscription()
  localStorage.removeItem(SUBSCRIPTION_KEY)
  if (!subscription) return
  const info = subscription.toJSON() as SubscriptionInfo
  try {
    await send(push.webPushSubscriptionSetting, { Status: 'REMOVE', SubscriptionInfo: info })
  } finally {
    await subscription.unsubscribe()
  }
}

/** Whether push is turned off in this browser, for all users. */
export const isTurnedOff = (): boolean => localStorage.getItem(PUSH_OFF_KEY) !== null
export function setTurnedOff(off: boolean): void {
  if (off) localStorage.setItem(PUSH_OFF_KEY, '1')
  else localStorage.removeItem(PUSH_OFF_KEY)
}

/**
 * Whether this user turned push on in this browser, so that another user who signs in does not take it over. A subscription stored without
 * a user belongs to the current user, because signing out clears it.
 */
export const isTurnedOnBy = (cognitoId: string): boolean =>
  (localStorage.getItem(PUSH_ON_KEY) ?? (localStorage.getItem(SUBSCRIPTION_KEY) && cognitoId)) === cognitoId
export const setTurnedOnBy = (cognitoId: string): void => localStorage.setItem(PUSH_ON_KEY, cognitoId)

/** SHA-256 of an endpoint, hex, which identifies this browser in the list of subscriptions. */
export async function hashOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
