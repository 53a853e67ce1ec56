import { webConfig } from '../config.ts'
import { signedInClients, storedTokens, type Tokens } from './stored-tokens.ts'

/** Tokens that a native application handed over instead of a sign-in in this browser. */
let handedOver: Tokens | undefined

export const setTokenProvider = (tokens: Tokens | undefined): void => {
  handedOver = tokens
}

/** The valid tokens of who is signed in. Amplify is fetched only when they are to be renewed. */
export async function tokens(): Promise<Tokens | undefined> {
  if (handedOver) return handedOver
  const stored = storedTokens((await webConfig()).UserPoolClientId)
  if (stored) return stored
  const { poolTokens } = await import('./amplify.ts')
  return poolTokens()
}

/** Whether somebody signed in here before, told from Amplify's marks in the storage without loading it. */
export const hasStoredSession = (): boolean => handedOver !== undefined || signedInClients().length > 0
