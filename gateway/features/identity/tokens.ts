import { SignJWT, createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock, Random } from '../../kernel/ports.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { KeyRing } from './keys.ts'
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

const CACHED_FOR = 60_000
const MAX_LENGTH = 8192
const CLOCK_TOLERANCE = '5s'

type TokenUse = 'id' | 'access'

interface VerifiedClaims {
  sub: string
  /** Only in id tokens; also undefined if a foreign pool has not verified the address. */
  email: string | undefined
  tokenUse: TokenUse
  /** Session of the token; absent in tokens of some foreign pools. */
  originJti: string | undefined
  /** Time of the sign-in, epoch seconds; time of issue if a foreign pool does not state it. */
  authTime: number
  /** Epoch seconds. */
  exp: number
}

export interface TokenVerifier {
  /** Throws UNAUTHENTICATED for any token but a valid one of the wanted use, UNAVAILABLE if the pool's keys cannot be loaded. */
  verify(token: string, use?: TokenUse): Promise<VerifiedClaims>
  purge(sub: string): void
}

/**
 * Verifies id and access tokens of one pool: the built-in one, or an Amazon Cognito pool by its JWKS address.
 *
 * keys     a key lookup, or the URL of the pool's jwks.json
 * cache    the last 10,000 valid tokens, for at most 60 s and never past their expiry: the signature is three quarters of the
 *          cost of a call
 */
export function createTokenVerifier({
  issuer,
  audience,
  keys,
  clock,
}: {
  issuer: string
  audience: string
  keys: JWTVerifyGetKey | URL
  clock: Clock
}): TokenVerifier {
  const getKey =
    keys instanceof URL ? createRemoteJWKSet(keys, { timeoutDuration: 5000, cooldownDuration: 10_000 }) : keys
  const cache = new LRUCache<string, { claims: VerifiedClaims; until: number }>({ max: 10_000 })

  return {
    async verify(token, use = 'id') {
      if (token.length > MAX_LENGTH) throw invalidToken()
      const now = clock.now()
      const cached = cache.get(token)
      let claims = cached && cached.until > now ? cached.claims : undefined
      if (!claims) {
        claims = claimsOf(await payloadOf(token, getKey, issuer, now), audience)
        cache.set(token, { claims, until: Math.min(now + CACHED_FOR, claims.exp * 1000) })
      }
      if (claims.tokenUse !== use) throw invalidToken()
      return claims
    },

    purge(sub) {
      for (const [key, { claims }] of cache) if (claims.sub === sub) cache.delete(key)
    },
  }
}

async function payloadOf(
  token: string,
  getKey: JWTVerifyGetKey,
  issuer: string,
  now: number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, getKey, {
      issuer,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE,
    })
    return payload
  } catch (error) {
    if (error instanceof GatewayError) throw error
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || isFetchFault(error))
      throw new GatewayError('UNAVAILABLE', 'The keys of the user pool cannot be reached')
    throw invalidToken()
  }
}

/** Whether jose failed to load the keys; it reports an error response of the key server by its base class. */
const isFetchFault = (error: errors.JOSEError): boolean => error.code === 'ERR_JOSE_GENERIC'

/** Claims of a payload. Cognito names the app client `aud` in id tokens and `client_id` in access tokens. */
function claimsOf(payload: JWTPayload, audience: string): VerifiedClaims {
  const use = payload['token_use']
  const client = use === 'id' ? payload.aud : use === 'access' ? payload['client_id'] : undefined
  if (client !== audience || typeof payload.sub !== 'string') throw invalidToken()
  const { email, email_verified: verified, origin_jti: origin } = payload
  return {
    sub: payload.sub,
    email: typeof email === 'string' && (verified === true || verified === 'true') ? email : undefined,
    tokenUse: use as TokenUse,
    originJti: typeof origin === 'string' ? origin : undefined,
    authTime: typeof payload['auth_time'] === 'number' ? payload['auth_time'] : Math.floor(payload.iat!),
    exp: payload.exp!,
  }
}

const invalidToken = () => new GatewayError('UNAUTHENTICATED', 'The token is not valid')
