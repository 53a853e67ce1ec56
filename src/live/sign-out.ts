import { OFFLINE_CACHE } from '../worker/offline-cache.ts'
import { LANGUAGE_KEY } from '../lib/i18n/i18n.ts'
import { queryClient } from '../data/api.ts'
import { setCurrentHome } from '../data/current-home.ts'
import { stopLive } from './live.ts'
import { bell } from '../data/notices.ts'
import { me } from '../data/session.ts'
import { PUSH_OFF_KEY, PUSH_ON_KEY } from '../lib/push-off-key.ts'
import { THEME_KEY } from '../lib/theme-key.ts'
import { authState, setSignedOut, type SignInReason } from '../data/tokens/auth-state.ts'
import { setTokenProvider } from '../data/tokens/tokens.ts'

/** What stays on this device when somebody signs out: how it looks and speaks. */
const KEEP = [LANGUAGE_KEY, THEME_KEY, PUSH_OFF_KEY, PUSH_ON_KEY]

/** What is done while the person is still signed in; it limits its own time. */
const farewells = new Set<() => Promise<unknown>>()

/** Does something before each sign-out, forced or not; a failure keeps nobody signed in. Returns how to stop that. */
export function onBeforeSignOut(task: () => Promise<unknown>): () => void {
  farewells.add(task)
  return () => farewells.delete(task)
}

let leaving: Promise<void> | undefined

/**
 * Signs out: ends the session at the pool, clears all local data and goes to Home (§4). The pool being away does not keep
 * anybody signed in here.
 */
export function signOut(reason: SignInReason = 'signedOut'): Promise<void> {
  // Calls that were under way fail afterwards and would give another reason.
  if (authState.get() === 'signIn') return leaving ?? Promise.resolve()
  leaving ??= leave(reason).finally(() => {
    leaving = undefined
  })
  return leaving
}

async function leave(reason: SignInReason): Promise<void> {
  stopLive()
  await Promise.allSettled([...farewells].map((task) => task()))
  try {
    const amplify = await import('../data/tokens/amplify.ts')
    await amplify.configureAmplify()
    await Promise.race([amplify.signOut(), new Promise((resolve) => setTimeout(resolve, 3000))])
  } catch {
    // Signed out locally all the same.
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
  const kept = KEEP.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  sessionStorage.clear()
  for (const [key, value] of kept) if (value !== null) localStorage.setItem(key, value)
  if (!('caches' in globalThis)) return
  // The offline page is nobody's, and the worker fetches it only once.
  for (const name of await caches.keys()) if (name !== OFFLINE_CACHE) await caches.delete(name)
}

/** Signed out in another tab of this browser: this one follows. Returns how to stop. */
export function syncSignOutAcrossTabs(): () => void {
  const look = (event: StorageEvent) => {
    const marksSession =
      event.key === null || /^CognitoIdentityServiceProvider\..+\.LastAuthUser$/.test(event.key)
    if (marksSession && event.newValue === null) void signOut()
  }
  addEventListener('storage', look)
  return () => removeEventListener('storage', look)
}
