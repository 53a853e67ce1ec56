import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  MAX_SUBSCRIPTIONS,
  push,
  type PushSubscriptionRecord,
} from '../../../contract/notifications/push-calls.ts'
import { callQuery } from '../../data/api.ts'
import { usePersonalConfig, savePersonalConfig } from '../../data/personal.ts'
import { callErrorIn } from '../../data/post.ts'
import { notices } from '../../data/notices.ts'
import { me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import {
  currentSubscription,
  disable,
  enable,
  hashOf,
  pushSupport,
  setTurnedOff,
  setTurnedOnBy,
} from '../../domain/push/browser.ts'
import { t as tNow } from '../../lib/i18n/i18n.ts'
import { logFault } from '../../lib/log-fault.ts'
import { useStore } from '../../lib/store.ts'
import { nativeApp } from '../../native/app.ts'

type BrowserPermission = NotificationPermission | 'unsupported'

const now = (): BrowserPermission =>
  typeof Notification === 'undefined' || !isSecureContext ? 'unsupported' : Notification.permission

/** Present permission; follows changes in the browser's settings. */
function useBrowserPermission(): BrowserPermission {
  const [permission, setPermission] = useState(now)
  useEffect(() => {
    const updatePermission = () => setPermission(now())
    let status: PermissionStatus | undefined
    let isCancelled = false
    // Fallback: not every browser emits permission changes, so returning to the page checks again.
    navigator.permissions?.query({ name: 'notifications' }).then(
      (permissionStatus) => {
        if (isCancelled) return
        status = permissionStatus
        status.addEventListener('change', updatePermission)
      },
      () => {},
    )
    document.addEventListener('visibilitychange', updatePermission)
    return () => {
      isCancelled = true
      status?.removeEventListener('change', updatePermission)
      document.removeEventListener('visibilitychange', updatePermission)
    }
  }, [])
  return permission
}

/** `app`: the page is in an application's web view, and the application shows pushed notifications. */
export type ThisBrowserState = 'on' | 'off' | 'denied' | 'unsupported' | 'homeScreen' | 'app'

export interface BrowserPush {
  state: ThisBrowserState
  /** Identifies it in the list; undefined while it is not subscribed. */
  endpointHash: string | undefined
  /** Undefined while loading. */
  browsers: PushSubscriptionRecord[] | undefined
  error: unknown
  refetch: () => unknown
  busy: boolean
  switchPush: (isOn: boolean) => void
}

/** Push in this browser. Only `turn(true)`, called on a click, requests the permission. */
export function useThisBrowser(): BrowserPush {
  // Renders again after changes in the browser's settings; its value is not used, because it may lag behind an answer.
  useBrowserPermission()
  const { Notification: isWanted } = usePersonalConfig()
  const { data: browsers, error, refetch } = useQuery(callQuery(push.listPushSubscription, {}))
  const endpointHash = useEndpointHash(browsers)
  const { busy, run } = useAction(async (isOn: boolean, send) => {
    if (!isOn) {
      setTurnedOff(true)
      await disable(send)
      return notices.success(() => tNow('push:setting.turnedOff'))
    }
    const person = me.get()?.CognitoId
    const answer = await Notification.requestPermission()
    if (answer === 'denied') return logFault('Push', 'the permission is denied')
    if (answer === 'default') return notices.info(() => tNow('push:setting.dismissed'))
    if (!(await subscribed(() => enable(send)))) return undefined
    setTurnedOff(false)
    if (person) setTurnedOnBy(person)
    // Turning on push here also turns on the main switch.
    if (!isWanted) await savePersonalConfig({ Notification: true }, send)
    return notices.success(() => tNow('push:setting.turnedOn'))
  })
  const isListed = browsers?.some(({ EndpointHash }) => EndpointHash === endpointHash) ?? false
  const app = useStore(nativeApp)
  const state = app?.Can.includes('push') ? 'app' : stateOf(isListed)
  return { state, endpointHash, browsers, error, refetch, busy, switchPush: (isOn) => void run(isOn) }
}

function stateOf(isListed: boolean): ThisBrowserState {
  const support = pushSupport()
  if (support !== 'supported') return support
  if (Notification.permission === 'denied') return 'denied'
  return isListed && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Whether the subscription succeeded; rethrows errors of the gateway, except too many browsers. */
async function subscribed(enableNow: () => Promise<void>): Promise<boolean> {
  try {
    await enableNow()
    return true
  } catch (error) {
    const failed = callErrorIn(error)
    if (failed?.failure === 'LIMIT_EXCEEDED')
      notices.error(() => tNow('push:setting.tooMany', { most: MAX_SUBSCRIPTIONS }))
    else if (failed) throw error
    else {
      logFault('Push', error)
      notices.error(() => tNow('push:setting.failed'))
    }
    return false
  }
}

function useEndpointHash(browsers: unknown): string | undefined {
  const [hash, setHash] = useState<string>()
  useEffect(() => {
    let isMounted = true
    currentSubscription()
      .then((subscription) => subscription && hashOf(subscription.endpoint))
      .then(
        (foundHash) => isMounted && setHash(foundHash),
        (error: unknown) => logFault('Push', error),
      )
    return () => {
      isMounted = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- computed again with each list
  }, [browsers])
  return hash
}
