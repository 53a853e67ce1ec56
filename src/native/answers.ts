import { claimsOf, setTokenProvider, tokens } from '../data/tokens.ts'
import { setSignedIn, authState } from '../data/auth-state.ts'
import { goTo } from '../data/navigator.ts'
import { changeLanguage, currentLanguage } from '../lib/i18n/i18n.ts'
import { connection } from '../live/channel.ts'
import { signOut } from '../live/sign-out.ts'
import { refetchExpired } from '../live/start-session.ts'
import { pathOf } from '../navigation/paths.ts'
import { nativeApp, nativeDevice } from './app.ts'
import { type NativeFailure, type FromApp, type ToApp, VERSIONS } from './messages.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'

/** Remaining lifetime at which tokens are renewed, in ms (§9). */
const RENEW_BEFORE_MS = 300_000
/** Minimum interval between requests for new tokens, in ms. */
const MIN_DELAY_MS = 10_000
/** Maximum delay of a browser timer, in ms. */
const MAX_DELAY_MS = 2 ** 31 - 1

let timer: ReturnType<typeof setTimeout> | undefined
let onExpiring: (() => void) | undefined

/** Calls the listener before a token from the application expires. Returns a function that stops this. */
export function onTokenExpiring(listener: () => void): () => void {
  onExpiring = listener
  return () => {
    onExpiring = undefined
    clearTimeout(timer)
  }
}

/** Starts the timer of this token instead of the previous one; a token without an expiry has none. */
function watchToken(token: string): void {
  clearTimeout(timer)
  const end = Number(claimsOf(token)['exp']) * 1000
  if (!end) return
  const waitMs = Math.max(MIN_DELAY_MS, end - gatewayNow() - RENEW_BEFORE_MS)
  timer = setTimeout(() => onExpiring?.(), Math.min(MAX_DELAY_MS, waitMs))
}

/** Stops the timer after sign-out. */
export const clearTokenTimer = (): void => clearTimeout(timer)

/** Error for a message that cannot be handled, with the failure reported to the application. */
export class NativeRefusal extends Error {
  readonly failure: NativeFailure

  constructor(failure: NativeFailure) {
    super(failure.Code)
    this.failure = failure
  }
}

/** Response to a message: a message of the page, or undefined for a mere acknowledgement. */
export type Answer = { [T in keyof ToApp]: { type: T; payload: ToApp[T] } }[keyof ToApp] | undefined

type Answers = { [T in keyof FromApp]: (payload: FromApp[T]) => Answer | Promise<Answer> }

/** Handlers of the application's messages. They throw a NativeRefusal if a message cannot be handled. */
export const answers: Answers = {
  hello(app) {
    if (!VERSIONS.includes(app.Version))
      throw new NativeRefusal({ Code: 'unknownVersion', Versions: [...VERSIONS] })
    nativeApp.set(app)
    return undefined
  },
  async requestTokens() {
    const current = authState.get() === 'app' ? await tokens() : undefined
    return { type: 'tokens', payload: current ? { IdToken: current.id, AccessToken: current.access } : null }
  },
  requestLanguage: () => ({ type: 'language', payload: { Language: currentLanguage() } }),
  requestDeviceInfo: () => ({
    type: 'deviceInfo',
    payload: {
      UserAgent: navigator.userAgent,
      Width: innerWidth,
      Height: innerHeight,
      PixelRatio: devicePixelRatio,
      TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  }),
  async token({ IdToken, AccessToken }) {
    const person = claimsOf(IdToken)['sub']
    if (typeof person !== 'string') throw new NativeRefusal({ Code: 'malformed' })
    const current = authState.get() === 'app' ? await tokens() : undefined
    // Data of another user must be removed before this user is signed in.
    if (authState.get() === 'app' && current && claimsOf(current.id)['sub'] !== person) await signOut()
    setTokenProvider({ id: IdToken, access: AccessToken })
    watchToken(IdToken)
    if (authState.get() === 'signIn') setSignedIn()
    return undefined
  },
  async language({ Language }) {
    await changeLanguage(Language)
    return undefined
  },
  deviceInfo(info) {
    nativeDevice.set(info)
    return undefined
  },
  async logoutPush() {
    await signOut()
    return undefined
  },
  resume() {
    connection.retryNow()
    refetchExpired()
    return undefined
  },
  openNotification({ Path }) {
    const url = new URL(Path, location.origin)
    if (url.origin !== location.origin || !pathOf(url.pathname)) throw new NativeRefusal({ Code: 'notOurs' })
    const to = url.pathname + url.search + url.hash
    // The sign-in page has no router: the address is the page to open after sign-in.
    if (authState.get() === 'app') goTo(to)
    else history.replaceState(null, '', to)
    return undefined
  },
}
