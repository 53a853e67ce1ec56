import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { claimsOf, signedInClients, storedTokens } from './tokens.ts'
import { selectHome } from './home-to-show.ts'
import { post } from './post.ts'

/** Calls that were sent before the application had loaded. */
interface Prefetch {
  authorization: string
  answers: Map<string, Promise<unknown>>
  /** Keys of the calls whose answers the opened screen consumes. */
  ofScreen: ReadonlySet<string>
  /** Time of the first call, epoch ms. */
  sentAt: number
}

let current: Prefetch | undefined
/** Path and input of a call. */
export type FirstCall = readonly [path: string, input: object]
/** Maximum age of a prefetched answer, ms: the user may have stayed on a public page first. */
const MAX_PREFETCH_AGE_MS = 30_000

const prefetchKey = (path: string, input: unknown) => `${path} ${JSON.stringify(input)}`

/**
 * Sends the first calls of the start flow (§4) while the application still loads: permissions, homes, attention items, and the settings
 * of the user and the company at once, then the devices of the home that will be shown. `call` consumes the answers, so that a prefetched
 * answer has the same effects as a fetched one. Failures are ignored: the caller that needs an answer sends the call again and handles
 * the failure.
 *
 * ofScreen  first calls of the opened screen
 */
export function prefetchFirstCalls(ofScreen: readonly FirstCall[] = []): void {
  current = undefined
  const [client, ...others] = signedInClients()
  const tokens = client !== undefined && others.length === 0 ? storedTokens(client) : undefined
  if (!tokens || String(claimsOf(tokens.id)['custom:initialized_user']) !== 'true') return
  const authorization = `Bearer ${tokens.id}`
  const answers = new Map<string, Promise<unknown>>()
  const send = (path: string, input: unknown, method: 'POST' | 'GET' = 'POST'): Promise<unknown> => {
    const answer = post(path, input, { method, headers: { authorization } }).catch(() => undefined)
    answers.set(prefetchKey(path, input), answer)
    return answer
  }
  const screenKeys = new Set(ofScreen.map((call) => prefetchKey(...call)))
  current = { authorization, answers, ofScreen: screenKeys, sentAt: Date.now() }
  void send('/GetPersonalPermissions', {})
  void send('/ListHome', {}).then((answer) => {
    const home = homeIn(answer)
    const call = ['/GetAllDeviceWithPeripheral', { HomeID: home?.HomeID }] as const
    if (home && !screenKeys.has(prefetchKey(...call))) void send(...call)
  })
  void send('/ListAttention', {})
  void send('/GetPersonalConfig', {}, 'GET')
  void send('/GetCompanyProfile', {})
  for (const call of ofScreen) void send(...call)
}

/** The home of the address, else as `selectHome` chooses. */
function homeIn(answer: unknown): HomeWithRooms | undefined {
  const inAddress = location.pathname.split('/')
  return selectHome(Array.isArray(answer) ? (answer as HomeWithRooms[]) : [], (id) => inAddress.includes(id))
}

/** The prefetched calls; undefined if there are none or they are too old. */
export const prefetched = (): Prefetch | undefined =>
  current && Date.now() - current.sentAt <= MAX_PREFETCH_AGE_MS ? current : undefined

/** Discards answers that were not consumed by the end of the start flow, except those that the opened screen consumes next. */
export function discardPrefetch(): void {
  const { answers, ofScreen } = prefetched() ?? {}
  for (const key of answers?.keys() ?? []) if (!ofScreen?.has(key)) answers?.delete(key)
}

/** Returns the prefetched answer for the same token, once; undefined if there is none. */
export function consumePrefetch(
  authorization: string | undefined,
  path: string,
  input: unknown,
): Promise<unknown> | undefined {
  const prefetch = prefetched()
  if (prefetch?.authorization !== authorization) return undefined
  const key = prefetchKey(path, input)
  const answer = prefetch?.answers.get(key)
  prefetch?.answers.delete(key)
  return answer
}
