import { webConfig } from './config.ts'

interface Tokens {
  id: string
  access: string
}

/** Minimum remaining lifetime of stored tokens, ms; Amplify renews those that expire sooner. */
const MIN_TOKEN_LIFETIME_MS = 60_000
const LAST_USER = /^CognitoIdentityServiceProvider\.(.+)\.LastAuthUser$/

/** Pool clients with a sign-in in this browser, from the keys that Amplify stores. */
export const signedInClients = (): string[] =>
  Object.keys(localStorage).flatMap((key) => LAST_USER.exec(key)?.[1] ?? [])

/**
 * Reads the tokens that Amplify stored without loading Amplify, which the first calls need not wait for. Undefined if there are none or
 * they expire within a minute.
 *
 * clientId  the pool's client (config.json)
 */
export function storedTokens(clientId: string, now = Date.now()): Tokens | undefined {
  const prefix = `CognitoIdentityServiceProvider.${clientId}`
  const user = localStorage.getItem(`${prefix}.LastAuthUser`)
  const read = (name: string) => localStorage.getItem(`${prefix}.${user}.${name}`)
  const [id, access] = [read('idToken'), read('accessToken')]
  if (!id || !access) return undefined
  // `clockDrift`: time by which the pool's clock is ahead of this one, as Amplify measured it at the sign-in.
  const poolNow = now + (Number(read('clockDrift')) || 0)
  const ends = Math.min(endOf(id), endOf(access))
  return ends - poolNow > MIN_TOKEN_LIFETIME_MS ? { id, access } : undefined
}

/** A token's claims; empty if it is invalid. */
export function claimsOf(token: string): Record<string, unknown> {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Expiry of a token, epoch ms; 0 if it has none. */
export const endOf = (token: string): number => (Number(claimsOf(token)['exp']) || 0) * 1000

/** Tokens from a native application, which replace a sign-in in this browser. */
let nativeTokens: Tokens | undefined

export const setTokenProvider = (tokens: Tokens | undefined): void => {
  nativeTokens = tokens
}

/** Valid tokens of the signed-in user. Amplify is loaded only to renew them. */
export async function tokens(): Promise<Tokens | undefined> {
  if (nativeTokens) return nativeTokens
  const stored = storedTokens((await webConfig()).UserPoolClientId)
  if (stored) return stored
  const { poolTokens } = await import('./amplify.ts')
  return poolTokens()
}

/** Whether this browser has a stored session, from Amplify's storage keys, without loading Amplify. */
export const hasStoredSession = (): boolean => nativeTokens !== undefined || signedInClients().length > 0
