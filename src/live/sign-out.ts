import { OFFLINE_CACHE } from '../lib/offline-cache.ts'
import { LANGUAGE_KEY } from '../lib/i18n/i18n.ts'
import { queryClient } from '../data/api.ts'
import { setCurrentHome } from '../data/current-home.ts'
import { stopLive } from './session.ts'
import { bell } from '../data/notices.ts'
import { me } from '../data/session.ts'
import { PUSH_OFF_KEY, PUSH_ON_KEY } from '../lib/push-off-key.ts'
import { THEME_KEY } from '../lib/theme-key.ts'
import { authState, setSignedOut, type SignInReason } from '../data/auth-state.ts'
import { setTokenProvider } from '../data/tokens.ts'
import { TOUR_OFFERED_KEY } from '../data/tour-offer.ts'

/** Storage keys that survive a sign-out: language, theme, push settings of this browser, and to whom the tour was offered. */
const KEPT_KEYS = [LANGUAGE_KEY, THEME_KEY, PUSH_OFF_KEY, PUSH_ON_KEY, TOUR_OFFERED_KEY]

/** Tasks that run before the session ends; each must limit its own duration. */
const tasks = new Set<() => Promise<unknown>>()

/** Runs a task before each sign-out, forced or not; its failure does not prevent the sign-out. Returns the unregister function. */
export function onBeforeSignOut(task: () => Promise<unknown>): () => void {
  tasks.add(task)
  return () => tasks.delete(task)
}

let inProgress: Promise<void> | undefined

/** Signs out: ends the session at the user pool, clears all local data and opens Home (§4). Works even if the pool is unreachable. */
export function signOut(reason: SignInReason = 'signedOut'): Promise<void> {
  // Calls in flight fail afterwards and would set another reason.
  if (authState.get() === 'signIn') return inProgress ?? Promise.resolve()
  inProgress ??= endSession(reason).finally(() => {
    inProgress = undefined
  })
  return inProgress
}

async function endSession(reason: SignInReason): Promise<void> {
  stopLive()
  await Promise.allSettled([...tasks].map((task) => task()))
  try {
    const amplify = await import('../data/amplify.ts')
    await amplify.configureAmplify()
    await Promise.race([amplify.signOut(), new Promise((resolve) => setTimeout(resolve, 3000))])
  } catch {
    // Sign out locally anyway.
  }
  setTokenProvider(undefined)
  setSignedOut(reason)
  me.set(undefined)
  setCurrentHome(undefined)
  bell.set([])
  queryClient.clear()
  await clearStorage()
}

async function clearStorage(): Promise<void> {
  const keptEntries = KEPT_KEYS.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  sessionStorage.clear()
  for (const [key, value] of keptEntries) if (value !== null) localStorage.setItem(key, value)
  if (!('caches' in globalThis)) return
  // The offline page holds no personal data, and the worker fetches it only once.
  for (const name of await caches.keys()) if (name !== OFFLINE_CACHE) await caches.delete(name)
}

/** Signs out when another tab of this browser signs out. Returns the unsubscribe function. */
export function syncSignOutAcrossTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    const marksSession =
      event.key === null || /^CognitoIdentityServiceProvider\..+\.LastAuthUser$/.test(event.key)
    if (marksSession && event.newValue === null) void signOut()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
