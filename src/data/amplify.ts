import { Amplify } from 'aws-amplify'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { ConsoleLogger } from 'aws-amplify/utils'
import { webConfig } from './config.ts'

export { confirmSignIn, signIn, signOut } from 'aws-amplify/auth'

// Amplify warns on every start that the pool is not Amazon's own; that is intended.
ConsoleLogger.LOG_LEVEL = 'ERROR'

let configuring: Promise<void> | undefined

/** Configures Amplify with the user pool of /config.json, once. */
export function configureAmplify(): Promise<void> {
  configuring ??= webConfig()
    .then((config) => {
      const userPoolEndpoint = new URL(config.UserPoolEndpoint, location.href).href
      Amplify.configure({
        Auth: {
          Cognito: {
            userPoolId: config.UserPoolId,
            userPoolClientId: config.UserPoolClientId,
            userPoolEndpoint,
          },
        },
      })
    })
    .catch((error: unknown) => {
      configuring = undefined
      throw error
    })
  return configuring
}

/** Valid tokens of the signed-in user, refreshed before they expire; undefined when signed out. */
export async function poolTokens(): Promise<{ id: string; access: string } | undefined> {
  await configureAmplify()
  const tokens = await cognitoUserPoolsTokenProvider.getTokens()
  if (!tokens?.idToken) return undefined
  return { id: tokens.idToken.toString(), access: tokens.accessToken.toString() }
}
