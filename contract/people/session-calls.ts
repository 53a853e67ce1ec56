import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { FEATURES, HomeGrant, OPERATIONS, Permission } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { CognitoId, Email, Language, Millis, Name, Password } from '../kernel/scalars.ts'

const Empty = z.object({})
/** Six digits from the email, or the code from its link (`code=`). */
const Code = credential(z.string().regex(/^(\d{6}|[\w-]{40,100})$/, 'code'))
const MailedCode = credential(z.string().regex(/^\d{6}$/, 'code'))

export const Me = z.object({
  CognitoId,
  RootCognitoId: CognitoId,
  Email,
  FirstName: z.string(),
  LastName: z.string(),
  nickname: z.string(),
  Permissions: z.array(Permission),
  /** Omitted by gateways before 1.2. */
  HomeGrants: z.array(HomeGrant).optional(),
})
export type Me = z.infer<typeof Me>

/** Connection data for the realtime channel; Password is valid until ExpiresAt and only for this ClientID. */
export const RealtimeCredentials = z.object({
  Url: z.string(),
  ClientID: z.string(),
  Username: z.string(),
  Password: credential(z.string()),
  ExpiresAt: Millis,
  /** Clock of the gateway, epoch ms; screens use it to timestamp commands. */
  Now: Millis,
})
export type RealtimeCredentials = z.infer<typeof RealtimeCredentials>

export const Session = z.object({
  SessionID: z.string(),
  UserAgent: z.string(),
  CreatedAt: Millis,
  LastUsedAt: Millis,
  Current: z.boolean(),
})

/**
 * Calls of the public auth API (x-api-key) and of the person's own session (§7 Auth). `Language` is that of the email and of
 * status.error, which the screens show unchanged (§8).
 */
export const session = {
  signUp: defineEndpoint({
    path: '/UserSignUp',
    summary:
      'Creates a company and its owner; if email is enabled, emails a code and returns the Session that /ConfirmSignUp completes. Password is a JWE to the published sign-up key, Invitation the secret of an invitation, which is required if sign-up is not open.',
    access: 'public',
    sites: 'none',
    input: z.object({
      Email,
      Password: credential(z.string().min(1).max(4096)),
      FirstName: Name,
      LastName: Name,
      /** Defaults to the owner's own name. */
      CompanyName: Name.optional(),
      Invitation: credential(z.string().max(100, 'tooLong')).optional(),
      Language: Language.optional(),
    }),
    results: z.object({ Session: credential(z.string()).optional() }),
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    shows: [],
    why: 'Its answer cannot become stale.',
    freshFor: 0,
  }),
  confirmSignUp: defineEndpoint({
    path: '/ConfirmSignUp',
    summary: 'Creates the company of a sign-up with the emailed code.',
    access: 'public',
    sites: 'none',
    input: z.object({
      Session: credential(z.string().min(1).max(4096)),
      ConfirmationCode: MailedCode,
      Language: Language.optional(),
    }),
    results: Empty,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    shows: [],
    why: 'Its answer cannot become stale.',
    freshFor: 0,
  }),
  forgotPassword: defineEndpoint({
    path: '/ForgotPassword',
    summary: 'Emails a confirmation code if the address is known; the answer is the same if it is not.',
    access: 'public',
    sites: 'none',
    input: z.object({ Email, Language: Language.optional() }),
    results: Empty,
    errors: ['LIMIT_EXCEEDED'],
    shows: [],
    why: 'Its answer cannot become stale.',
    freshFor: 0,
  }),
  confirmForgotPassword: defineEndpoint({
    path: '/ConfirmForgotPassword',
    summary: 'Sets a new password with the code from the email or its link, and ends every session.',
    access: 'public',
    sites: 'none',
    input: z.object({
      Email,
      ConfirmationCode: Code,
      NewPassword: Password,
      Language: Language.optional(),
    }),
    results: Empty,
    errors: ['LIMIT_EXCEEDED'],
    shows: [],
    why: 'Its answer cannot become stale.',
    freshFor: 0,
  }),
  initializeUser: defineEndpoint({
    path: '/InitializeUser',
    summary: 'First sign-in: creates personal settings and marks the user as initialized.',
    access: 'signed-in',
    sites: 'none',
    input: Empty,
    results: Me,
    mutates: true,
    accessToken: true,
    changes: [],
    why: 'No other user sees whether a user has signed in before.',
  }),
  changePassword: defineEndpoint({
    path: '/ChangePassword',
    summary: "Changes the caller's password and ends their other sessions. Requires the access token.",
    access: 'signed-in',
    sites: 'none',
    input: z.object({ PreviousPassword: credential(z.string().min(1).max(256)), ProposedPassword: Password }),
    results: Empty,
    errors: ['LIMIT_EXCEEDED'],
    mutates: true,
    commitsItself: true,
    accessToken: true,
    // Ends all other sessions.
    changes: ['session'],
  }),
  getPersonalPermissions: defineEndpoint({
    path: '/GetPersonalPermissions',
    summary: 'The signed-in user and their permissions.',
    access: 'signed-in',
    sites: 'none',
    input: Empty,
    results: Me,
    shows: ['user'],
  }),
  listPermissions: defineEndpoint({
    path: '/ListPermissions',
    summary: 'All features and operations, in the order of §6.',
    access: 'signed-in',
    sites: 'none',
    input: Empty,
    results: z.array(z.object({ FeatureKey: z.enum(FEATURES), OperationList: z.array(z.enum(OPERATIONS)) })),
    shows: [],
    why: 'Features and operations are fixed per version of the gateway.',
  }),
  connectRealtime: defineEndpoint({
    path: '/ConnectRealtime',
    summary: 'Credentials for one connection to the realtime channel.',
    access: 'signed-in',
    sites: 'none',
    input: Empty,
    results: RealtimeCredentials,
    shows: [],
    why: 'Credentials are valid for one connection.',
    freshFor: 0,
  }),
  listSessions: defineEndpoint({
    path: '/ListSessions',
    summary: 'Active sessions of the caller.',
    access: 'signed-in',
    sites: 'none',
    input: Empty,
    results: z.array(Session),
    shows: ['session'],
    freshFor: 0,
  }),
  revokeSession: defineEndpoint({
    path: '/RevokeSession',
    summary: 'Ends one session of the caller.',
    access: 'signed-in',
    sites: 'none',
    input: Session.pick({ SessionID: true }),
    results: Session.pick({ SessionID: true }),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['session'],
  }),
}
