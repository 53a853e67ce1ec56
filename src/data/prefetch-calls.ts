import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { claimsOf, signedInClients, storedTokens } from './tokens/stored-tokens.ts'
import { selectHome } from './home-to-show.ts'
import { post } from './post.ts'

/** Answers of calls that were sent before the application had loaded, by the token they were asked with. */
export interface Prefetch {
  authorization: string
  answers: Map<string, Promise<unknown>>
  /** Which of them the screen that is opened takes, by their keys. */
  ofScreen: Map<string, FirstCall>
  /** The home that will be shown; undefined without one. */
  home: Promise<HomeWithRooms | undefined>
  /** Epoch ms. */
  askedAt: number
}

let ahead: Prefetch | undefined
/** A call and what it is asked with. */
export type FirstCall = readonly [path: string, input: object]
/** An answer that nobody has taken by then is old news, in ms: somebody may have read a page of the sign-in first. */
const MAX_PREFETCH_AGE_MS = 30_000

export const prefetchKey = (path: string, input: unknown) => `${path} ${JSON.stringify(input)}`

/** Sends a call and keeps its answer, undefined where it failed. */
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
 * Sends the first calls of the start flow (§4) while the application is still on its way: permissions, homes, what needs somebody, and
 * what the person and the company have chosen together, then the devices of the home that will be shown. A call that fails is as if it
 * had not been sent: who needs it sends it again and deals with the failure.
 *
 * ofScreen  what the screen that is opened asks for first
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

/** The home of the address, else as `homeToShow` has it. */
function homeIn(answer: unknown): HomeWithRooms | undefined {
  const inAddress = location.pathname.split('/')
  return selectHome(Array.isArray(answer) ? (answer as HomeWithRooms[]) : [], (id) => inAddress.includes(id))
}

/** What was asked ahead; undefined where it is old news. */
export const prefetched = (): Prefetch | undefined =>
  ahead && Date.now() - ahead.askedAt <= MAX_PREFETCH_AGE_MS ? ahead : undefined
