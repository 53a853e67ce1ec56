import { claimsOf, signedInClients, storedTokens } from './tokens/stored-tokens.ts'
import { CURRENT_HOME_KEY } from './current-home-key.ts'
import { kept } from '../lib/storage-with-expiry.ts'
import { post } from './post.ts'

/** Answers of calls that were sent before the application had loaded, by the token they were asked with. */
interface Ahead {
  authorization: string
  answers: Map<string, Promise<unknown>>
  /** Which of them the screen that is opened takes. */
  ofScreen: ReadonlySet<string>
  /** Epoch ms. */
  askedAt: number
}

let ahead: Ahead | undefined
/** A call and what it is asked with. */
export type FirstCall = readonly [path: string, input: object]

/** An answer that nobody has taken by then is old news, in ms: somebody may have read a page of the sign-in first. */
const NEWS_FOR_MS = 30_000

const keyOf = (path: string, input: unknown) => `${path} ${JSON.stringify(input)}`

/**
 * Sends the first calls of the start flow (§4) while the application is still on its way: permissions, homes, what needs somebody, and
 * what the person and the company have chosen together, then the devices of the home that will be shown. A call that fails is as if it
 * had not been sent: who needs it sends it again and deals with the failure.
 *
 * ofScreen  what the screen that is opened asks for first
 */
export function askAhead(ofScreen: readonly FirstCall[] = []): void {
  const [client, ...others] = signedInClients()
  const tokens = client !== undefined && others.length === 0 ? storedTokens(client) : undefined
  if (!tokens || String(claimsOf(tokens.id)['custom:initialized_user']) !== 'true') return
  const answers = new Map<string, Promise<unknown>>()
  const authorization = `Bearer ${tokens.id}`
  const isOfScreen = new Set(ofScreen.map(([path, input]) => keyOf(path, input)))
  ahead = { authorization, answers, ofScreen: isOfScreen, askedAt: Date.now() }
  const ask = (path: string, input: unknown, method: 'POST' | 'GET' = 'POST'): Promise<unknown> => {
    const answer = post(path, input, { method, headers: { authorization } }).catch(() => undefined)
    answers.set(keyOf(path, input), answer)
    return answer
  }
  void ask('/GetPersonalPermissions', {})
  void ask('/ListHome', {}).then((homes) => {
    const ids = Array.isArray(homes) ? homes.map((home: { HomeID: string }) => home.HomeID) : []
    const inAddress = location.pathname.split('/')
    const remembered = kept(CURRENT_HOME_KEY)
    const HomeID = ids.find((id) => inAddress.includes(id)) ?? ids.find((id) => id === remembered) ?? ids[0]
    const call = ['/GetAllDeviceWithPeripheral', { HomeID }] as const
    if (HomeID && !isOfScreen.has(keyOf(...call))) void ask(...call)
  })
  void ask('/ListAttention', {})
  void ask('/GetPersonalConfig', {}, 'GET')
  void ask('/GetCompanyProfile', {})
  for (const call of ofScreen) void ask(...call)
}

/** What was not taken by the end of the start flow would be old news later; the screen that is opened takes its own a moment after. */
export function forgetAhead(): void {
  const { answers, ofScreen } = ahead ?? {}
  for (const key of answers?.keys() ?? []) if (!ofScreen?.has(key)) answers?.delete(key)
}

/** The answer that was asked for ahead with the same token, once; undefined when there is none. */
export function takeAhead(
  authorization: string | undefined,
  path: string,
  input: unknown,
): Promise<unknown> | undefined {
  if (!ahead || ahead.authorization !== authorization || Date.now() - ahead.askedAt > NEWS_FOR_MS)
    return undefined
  const key = keyOf(path, input)
  const answer = ahead.answers.get(key)
  ahead.answers.delete(key)
  return answer
}
