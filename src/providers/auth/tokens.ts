export interface Tokens {
  id: string
  access: string
}

/** Tokens that a native application handed over instead of a sign-in in this browser. */
let handedOver: Tokens | undefined

export const handOverTokens = (tokens: Tokens | undefined): void => {
  handedOver = tokens
}

/** The valid tokens of who is signed in. Amplify is fetched on first use only: the sign-in page does without. */
export async function tokens(): Promise<Tokens | undefined> {
  if (handedOver) return handedOver
  const { poolTokens } = await import('./amplify.ts')
  return poolTokens()
}

/** Whether somebody signed in here before, told from Amplify's marks in the storage without loading it. */
export function seemsSignedIn(): boolean {
  if (handedOver) return true
  for (let i = 0; i < localStorage.length; i++)
    if (/^CognitoIdentityServiceProvider\..+\.LastAuthUser$/.test(localStorage.key(i) ?? '')) return true
  return false
}
