export interface Tokens {
  id: string
  access: string
}

/** Tokens that end sooner are left to Amplify, which has them renewed. */
const ENOUGH_MS = 60_000
const LAST_USER = /^CognitoIdentityServiceProvider\.(.+)\.LastAuthUser$/

/** The pool clients that somebody signed in with here, from the marks that Amplify leaves in the storage. */
export const signedInClients = (): string[] =>
  Object.keys(localStorage).flatMap((key) => LAST_USER.exec(key)?.[1] ?? [])

/**
 * The tokens that Amplify keeps, read without loading it: the first calls need not wait for it. Undefined when there are
 * none or when they end within a minute.
 *
 * clientId  the pool's client (config.json)
 */
export function storedTokens(clientId: string, now = Date.now()): Tokens | undefined {
  const prefix = `CognitoIdentityServiceProvider.${clientId}`
  const user = localStorage.getItem(`${prefix}.LastAuthUser`)
  const read = (name: string) => localStorage.getItem(`${prefix}.${user}.${name}`)
  const [id, access] = [read('idToken'), read('accessToken')]
  if (!id || !access) return undefined
  // How far the pool's clock is ahead of this one, as Amplify measured it at the sign-in.
  const poolNow = now + (Number(read('clockDrift')) || 0)
  const ends = Math.min(endOf(id), endOf(access))
  return ends - poolNow > ENOUGH_MS ? { id, access } : undefined
}

/** A token's claims; none when it is not one. */
export function claimsOf(token: string): Record<string, unknown> {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** When a token ends, in epoch ms; 0 when it does not say. */
export const endOf = (token: string): number => (Number(claimsOf(token)['exp']) || 0) * 1000
