import type { JWK } from 'jose'
import type { Counter } from 'prom-client'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/ports.ts'
import type { Db } from '../../store/db.ts'

/** Where a call comes from, for limits and the list of sessions. */
export interface RequestCaller {
  address: string
  userAgent: string
  /** The audit names it; a new one is made where it is left out. */
  requestId?: string | undefined
  /** What the pool gave this browser at an earlier sign-in, as the browser sent it. */
  deviceMark?: string | undefined
}

/** Who may make a company: everybody, whoever is invited, or the first by itself and from then on whoever is invited. */
export const SIGN_UP_MODES = ['open', 'invite', 'first'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** Public identifiers, keys and states of the pool, for /config.json. */
export type WebConfigOfPool = Record<string, string | boolean | JWK>

/** A company to be; the password as a JWE to the published sign-up key. */
export interface SignUpInput {
  email: string
  passwordJwe: string
  firstName: string
  lastName: string
  /** Name of the company; the owner's own name where it is left out. */
  companyName?: string | undefined
  /** The secret of the link that invited the company. */
  invitation?: string | undefined
  /** Of the mail with the code. */
  language: Language
}

/** A link to be made for a person who has no password. */
export interface Invite {
  tenant: string
  cognitoId: string
  /** Who invites. */
  invitedBy: string
  language: Language
  /** Whether the link goes to the person by mail alone. */
  mailed: boolean
}

/** An invitation that stands; nobody invited once that person is deleted. */
export type Invitation = Omit<Invite, 'invitedBy'> & { invitedBy: string | null }

/** A sign-in of a person that stands. */
export interface UserSession {
  SessionID: string
  CreatedAt: number
  LastUsedAt: number
  UserAgent: string
  Address: string
}

/** The user pool as the gateway uses it: who people are and how they prove it. It is the built-in one, or an outside one. */
export interface Identity {
  /** Its keys stand at /<poolId>/.well-known/jwks.json. */
  readonly poolId: string
  /** Counts sign-ins and other events of the pool; undefined where another pool does. */
  readonly accessEvents?: Counter
  /** Answers a request of the pool's own protocol. */
  handlePool(
    target: string,
    body: string,
    caller: RequestCaller,
  ): Promise<{ status: number; headers: Record<string, string>; body: string }>
  /** The device that a mark of the pool names; undefined for what the pool did not make. */
  deviceOf(mark: string): string | undefined
  /** The published keys. */
  jwks(): Promise<{ keys: JWK[] }>
  /** The public key to which a sign-up encrypts its password (JWK with kid and alg). */
  signUpKey(): Promise<JWK>
  /** What the web needs to reach the pool, for /config.json; `origin` is where the browser sees the gateway. */
  webConfig(origin: string): Promise<WebConfigOfPool>
  /** The person of a verified token, cached for at most 30 s; undefined when deleted, disabled or signed out. */
  loadActor(
    sub: string,
    proof?: {
      originJti?: string | undefined
      email?: string | undefined
      authTime?: number | undefined
    },
  ): Promise<Actor | undefined>
  /**
   * Who sends this id token, or where a call takes it too, this access token.
   *
   * errors  UNAUTHENTICATED unless the token is valid and its person and session still stand
   */
  authenticate(token: string, accessToo?: boolean): Promise<Actor>
  /** Forgets what is cached about a person, or everybody; call it when rights, state or names have changed (after the commit). */
  purge(cognitoId?: string): void
  /** Makes a company; where mail goes out it answers the session that a mailed code completes. */
  signUp(input: SignUpInput, caller: RequestCaller): Promise<{ session?: string }>
  /** Makes the company of such a session. Errors: INVALID with fields, CONFLICT, LIMIT_EXCEEDED. */
  confirmSignUp(
    session: string,
    code: string,
    caller: RequestCaller,
  ): Promise<{ tenant: string; cognitoId: string }>
  /**
   * Gives a person an initial password, to be changed at the first sign-in, or replaces the present one likewise.
   *
   * on      the transaction that made the person
   * errors  INVALID when the password breaks the rules, NOT_FOUND when the company has no such person
   */
  createCredentials(
    person: { tenant: string; cognitoId: string; initialPassword: string },
    on?: Db,
  ): Promise<void>
  /**
   * Makes the link with which a person without a password chooses one; a link from before ends.
   *
   * on      the transaction that holds the person
   * errors  UNAVAILABLE where the user pool is another one
   */
  invite(invite: Invite, on: Db): Promise<{ link: string; expiresAt: number }>
  /** The invitation of a link's secret. Errors: NOT_FOUND alike for one that was used, is over or never was; UNAVAILABLE. */
  readInvitation(token: string, on: Db): Promise<Invitation>
  /** Sets the password of an invited person, a JWE to the sign-up key. Errors: NOT_FOUND; INVALID with fields; UNAVAILABLE. */
  acceptInvitation(accepted: { token: string; passwordJwe: string }, on: Db): Promise<Invitation>
  /**
   * Ends the invitation and the unused initial password of a person, so that they don't carry rights granted later.
   *
   * on  the transaction that changes the rights
   */
  endPendingAccess(cognitoId: string, on: Db): Promise<void>
  /** Lets a person in or keeps them out; keeping out ends every session. */
  setEnabled(cognitoId: string, enabled: boolean, on?: Db): Promise<void>
  /** Takes password, codes and sessions away. */
  removeCredentials(cognitoId: string, on?: Db): Promise<void>
  /** Mails a code if the address is known; succeeds either way. Errors: LIMIT_EXCEEDED. */
  forgotPassword(email: string, caller: RequestCaller): Promise<void>
  /**
   * Mails a person of the company a link to set a new password with.
   *
   * on       the transaction that holds the person
   * instead  what is mailed instead of the link
   * errors   CONFLICT where no mail goes out, or the user pool is another one; LIMIT_EXCEEDED; UNAVAILABLE when it cannot be sent
   */
  mailResetLink(
    person: { tenant: string; cognitoId: string; email: string },
    caller: RequestCaller,
    on: Db,
    instead?: Parameters<Mail['send']>[0],
  ): Promise<void>
  /** Sets a new password with the mailed code. Errors: INVALID with fields, LIMIT_EXCEEDED. */
  confirmForgotPassword(email: string, code: string, next: string, caller: RequestCaller): Promise<void>
  /** Changes the own password. Errors: INVALID with fields, UNAUTHENTICATED, LIMIT_EXCEEDED. */
  changePassword(accessToken: string, previous: string, next: string, caller: RequestCaller): Promise<void>
  /** Marks the person's first sign-in as done; false when it was before. */
  initializeUser(cognitoId: string, on?: Db): Promise<boolean>
  listSessions(cognitoId: string): Promise<UserSession[]>
  /** The sign-ins of these people that stand, by person; undefined where another pool keeps them. */
  sessionsOf(cognitoIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | undefined>
  revokeSession(cognitoId: string, sessionId: string, on?: Db): Promise<boolean>
  /** Ends every sign-in of a person: no token from before counts any more, nor can it be refreshed. */
  revokeAll(cognitoId: string, on?: Db): Promise<void>
  /** Makes the key pairs if there are none yet, so that the first sign-in does not wait. */
  prepare(): Promise<void>
  /** Deletes what has expired. */
  prune(): Promise<void>
  /** Waits for mails on their way. */
  close(): Promise<void>
}
