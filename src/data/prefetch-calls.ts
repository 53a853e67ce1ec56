import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { claimsOf, signedInClients, storedTokens } from './stored-tokens.ts'
import { selectHome } from './home-to-show.ts'
import { post } from './post.ts'

/** Calls that were sent before the application had loaded. */
export interface Prefetch {
  authorization: string
  answers: Map<string, Promise<unknown>>
  /** Calls whose answers the opened screen consumes, by their keys. */
  ofScreen: Map<string, FirstCall>
  /** The home that will be shown; undefined if there is none. */
  home: Promise<HomeWithRooms | undefined>
  /** Time of the first call, epoch ms. */
  askedAt: number
}

let ahead: Prefetch | undefined
/** Path and input of a call. */
export type FirstCall = readonly [path: string, input: object]
/** Maximum age of a prefetched answer, ms: the user may have stayed on a public page first. */
const MAX_PREFETCH_AGE_MS = 30_000

export const prefetchKey = (path: string, input: unknown) => `${path} ${JSON.stringify(input)}`

/** Sends a call and stores its answer; undefined if it failed. */
export function sendPrefetch(
  { authorization, answers }: Pick<Prefetch, 'authorization' | 'answers'>,
  path: string,
  input: unknown,
  method: 'POST' | 'GET' = 'POST',
): Promise<unknown> {
  const answer = post(path, input, { method, headers: { authorization } }).catch(() => undefined)
  answers.set(prefetchKey(path, input), answer)
  return answer
}

/**
 * Sends the first calls of the start flow (§4) while the application still loads: permissions, homes, attention items, and the settings
 * of the user and the company at once, then the devices of the home that will be shown. Failures are ignored: the caller that needs an
 * answer sends the call again and handles the failure.
 *
 * ofScreen  first calls of the opened screen
 */
export function prefetchFirstCalls(ofScreen: readonly FirstCall[] = []): void {
  ahead = undefined
  const [client, ...others] = signedInClients()
  const tokens = client !== undefined && others.length === 0 ? storedTokens(client) : undefined
  if (!tokens || String(claimsOf(tokens.id)['custom:initialized_user']) !== 'true') return
  const asked = { authorization: `Bearer ${tokens.id}`, answers: new Map<string, Promise<unknown>>() }
  void sendPrefetch(asked, '/GetPersonalPermissions', {})
  const home = sendPrefetch(asked, '/ListHome', {}).then(homeIn)
  ahead = {
    ...asked,
    home,
    ofScreen: new Map(ofScreen.map((call) => [prefetchKey(...call), call])),
    askedAt: Date.now(),
  }
  const { ofScreen: isOfScreen } = ahead
  void home.then((shown) => {
    const call = ['/GetAllDeviceWithPeripheral', { HomeID: shown?.HomeID }] as const
    if (shown && !isOfScreen.has(prefetchKey(...call))) void sendPrefetch(asked, ...call)
  })
  void sendPrefetch(asked, '/ListAttention', {})
  void sendPrefetch(asked, '/GetPersonalConfig', {}, 'GET')
  void sendPrefetch(asked, '/GetCompanyProfile', {})
  for (const call of ofScreen) void sendPrefetch(asked, ...call)
}

/** The home of the address, else as `selectHome` chooses. */
function homeIn(answer: unknown): HomeWithRooms | undefined {
  const inAddress = location.pathname.split('/')
  return selectHome(Array.isArray(answer) ? (answer as HomeWithRooms[]) : [], (id) => inAddress.includes(id))
}

/** The prefetched calls; undefined if there are none or they are too old. */
export const prefetched = (): Prefetch | undefined =>
  ahead && Date.now() - ahead.askedAt <= MAX_PREFETCH_AGE_MS ? ahead : undefined
