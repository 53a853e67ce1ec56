import { vi } from 'vitest'
import { CONFIG } from '../../support/msw.ts'

export const WEB_PUSH_KEY = CONFIG.WebPushKey as string
export const OTHER_KEY =
  'BNNL5ZaTfK81qhXOx23-wewhigUeFb632jN6LvRWCFH1ubQr77FE_9qV1FuojuRmHP42zmf34rXgW80OvUVDgTk'

const bytesOf = (key: string) => new Uint8Array(Buffer.from(key, 'base64url')).buffer

export const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/this-browser'
export const KEYS = { p256dh: WEB_PUSH_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
export const INFO = { endpoint: ENDPOINT, expirationTime: null, keys: KEYS }

/** Simulated push interfaces of a browser. */
export interface PushBrowser {
  permission: NotificationPermission
  /** Answer of the user to the permission prompt. */
  answers: NotificationPermission
  /** Key of its subscription; undefined without one. */
  subscribedTo: string | undefined
  /** Permission prompts and subscription changes, in order. */
  calls: string[]
  notifications: { close: () => void }[]
  /** Whether the push service is unreachable. */
  isCutOff: boolean
  /** Sends a message from the worker to the page; returns the page's responses. */
  receivePush: (data: unknown) => unknown[]
}

/** Installs a browser that supports push; undo with vi.unstubAllGlobals(). */
export function stubPushBrowser(change: Partial<PushBrowser> = {}): PushBrowser {
  const listeners = new Set<(event: object) => void>()
  const browser: PushBrowser = {
    permission: 'default',
    answers: 'granted',
    subscribedTo: undefined,
    calls: [],
    notifications: [],
    isCutOff: false,
    receivePush(data) {
      const promises: unknown[] = []
      const port = { postMessage: (answer: unknown) => void promises.push(answer) }
      for (const listener of listeners) listener({ data, ports: [port] })
      return promises
    },
    ...change,
  }
  const subscription = () => ({
    endpoint: ENDPOINT,
    options: { applicationServerKey: bytesOf(browser.subscribedTo ?? '') },
    toJSON: () => INFO,
    unsubscribe: async () => {
      browser.calls.push('unsubscribe')
      browser.subscribedTo = undefined
      return true
    },
  })
  const pushManager = {
    getSubscription: async () => (browser.subscribedTo === undefined ? null : subscription()),
    async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array }) {
      if (browser.isCutOff) throw new DOMException('Registration failed', 'AbortError')
      browser.subscribedTo = Buffer.from(applicationServerKey).toString('base64url')
      browser.calls.push('subscribe')
      return subscription()
    },
  }
  const registration = { pushManager, getNotifications: async () => browser.notifications }
  const serviceWorker = {
    register: async (path: string) => {
      browser.calls.push(`register ${path}`)
      return registration
    },
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
    addEventListener: (_: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
  }
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('PushManager', pushManager)
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission
    },
    async requestPermission() {
      browser.calls.push('ask')
      browser.permission = browser.answers
      return browser.permission
    },
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  return browser
}

/** Removes push support, as in plain jsdom. */
export function unstubPushBrowser(): void {
  vi.unstubAllGlobals()
  delete (navigator as { serviceWorker?: unknown }).serviceWorker
}
