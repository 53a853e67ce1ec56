import { createHash } from 'node:crypto'
import type { JWK } from 'jose'
import { GatewayError } from '../../kernel/errors.ts'
import type { Clock, Log, Mail, Random } from '../../kernel/ports.ts'
import { sql, type Db } from '../../kernel/db.ts'
import type { RequestCaller, Identity, SignUpMode, WebConfigOfPool } from '../../domain/identity/identity.ts'
import { createActors, createAuthenticate } from './actors.ts'
import { createSignUpAdmission } from './company-invitations.ts'
import { createCodes } from './codes.ts'
import { createDeviceCookies } from './device-marks.ts'
import { createInvitations, endInvitation, expireInvitation } from './invitations.ts'
import { createKeyRing } from './keys.ts'
import { createLockout } from './lockout.ts'
import { setInitialized } from './people.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { asGatewayError } from './pool-error.ts'
import { createRecovery } from './recovery.ts'
import { createResetMails } from './emails.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignUp } from './sign-up.ts'
import { createAccessTrail } from './access-trail.ts'
import { createTokenIssuer, createTokenVerifier, type TokenVerifier } from './tokens.ts'
import { createWire } from './cognito-protocol.ts'

export interface IdentityOptions {
  db: Db
  clock: Clock
  random: Random
  mail: Mail
  log: Log
  /** Master secret, at least 32 bytes of entropy: encrypts signing keys, keys the digests. The same on every gateway of a database. */
  secret: string | Uint8Array
  /** e.g. local_a1b2c3d4 */
  poolId: string
  clientId: string
  /** Address of the gateway for browsers, without a slash at the end; the issuer is `<baseUrl>/<poolId>`. */
  baseUrl: string
  /** Called after sessions of a person ended, to close the broker's connections. */
  onRevoked?: (cognitoId: string, sessions: readonly string[]) => void
  passwords?: Passwords
  signUpMode: SignUpMode
}

/** Identity pool id, derived from the user pool's; clients expect the form `<region>:<uuid>`. */
function identityPoolIdOf(poolId: string): string {
  const hex = createHash('sha256').update(poolId).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `local:${parts.join('-')}`
}

/** Built-in user pool: people, their credentials and sessions. */
export function createIdentity(
  options: IdentityOptions,
): Identity & { issuer: string; identityPoolId: string; verifier: TokenVerifier } {
  const { db, clock, random, secret, log, mail, clientId } = options
  const issuer = `${options.baseUrl}/${options.poolId}`
  const identityPoolId = identityPoolIdOf(options.poolId)
  const passwords = options.passwords ?? createPasswords()
  const actors = createActors({ db, clock, ownPool: true })
  const signingKeys = createKeyRing('signing', { db, clock, secret, log })
  const signUpKeys = createKeyRing('sign-up', { db, clock, secret, log })
  const lockout = createLockout({ db, clock, secret })
  const marks = createDeviceCookies({ random, secret })
  const codes = createCodes({ db, clock, random, secret })
  const verifier = createTokenVerifier({ issuer, audience: clientId, clock, keys: signingKeys.find })
  const onRevoked = (cognitoId: string, ended: readonly string[]) => {
    actors.purge(cognitoId)
    options.onRevoked?.(cognitoId, ended)
  }
  const trail = createAccessTrail({ db, clock, random, log })
  const sessions = createSessions({ db, clock, random, log, trail, onRevoked })
  const issue = createTokenIssuer({ keys: signingKeys, clock, random, issuer, clientId })
  const signIn = createSignIn({
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
  })
  const { baseUrl } = options
  const admission = createSignUpAdmission({ db, clock, mode: options.signUpMode })
  const signUp = createSignUp({
    db,
    clock,
    random,
    mail,
    log,
    secret,
    keys: signUpKeys,
    passwords,
    lockout,
    admission,
    trail,
  })
  const invitations = createInvitations({ clock, random, keys: signUpKeys, passwords, baseUrl })
  const mails = createResetMails({ db, mail, codes, baseUrl })
  const recovery = createRecovery({ db, clock, mails, log, codes, passwords, lockout, sessions, trail })

  return {
    poolId: options.poolId,
    accessEvents: trail.counter,
    issuer,
    identityPoolId,
    verifier,
    handlePool: createWire({
      clock,
      random,
      log,
      clientId,
      issuer,
      identityPoolId,
      signIn,
      recovery,
      sessions,
      verifier,
      trail,
    }),

    deviceOf: marks.deviceOf,

    /** Public keys for `/<poolId>/.well-known/jwks.json`. */
    jwks: signingKeys.jwks,

    /** Public key with which a sign-up encrypts its password (JWK with kid and alg). */
    signUpKey: async (): Promise<JWK> => (await signUpKeys.current()).publicJwk,

    /** Settings of the pool for /config.json; `origin` is the gateway's address for the browser, or empty. */
    webConfig: async (origin: string): Promise<WebConfigOfPool> => ({
      UserPoolId: options.poolId,
      UserPoolClientId: clientId,
      UserPoolEndpoint: `${origin}/cognito`,
      IdentityPoolId: identityPoolId,
      IdentityPoolEndpoint: `${origin}/cognito`,
      SignUpKey: (await signUpKeys.current()).publicJwk,
      ...(mail.isDelivered && { MailGoesOut: true }),
      SignUp: (await admission.isOpen()) ? 'open' : 'invitation',
      Invites: true,
    }),

    /** Person of a verified token, cached for at most 30 s; undefined if deleted, disabled or signed out. */
    loadActor: actors.load,

    authenticate: createAuthenticate(verifier, actors.load),

    /** Invalidates the caches of one person, or of everyone; call it after the commit that changed rights, state or names. */
    purge(cognitoId?: string): void {
      actors.purge(cognitoId)
      if (cognitoId !== undefined) verifier.purge(cognitoId)
    },

    signUp: signUp.signUp,
    confirmSignUp: signUp.confirm,

    /**
     * Sets an initial password, to be changed at the first sign-in, for a new or an existing person.
     *
     * on      the transaction that created the person
     * errors  INVALID if the password breaks the rules; NOT_FOUND if the company has no such person
     */
    async createCredentials(
      { tenant, cognitoId, initialPassword }: { tenant: string; cognitoId: string; initialPassword: string },
      on: Db = db,
    ): Promise<void> {
      const hash = await passwords.hash(initialPassword).catch((error) => {
        throw asGatewayError(error, { next: 'password' })
      })
      const given = await on.query(sql`
        insert into credentials as c (tenant, cognito_id, password_hash, must_change, password_changed_at)
        select tenant, cognito_id, ${hash}, true, ${clock.now()}::bigint from users
        where tenant = ${tenant}::uuid and cognito_id = ${cognitoId}::uuid
        on conflict (cognito_id) do update set password_hash = excluded.password_hash, must_change = true,
          password_changed_at = greatest(excluded.password_changed_at, c.password_changed_at + 1)
        returning 1 as one`)
      if (!given.length) throw new GatewayError('NOT_FOUND', 'This person does not exist')
      await endInvitation(cognitoId, on)
      await sessions.revokeAll(cognitoId, { on })
    },

    invite: invitations.invite,
    readInvitation: invitations.read,
    acceptInvitation: invitations.accept,

    async endPendingAccess(cognitoId: string, on: Db): Promise<void> {
      await expireInvitation(cognitoId, clock.now(), on)
      const deletedInvitations = await on.query(
        sql`select 1 from credentials where cognito_id = ${cognitoId}::uuid and must_change for update`,
      )
      if (!deletedInvitations.length) return
      // The row stays, so that the person can request a reset by email.
      const hash = await passwords.hash(`Aa1${Buffer.from(random.bytes(32)).toString('base64url')}`)
      await on.query(sql`update credentials set password_hash = ${hash},
          password_changed_at = greatest(${clock.now()}::bigint, password_changed_at + 1)
        where cognito_id = ${cognitoId}::uuid`)
    },

    /** Enables or disables a person; disabling ends every session. */
    async setEnabled(cognitoId: string, enabled: boolean, on: Db = db): Promise<void> {
      await on.query(sql`update users set enabled = ${enabled} where cognito_id = ${cognitoId}::uuid`)
      if (enabled) actors.purge(cognitoId)
      else await sessions.revokeAll(cognitoId, { on })
    },

    async removeCredentials(cognitoId: string, on: Db = db): Promise<void> {
      await on.query(sql`delete from confirmation_codes where cognito_id = ${cognitoId}::uuid`)
      await on.query(sql`delete from credentials where cognito_id = ${cognitoId}::uuid`)
      await sessions.revokeAll(cognitoId, { on })
    },

    /** Emails a code if the address is known; succeeds either way. Throws LIMIT_EXCEEDED. */
    async forgotPassword(email: string, caller: RequestCaller): Promise<void> {
      await recovery.forgot(email, caller).catch(rethrow({}))
    },

    async mailResetLink(
      person: { tenant: string; cognitoId: string; email: string },
      caller: RequestCaller,
      on: Db,
      instead?: Parameters<Mail['send']>[0],
    ): Promise<void> {
      if (!mail.isDelivered)
        throw new GatewayError('CONFLICT', 'No mail goes out from here', { Email: 'noMail' })
      await recovery.mailLink(person, caller, on, instead).catch(rethrow({}))
    },

    /** Sets a new password with the emailed code. Throws INVALID with fields, LIMIT_EXCEEDED. */
    async confirmForgotPassword(
      email: string,
      code: string,
      next: string,
      caller: RequestCaller,
    ): Promise<void> {
      await recovery
        .confirm(email, code, next, caller)
        .catch(rethrow({ code: 'ConfirmationCode', next: 'NewPassword' }))
    },

    /** Changes the caller's password. Throws INVALID with fields, UNAUTHENTICATED, LIMIT_EXCEEDED. */
    async changePassword(
      accessToken: string,
      previous: string,
      next: string,
      caller: RequestCaller,
    ): Promise<void> {
      await signIn
        .changePassword(accessToken, previous, next, caller)
        .catch(rethrow({ previous: 'PreviousPassword', next: 'ProposedPassword' }))
    },

    /** Marks a person's first sign-in as done; false if it was before. */
    async initializeUser(cognitoId: string, on: Db = db): Promise<boolean> {
      return setInitialized(cognitoId, on)
    },

    listSessions: sessions.list,
    /** Active sessions of these people, by person; undefined if another pool manages them. */
    findSessions: async (
      cognitoIds: readonly string[],
    ): Promise<ReadonlyMap<string, readonly string[]> | undefined> => sessions.findByPeople(cognitoIds),
    revokeSession: sessions.revoke,
    async revokeAll(cognitoId: string, on: Db = db): Promise<void> {
      await sessions.revokeAll(cognitoId, { on })
    },

    /** Creates the key pairs if there are none, so that the first sign-in does not wait. */
    async prepare(): Promise<void> {
      await Promise.all([signingKeys.jwks(), signUpKeys.jwks()])
    },

    /** Deletes expired data; called hourly. */
    async prune(): Promise<void> {
      for (const each of [sessions, codes, lockout, admission, signingKeys, signUpKeys]) await each.prune()
    },

    /** Waits for pending emails and audit rows. */
    close: async () => void (await Promise.all([recovery.settled(), signUp.settled(), trail.settled()])),
  }
}

const rethrow = (fields: Parameters<typeof asGatewayError>[1]) => (error: unknown) => {
  throw asGatewayError(error, fields)
}
