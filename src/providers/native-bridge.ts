import { z } from 'zod'
import { handOverTokens, tokens } from '../data/tokens/tokens.ts'
import { signOut } from '../live/sign-out.ts'
import { changeLanguage, currentLanguage } from '../lib/i18n/i18n.ts'
import { LANGUAGES } from '../lib/i18n/words.ts'
import { connection } from '../live/live.ts'
import { refreshExpired } from '../live/start.ts'
import { createStore } from '../lib/store.ts'

/** What the native application may tell or ask of the dashboard inside its web view (§1). */
export const FromNative = {
  requestTokens: z.object({}),
  requestLanguage: z.object({}),
  requestDeviceInfo: z.object({}),
  token: z.object({ IdToken: z.string().max(8192), AccessToken: z.string().max(8192) }),
  language: z.object({ Language: z.enum(LANGUAGES) }),
  deviceInfo: z.record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean()])),
  logoutPush: z.object({}),
  resume: z.object({}),
}
export type FromNative = { [N in keyof typeof FromNative]: z.infer<(typeof FromNative)[N]> }

/** What the dashboard hands over when it is asked. */
export interface ToNative {
  tokens: { IdToken: string; AccessToken: string } | null
  language: { Language: string }
  deviceInfo: { UserAgent: string; Width: number; Height: number; PixelRatio: number; TimeZone: string }
}

const Message = z.object({
  type: z.enum(Object.keys(FromNative) as [keyof FromNative]),
  payload: z.unknown().optional(),
})

/** What the native application said about its device, e.g. for a push registration. */
export const nativeDevice = createStore<FromNative['deviceInfo'] | undefined>(undefined)

interface NativeHost {
  postMessage(message: string): void
}

/** The native side: WebKit's handler on iOS, an injected object on Android; undefined in an ordinary browser. */
function nativeHost(): NativeHost | undefined {
  const host = globalThis as {
    webkit?: { messageHandlers?: { dashboard?: { postMessage(message: unknown): void } } }
    DashboardBridge?: NativeHost
  }
  const ios = host.webkit?.messageHandlers?.dashboard
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- WebKit's handler, not a window's
  return ios ? { postMessage: (message) => ios.postMessage(message) } : host.DashboardBridge
}

function send<N extends keyof ToNative>(type: N, payload: ToNative[N]): void {
  nativeHost()?.postMessage(JSON.stringify({ type, payload }))
}

const answers: { [N in keyof FromNative]: (payload: FromNative[N]) => void | Promise<void> } = {
  async requestTokens() {
    const held = await tokens()
    send('tokens', held ? { IdToken: held.id, AccessToken: held.access } : null)
  },
  requestLanguage: () => send('language', { Language: currentLanguage() }),
  requestDeviceInfo: () =>
    send('deviceInfo', {
      UserAgent: navigator.userAgent,
      Width: innerWidth,
      Height: innerHeight,
      PixelRatio: devicePixelRatio,
      TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  token: ({ IdToken, AccessToken }) => handOverTokens({ id: IdToken, access: AccessToken }),
  language: ({ Language }) => changeLanguage(Language),
  deviceInfo: (info) => nativeDevice.set(info),
  logoutPush: () => signOut(),
  resume() {
    connection.retryNow()
    refreshExpired()
  },
}

/**
 * Reads one message of the native application; anything of another origin or shape is passed over. The native side injects
 * messages into this page, so their origin is the page's own or none.
 */
export async function receiveNative(event: Pick<MessageEvent, 'origin' | 'data'>): Promise<boolean> {
  if (event.origin !== '' && event.origin !== location.origin) return false
  let data: unknown = event.data
  try {
    if (typeof data === 'string') data = JSON.parse(data)
  } catch {
    return false
  }
  const message = Message.safeParse(data)
  if (!message.success) return false
  const { type } = message.data
  const payload = FromNative[type].safeParse(message.data.payload ?? {})
  if (!payload.success) return false
  await (answers[type] as (payload: unknown) => void | Promise<void>)(payload.data)
  return true
}

/** Listens to the native application when there is one. Returns how to stop. */
export function startNativeBridge(): () => void {
  if (!nativeHost()) return () => {}
  const listen = (event: MessageEvent) => void receiveNative(event)
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
