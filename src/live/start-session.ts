import { session } from '../../contract/people/session-calls.ts'
import { createStore } from '../lib/store.ts'
import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { call, queryClient } from '../data/api.ts'
import { CACHE_LIFETIME_MS } from '../lib/storage-with-expiry.ts'
import { discardPrefetch } from '../data/prefetch-calls.ts'
import { currentVisit } from '../data/auth-state.ts'
import { signOut } from './sign-out.ts'
import { claimsOf, tokens } from '../data/tokens.ts'
import { setCurrentHome } from '../data/current-home.ts'
import { attentionQuery, devicesQuery, homesQuery, resolveHome } from '../data/homes.ts'
import { companyQuery, personalQuery } from '../data/personal.ts'
import { CallError } from '../data/post.ts'
import { mayNow, me } from '../data/session.ts'
import { pathOf } from '../navigation/paths.ts'

/** State of the first load: loading, ready, without a home, or failed and retryable. */
export type Start = 'loading' | 'ready' | 'noHome' | { error: unknown }
export const start = createStore<Start>('loading')

/** Fetches the first queries of the opened screen, so that they are cached when it renders. */
type PrefetchScreen = (home: HomeWithRooms | undefined) => void

/**
 * Start flow after a sign-in (§4): initializes the user if needed, then loads permissions, then data. UNAUTHENTICATED (code 4) on the
 * permissions signs out, with access denied after a fresh sign-in; a network error on the devices call signs out; the user can retry
 * after any other failure.
 *
 * prefetchScreen  called once permissions and the home are known
 */
export async function startSession(prefetchScreen?: PrefetchScreen): Promise<void> {
  start.set('loading')
  try {
    const stored = await tokens()
    if (!stored) return await signOut('expired')
    if (!isInitialized(stored.id)) await call(session.initializeUser, {})
    if (!(await loadPermissions())) return
    start.set(await loadData(prefetchScreen))
  } catch (error) {
    if (error instanceof SignedOut) return
    if (error instanceof CallError && error.failure === 'UNAUTHENTICATED') await signOut('expired')
    else start.set({ error })
  } finally {
    discardPrefetch()
  }
}

class SignedOut extends Error {}

/** Whether the user is initialized, from the custom attribute of §3; without it, the gateway is asked. */
const isInitialized = (idToken: string): boolean =>
  String(claimsOf(idToken)['custom:initialized_user']) === 'true'

async function loadPermissions(): Promise<boolean> {
  try {
    me.set(await call(session.getPersonalPermissions, {}))
    return true
  } catch (error) {
    if (!(error instanceof CallError) || error.failure !== 'UNAUTHENTICATED') throw error
    // Stored tokens may have been revoked, or their company deleted: the session has expired. If fresh tokens are rejected, this user
    // has no access.
    await signOut(currentVisit().resumed ? 'expired' : 'denied')
    return false
  }
}

async function loadData(prefetchScreen?: PrefetchScreen): Promise<Start> {
  // Optional: if one fails, defaults apply, or the place that shows it shows the failure.
  void queryClient.prefetchQuery(attentionQuery)
  void queryClient.prefetchQuery(personalQuery)
  void queryClient.prefetchQuery(companyQuery)
  const homes = await queryClient.fetchQuery(homesQuery)
  const home = resolveHome(homes, pathOf(location.pathname)?.params['HomeID'])
  setCurrentHome(home?.HomeID)
  prefetchScreen?.(home)
  if (!home) return 'noHome'
  if (mayNow('device', 'Read')) await loadDevices(home.HomeID)
  return 'ready'
}

async function loadDevices(homeId: string): Promise<void> {
  try {
    await queryClient.fetchQuery({ ...devicesQuery(homeId), retry: false })
  } catch (error) {
    if (error instanceof CallError && error.failure === 'NETWORK') {
      await signOut('network')
      throw new SignedOut()
    }
    // The device list shows this failure itself, with a retry.
  }
}

/** Refetches active queries older than an hour, on every navigation (§2). */
export function refetchExpired(): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: (query) => query.isStaleByTime(CACHE_LIFETIME_MS),
  })
}
