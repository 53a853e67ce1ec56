import { webConfig } from './config.ts'
import { signedInClients, storedTokens, type Tokens } from './stored-tokens.ts'

/** Tokens from a native application, which replace a sign-in in this browser. */
let handedOver: Tokens | undefined

export const setTokenProvider = (tokens: Tokens | undefined): void => {
  handedOver = tokens
}

/** Valid tokens of the signed-in user. Amplify is loaded only to renew them. */
export async function tokens(): Promise<Tokens | undefined> {
  if (handedOver) return handedOver
  const stored = storedTokens((await webConfig()).UserPoolClientId)
  if (stored) return stored
  const { poolTokens } = await import('./amplify.ts')
  return poolTokens()
}

/** Whether this browser has a stored session, from Amplify's storage keys, without loading Amplify. */
export const hasStoredSession = (): boolean => handedOver !== undefined || signedInClients().length > 0
