import { claimsOf, signedInClients, storedTokens } from './tokens/stored-tokens.ts'
import { CURRENT_HOME_KEY } from './current-home-key.ts'
import { kept } from '../lib/storage-with-expiry.ts'
import { post } from './post.ts'

/** Answers of calls that were sent before the application had loaded, by the token they were asked with. */
interface Ahead {
  authorization: string
  answers: Map<string, Promise<unknown>>
}

let ahead: Ahead | undefined
const keyOf = (path: string, input: unknown) => `${path} ${JSON.stringify(input)}`

/**
 * Sends the first calls of the start flow (§4) while the application is still on its way: permissions, homes, what needs somebody, and
 * what the person and the company have chosen together, then the devices of the home that will be shown. A call that fails is as if it had not been sent: the start flow sends
 * it again and deals with the failure.
 */
export function askAhead(): void {
  const [client, ...others] = signedInClients()
  const tokens = client !== undefined && others.length === 0 ? storedTokens(client) : undefined
  if (!tokens || String(claimsOf(tokens.id)['custom:initialized_user']) !== 'true') return
  const answers = new Map<string, Promise<unknown>>()
  const authorization = `Bearer ${tokens.id}`
  ahead = { authorization, answers }
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
    if (HomeID) void ask('/GetAllDeviceWithPeripheral', { HomeID })
  })
  void ask('/ListAttention', {})
  void ask('/GetPersonalConfig', {}, 'GET')
  void ask('/GetCompanyProfile', {})
}

/** What was not taken by the end of the start flow would be old news later. */
export const forgetAhead = (): void => {
  ahead = undefined
}

/** The answer that was asked for ahead with the same token, once; undefined when there is none. */
export function takeAhead(
  authorization: string | undefined,
  path: string,
  input: unknown,
): Promise<unknown> | undefined {
  if (!ahead || ahead.authorization !== authorization) return undefined
  const key = keyOf(path, input)
  const answer = ahead.answers.get(key)
  ahead.answers.delete(key)
  return answer
}
