import { baseUrlOf, type Config } from '../../config/config.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { type Clock, type Log, type Mail, systemRandom } from '../../kernel/ports.ts'
import type { Db } from '../../kernel/db.ts'
import { createIdentity } from './identity.ts'
import { cognitoIssuer, createOutsidePool } from './outside-pool.ts'

/** Creates the built-in user pool, or the Cognito pool of the configuration. */
export function choosePool(
  config: Config,
  options: {
    db: Db
    clock: Clock
    mail: Mail
    log: Log
    onRevoked: (cognitoId: string, sessions: readonly string[]) => void
  },
): Identity {
  const outside = outsidePoolOf(config)
  if (outside) return createOutsidePool({ ...options, ...outside })
  const { POOL_ID: poolId, POOL_CLIENT_ID: clientId, SECRET: secret } = config
  return createIdentity({
    ...options,
    random: systemRandom,
    secret,
    poolId,
    clientId,
    baseUrl: baseUrlOf(config),
    signUpMode: config.SIGN_UP,
  })
}

/** Cognito pool of the configuration; undefined for the built-in one. */
export function outsidePoolOf(config: Config) {
  const { COGNITO_USER_POOL_ID: poolId, COGNITO_CLIENT_ID: clientId, COGNITO_ENDPOINT: endpoint } = config
  if (poolId === undefined || clientId === undefined) return undefined
  const identityPoolId = config.COGNITO_IDENTITY_POOL_ID ?? ''
  const issuer = endpoint === undefined ? cognitoIssuer(poolId) : `${endpoint}/${poolId}`
  return { poolId, clientId, identityPoolId, issuer }
}
