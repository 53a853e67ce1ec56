import type { JWK } from 'jose'
import type { Counter } from 'prom-client'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/ports.ts'
import type { Db } from '../../kernel/db.ts'

/** Origin of a call, for rate limits and the list of sessions. */
export interface RequestCaller {
  address: string
  userAgent: string
  /** Id in the audit; generated if omitted. */
  requestId?: string | undefined
  /** Device mark that the pool gave this browser at an earlier sign-in, as sent by the browser. */
  deviceMark?: string | undefined
}

/**
 * Sign-up modes: anyone may create a company (open), only invited users (invite), or anyone the first one and then invited users (first).
 */
export const SIGN_UP_MODES = ['open', 'invite', 'first'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** Public identifiers, keys and states of the pool, for /config.json. */
export type WebConfigOfPool = Record<string, string | boolean | JWK>

/** Company to create; the password is a JWE to the published sign-up key. */
export interface SignUpInput {
  email: string
  passwordJwe: string
  firstName: string
  lastName: string
  /** Name of the company; defaults to the owner's name. */
  companyName?: string | undefined
  /** Secret of the invitation link. */
  invitation?: string | undefined
  /** Language of the email with the code. */
  language: Language
}

/** Parameters of an invitation link for a user without a password. */
export interface Invite {
  tenant: string
  cognitoId: string
  invitedBy: string
  language: Language
  /** Whether the link is only sent by email. */
  mailed: boolean
}

/** Pending invitation; invitedBy is null if that user was deleted. */
export type Invitation = Omit<Invite, 'invitedBy'> & { invitedBy: string | null }

export interface UserSession {
  SessionID: string
  CreatedAt: number
  LastUsedAt: number
  UserAgent: string
  Address: string
}

/** User pool as the gateway uses it: built-in or external. */
export interface Identity {
  /** Its keys are published at /<poolId>/.well-known/jwks.json. */
  readonly poolId: string
  /** Counts sign-ins and other events of the pool; undefined for an external pool. */
  readonly accessEvents?: Counter
  /** Handles a request of the pool's own protocol. */
  handlePool(
    target: string,
    body: string,
    caller: RequestCaller,
  ): Promise<{ status: number; headers: Record<string, string>; body: string }>
  /** Device that a mark of the pool identifies; undefined for invalid marks. */
  deviceOf(mark: string): string | undefined
  jwks(): Promise<{ keys: JWK[] }>
  /** Public key that encrypts the password of a sign-up (JWK with kid and alg). */
  signUpKey(): Promise<JWK>
  /** Settings with which browsers reach the pool, for /config.json; `origin` is the gateway's origin as seen by the browser. */
  webConfig(origin: string): Promise<WebConfigOfPool>
  /** User of a verified token, cached for at most 30 s; undefined if deleted, disabled or signed out. */
  loadActor(
    sub: string,
    proof?: {
      originJti?: string | undefined
      email?: string | undefined
      authTime?: number | undefined
    },
  ): Promise<Actor | undefined>
  /**
   * Authenticates an id token, or also an access token if the call accepts it.
   *
   * errors  UNAUTHENTICATED unless the token is valid and its user and session still exist
   */
  authenticate(token: string, accessToo?: boolean): Promise<Actor>
  /** Invalidates the cache of one user, or of all; to be called after the commit of changed rights, states or names. */
  purge(cognitoId?: string): void
  /** Creates a company; if email is configured, returns a session that the emailed code completes. */
  signUp(input: SignUpInput, caller: RequestCaller): Promise<{ session?: string }>
  /** Creates the company of such a session. Errors: INVALID with fields, CONFLICT, LIMIT_EXCEEDED. */
  confirmSignUp(
    session: string,
    code: string,
    caller: RequestCaller,
  ): Promise<{ tenant: string; cognitoId: string }>
  /**
   * Sets or replaces the initial password of a user, which must be changed at the first sign-in.
   *
   * on      transaction that created the user
   * errors  INVALID if the password violates the rules, NOT_FOUND if the company has no such user
   */
  createCredentials(
    person: { tenant: string; cognitoId: string; initialPassword: string },
    on?: Db,
  ): Promise<void>
  /**
   * Creates the link with which a user without a password chooses one; invalidates an earlier link.
   *
   * on      transaction that locks the user
   * errors  UNAVAILABLE with an external user pool
   */
  invite(invite: Invite, on: Db): Promise<{ link: string; expiresAt: number }>
  /** Invitation by the link's secret. Errors: NOT_FOUND for a used, expired or unknown one; UNAVAILABLE. */
  readInvitation(token: string, on: Db): Promise<Invitation>
  /** Sets the password of an invited user, a JWE to the sign-up key. Errors: NOT_FOUND; INVALID with fields; UNAVAILABLE. */
  acceptInvitation(accepted: { token: string; passwordJwe: string }, on: Db): Promise<Invitation>
  /**
   * Ends the pending invitation and the unused initial password of a user, so that they do not carry rights granted later.
   *
   * on  transaction that changes the rights
   */
  endPendingAccess(cognitoId: string, on: Db): Promise<void>
  /** Enables or disables a user; disabling ends every session. */
  setEnabled(cognitoId: string, enabled: boolean, on?: Db): Promise<void>
  /** Deletes password, codes and sessions. */
  removeCredentials(cognitoId: string, on?: Db): Promise<void>
  /** Emails a code if the address is known; succeeds either way. Errors: LIMIT_EXCEEDED. */
  forgotPassword(email: string, caller: RequestCaller): Promise<void>
  /**
   * Emails a link to reset the password to a user of the company.
   *
   * on       transaction that locks the user
   * instead  email to send instead of the link
   * errors   CONFLICT without configured email or with an external user pool; LIMIT_EXCEEDED; UNAVAILABLE if sending fails
   */
  mailResetLink(
    person: { tenant: string; cognitoId: string; email: string },
    caller: RequestCaller,
    on: Db,
    instead?: Parameters<Mail['send']>[0],
  ): Promise<void>
  /** Sets a new password with the emailed code. Errors: INVALID with fields, LIMIT_EXCEEDED. */
  confirmForgotPassword(email: string, code: string, next: string, caller: RequestCaller): Promise<void>
  /** Changes the caller's own password. Errors: INVALID with fields, UNAUTHENTICATED, LIMIT_EXCEEDED. */
  changePassword(accessToken: string, previous: string, next: string, caller: RequestCaller): Promise<void>
  /** Marks the user's first sign-in as completed; false if it already was. */
  initializeUser(cognitoId: string, on?: Db): Promise<boolean>
  listSessions(cognitoId: string): Promise<UserSession[]>
  /** Active sessions by user; undefined for an external pool. */
  findSessions(cognitoIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | undefined>
  revokeSession(cognitoId: string, sessionId: string, on?: Db): Promise<boolean>
  /** Ends every session of a user: earlier tokens become invalid and cannot be refreshed. */
  revokeAll(cognitoId: string, on?: Db): Promise<void>
  /** Creates missing key pairs, so that the first sign-in is not delayed. */
  prepare(): Promise<void>
  /** Deletes expired rows. */
  prune(): Promise<void>
  /** Waits for emails being sent. */
  close(): Promise<void>
}
