import { SignJWT } from 'jose'
import type { KeyRing } from './keys.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import type { PoolUser } from './people.ts'

/** Lifetime of id and access tokens, seconds. */
export const TOKEN_LIFETIME_S = 3600

/** Id of a person in the identity pool: `<region>:<id>`, as Cognito's libraries expect. */
export const identityIdOf = (cognitoId: string): string => `local:${cognitoId}`

/** Session that a token is issued for. */
export interface TokenSubject {
  sessionId: string
  /** Time of the sign-in, epoch ms. */
  since: number
}

export type TokenIssuer = ReturnType<typeof createTokenIssuer>

/** Issues the id and the access token of a session (claims: protocol, Who is who; Amazon Cognito for the rest). */
export function createTokenIssuer({
  keys,
  clock,
  random,
  issuer,
  clientId,
}: {
  keys: KeyRing
  clock: Clock
  random: Random
  issuer: string
  clientId: string
}) {
  return async function issue(
    person: PoolUser,
    session: TokenSubject,
  ): Promise<{ IdToken: string; AccessToken: string }> {
    const { kid, algorithm, privateKey } = await keys.current()
    const now = Math.floor(clock.now() / 1000)
    const sign = (claims: Record<string, unknown>) =>
      new SignJWT({
        ...claims,
        origin_jti: session.sessionId,
        auth_time: Math.floor(session.since / 1000),
        jti: random.uuid(),
      })
        .setProtectedHeader({ alg: algorithm, kid })
        .setSubject(person.cognitoId)
        .setIssuer(issuer)
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_LIFETIME_S)
        .sign(privateKey)

    const [IdToken, AccessToken] = await Promise.all([
      sign({
        aud: clientId,
        token_use: 'id',
        'cognito:username': person.cognitoId,
        email: person.email,
        email_verified: person.emailVerified,
        given_name: person.firstName,
        family_name: person.lastName,
        // Equal for the owner, who is identified by that (§6).
        'custom:tenant_id': person.tenant,
        'custom:identity_id': person.cognitoId,
        'custom:initialized_user': String(person.initialized),
      }),
      sign({
        client_id: clientId,
        token_use: 'access',
        username: person.cognitoId,
        scope: 'aws.cognito.signin.user.admin',
      }),
    ])
    return { IdToken, AccessToken }
  }
}
