import { sql, type Db } from '../../kernel/db.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { RequestCaller } from '../../domain/identity/identity.ts'
import type { DeviceCookies } from './device-marks.ts'
import type { Attempt, Lockout } from './lockout.ts'
import { type Passwords, requirePassword } from './passwords.ts'
import { findByEmail, findById, normalEmail, type PoolUser } from './people.ts'
import { PoolError, wrongPassword } from './pool-error.ts'
import { deriveKey, open, seal } from '../../lib/seal.ts'
import type { Sessions } from './sessions.ts'
import { TOKEN_LIFETIME_S, type TokenIssuer, type TokenVerifier } from './tokens.ts'
import type { AccessFailure, AccessTrail } from './access-trail.ts'

const CHALLENGE_LIFE = 15 * 60_000

/** Result of a sign-in or refresh, in Cognito's format. */
export interface AuthenticationResult {
  AccessToken: string
  IdToken: string
  RefreshToken: string
  ExpiresIn: number
  TokenType: 'Bearer'
}

export type SignInAnswer =
  | { AuthenticationResult: AuthenticationResult; ChallengeParameters: Record<string, never> }
  | { ChallengeName: 'NEW_PASSWORD_REQUIRED'; Session: string; ChallengeParameters: Record<string, string> }

export interface SignInOptions {
  db: Db
  clock: Clock
  secret: string | Uint8Array
  passwords: Passwords
  lockout: Lockout
  marks: DeviceCookies
  sessions: Sessions
  issue: TokenIssuer
  verifier: TokenVerifier
  trail: AccessTrail
}

const blocked = {
  account: () => new PoolError('NotAuthorizedException', 'Password attempts exceeded'),
  address: () => new PoolError('TooManyRequestsException', 'Too many failed attempts from this address'),
}

const blockedChange = {
  account: () =>
    new PoolError('LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
  address: blocked.address,
}

/** Answer to a sign-in, and the device mark for the browser's next one. */
export interface SignInResult {
  answer: SignInAnswer
  deviceMark?: string
}

export type SignIn = ReturnType<typeof createSignIn>

/** Operations that need a password or a token of the pool: sign-in, first password, refresh, change, sign-out. */
export function createSignIn({
  db,
  clock,
  secret,
  passwords,
  lockout,
  marks,
  sessions,
  issue,
  verifier,
  trail,
}: SignInOptions) {
  const challengeKey = deriveKey(secret, 'challenge')

  async function result(
    person: PoolUser,
    session: Awaited<ReturnType<Sessions['start']>>,
  ): Promise<AuthenticationResult> {
    const tokens = await issue(person, session)
    return { ...tokens, RefreshToken: session.refreshToken, ExpiresIn: TOKEN_LIFETIME_S, TokenType: 'Bearer' }
  }

  async function signedIn(
    event: 'SignIn' | 'SetFirstPassword',
    person: PoolUser,
    caller: RequestCaller,
  ): Promise<SignInResult> {
    const session = await sessions.start(person, caller)
    await trail.record(event, person.cognitoId, caller)
    return {
      answer: { AuthenticationResult: await result(person, session), ChallengeParameters: {} },
      deviceMark: marks.add(caller.deviceMark, person.email),
    }
  }

  /** Records a rejection by the pool. */
  async function recorded<T>(
    event: AccessFailure,
    email: string,
    caller: RequestCaller,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof PoolError) trail.recordFailure(event, email, caller)
      throw error
    }
  }

  /** Stateless challenge. It contains the time of the password change, so it works once. */
  function challenge(person: PoolUser): SignInAnswer {
    const state = {
      id: person.cognitoId,
      changed: person.passwordChangedAt,
      until: clock.now() + CHALLENGE_LIFE,
    }
    return {
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session: seal(challengeKey, JSON.stringify(state), 'challenge').toString('base64url'),
      ChallengeParameters: {
        USER_ID_FOR_SRP: person.cognitoId,
        requiredAttributes: '[]',
        userAttributes: JSON.stringify({ email: person.email, email_verified: String(person.emailVerified) }),
      },
    }
  }

  function openChallenge(session: string): { id: string; changed: number } | undefined {
    try {
      const state = JSON.parse(open(challengeKey, Buffer.from(session, 'base64url'), 'challenge').toString())
      return state.until > clock.now() ? state : undefined
    } catch {
      return undefined
    }
  }

  /** Withdraws the attempt after an internal error, so that the caller's failures do not increase. */
  async function fair<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PoolError) || error.name === 'TooManyRequestsException')
        await attempt.withdraw().catch(() => {})
      throw error
    }
  }

  /** Stores a new password; returns the time of the change. */
  async function setPassword(on: Db, person: PoolUser, hash: string): Promise<number> {
    const [row] = await on.query<{ at: number }>(sql`
      update credentials set password_hash = ${hash}, must_change = false,
        password_changed_at = greatest(${clock.now()}::bigint, password_changed_at + 1)
      where cognito_id = ${person.cognitoId}::uuid and password_changed_at = ${person.passwordChangedAt}::bigint
      returning password_changed_at as at`)
    if (!row) throw new PoolError('NotAuthorizedException', 'The password was changed meanwhile')
    return row.at
  }

  /** Person and session of a valid access token. */
  async function authorize(
    accessToken: string,
  ): Promise<{ person: PoolUser; sessionId: string | undefined }> {
    const revoked = () => new PoolError('NotAuthorizedException', 'Access Token has been revoked')
    const { sub, originJti } = await verifier.verify(accessToken, 'access').catch((error) => {
      throw error.code === 'UNAUTHENTICATED'
        ? new PoolError('NotAuthorizedException', 'Invalid Access Token')
        : error
    })
    const [person, isSessionActive] = await Promise.all([
      findById(db, sub),
      originJti === undefined ? true : sessions.isActive(originJti),
    ])
    if (!person?.enabled || !isSessionActive) throw revoked()
    return { person, sessionId: originJti }
  }

  return {
    authorize,

    /** USER_PASSWORD_AUTH; same error and response time for an unknown or disabled person and a wrong password. */
    async withPassword(username: string, password: string, caller: RequestCaller): Promise<SignInResult> {
      const account = normalEmail(username)
      const device = marks.deviceFor(caller.deviceMark, account)
      return recorded('SignInFailed', account, caller, async () => {
        const attempt = await lockout.begin('sign-in', { account, address: caller.address, device }, blocked)
        return fair(attempt, async () => {
          const person = await findByEmail(db, account)
          const matches = await passwords.verify(person?.passwordHash, password)
          if (!matches || !person?.enabled) throw wrongPassword()
          await attempt.recordSuccess()
          return person.mustChange ? { answer: challenge(person) } : signedIn('SignIn', person, caller)
        })
      })
    },

    /** NEW_PASSWORD_REQUIRED: replaces the initial password and signs in. */
    async withNewPassword(
      session: string,
      username: string,
      next: string,
      caller: RequestCaller,
    ): Promise<SignInResult> {
      const state = openChallenge(session)
      const person = state && (await findById(db, state.id))
      const current = person?.enabled && person.mustChange && person.passwordChangedAt === state?.changed
      if (!person || !current || ![person.email, person.cognitoId].includes(normalEmail(username)))
        throw new PoolError('NotAuthorizedException', 'Invalid session for the user.')
      requirePassword(next)
      if (await passwords.verify(person.passwordHash, next))
        throw new PoolError('InvalidPasswordException', 'The new password must differ from the initial one')
      const passwordChangedAt = await setPassword(db, person, await passwords.hash(next))
      return signedIn('SetFirstPassword', { ...person, passwordChangedAt }, caller)
    },

    /** Refreshes tokens, for either call; spends the token and returns a new one. */
    async withRefreshToken(refreshToken: string, caller: RequestCaller): Promise<AuthenticationResult> {
      const session = await sessions.rotate(refreshToken, caller)
      const person = await findById(db, session.cognitoId)
      if (!person?.enabled) {
        await sessions.revokeAll(session.cognitoId)
        throw new PoolError('NotAuthorizedException', 'Refresh Token has been revoked')
      }
      return result(person, session)
    },

    /** Changes the caller's password; ends every other session. Returns the person's id. */
    async changePassword(
      accessToken: string,
      previous: string,
      next: string,
      caller: RequestCaller,
    ): Promise<string> {
      const { person, sessionId } = await authorize(accessToken)
      requirePassword(next)
      return recorded('ChangePasswordFailed', person.email, caller, async () => {
        const attempter = { account: person.cognitoId, address: caller.address }
        const attempt = await lockout.begin('change', attempter, blockedChange)
        return fair(attempt, async () => {
          if (!(await passwords.verify(person.passwordHash, previous))) throw wrongPassword()
          await attempt.recordSuccess()
          const hash = await passwords.hash(next)
          await db.transaction((tx) => setPassword(tx, person, hash))
          await sessions.revokeAll(person.cognitoId, { except: sessionId })
          return person.cognitoId
        })
      })
    },
  }
}
