import { session } from '../../contract/people/session-calls.ts'
import { createStore } from '../lib/store.ts'
import { call, queryClient } from '../data/api.ts'
import { CACHE_LIFETIME_MS } from '../lib/storage-with-expiry.ts'
import { discardPrefetch, seedScreenQueries } from '../data/prefetch.ts'
import { currentVisit } from '../data/tokens/auth-state.ts'
import { signOut } from './sign-out.ts'
import { claimsOf } from '../data/tokens/stored-tokens.ts'
import { tokens } from '../data/tokens/tokens.ts'
import { setCurrentHome } from '../data/current-home.ts'
import { attentionQuery, devicesQuery, homesQuery, resolveHome } from '../data/homes.ts'
import { companyQuery, personalQuery } from '../data/personal.ts'
import { CallError } from '../data/post.ts'
import { mayNow, me } from '../data/session.ts'
import { directEntryRouteOf } from '../direct-entry-routes.ts'
import { pathOf } from '../navigation/paths.ts'

/** Where the first load stands: a loading screen, the shell, or a failure that can be tried again. */
export type Start = 'loading' | 'ready' | 'noHome' | { error: unknown }
export const start = createStore<Start>('loading')

/**
 * From a sign-in to the first screen (§4): initialize the person if that has not happened, then permissions, then data.
 * Code 4 on the permissions signs out, with access denied after a sign-in; a network error on the all-devices call signs out; any other
 * failure can be tried again.
 */
export async function startSession(): Promise<void> {
  start.set('loading')
  try {
    const held = await tokens()
    if (!held) return await signOut('expired')
    if (!isInitialized(held.id)) await call(session.initializeUser, {})
    if (!(await loadPermissions())) return
    prefetchScreen(held.id)
    start.set(await loadData())
  } catch (error) {
    if (error instanceof SignedOut) return
    if (error instanceof CallError && error.failure === 'UNAUTHENTICATED') await signOut('expired')
    else start.set({ error })
  } finally {
    discardPrefetch()
  }
}

/** Fetches what the opened screen shows first, so that it is in the cache when the screen is drawn. */
function prefetchScreen(token: string): void {
  const load = directEntryRouteOf(location.pathname)?.fetches
  if (!load) return
  seedScreenQueries(token, ([path, input]) => {
    // A screen whose code could not be loaded fetches for itself when it is opened again.
    load().then(
      ({ fetches }) => fetches[path]?.(input as never),
      () => {},
    )
  })
}

class SignedOut extends Error {}

/** The custom attribute of §3; a pool that does not carry it leaves the question to the gateway. */
const isInitialized = (idToken: string): boolean =>
  String(claimsOf(idToken)['custom:initialized_user']) === 'true'

async function loadPermissions(): Promise<boolean> {
  try {
    me.set(await call(session.getPersonalPermissions, {}))
    return true
  } catch (error) {
    if (!(error instanceof CallError) || error.failure !== 'UNAUTHENTICATED') throw error
    // Kept tokens may have been revoked or outlived their company: an ended session. Tokens fresh from a sign-in that are
    // refused mean the person.
    await signOut(currentVisit().resumed ? 'expired' : 'denied')
    return false
  }
}

async function loadData(): Promise<Start> {
  // None is needed to begin; their failure leaves the defaults, or is told where they are shown.
  void queryClient.prefetchQuery(attentionQuery)
  void queryClient.prefetchQuery(personalQuery)
  void queryClient.prefetchQuery(companyQuery)
  const homes = await queryClient.fetchQuery(homesQuery)
  const home = resolveHome(homes, pathOf(location.pathname)?.params['HomeID'])
  setCurrentHome(home?.HomeID)
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
    // The device list shows this failure itself, with a way to try again.
  }
}

/** On every navigation (§2): what is older than an hour is asked for again. */
export function refetchExpired(): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: (query) => query.isStaleByTime(CACHE_LIFETIME_MS),
  })
}
