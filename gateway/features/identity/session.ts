import { FEATURES, OPERATIONS } from '../../../contract/kernel/permissions.ts'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { Me, session } from '../../../contract/people/session-calls.ts'
import enAuth from '../../../locales/en-US/auth.json' with { type: 'json' }
import zhAuth from '../../../locales/zh-TW/auth.json' with { type: 'json' }
import type { Context, HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Deps } from '../deps.ts'
import { sql } from '../../kernel/db.ts'

/** Language of a caller who states none. */
const DEFAULT_LANGUAGE = 'zh-TW'

const SENTENCES = { 'zh-TW': zhAuth.error, 'en-US': enAuth.error }

/** Translation key for a rejected sign-up or password reset; undefined if the error's own text is shown. */
function sentenceOf({ code, fields = {} }: GatewayError): keyof typeof enAuth.error | undefined {
  if (code === 'CONFLICT') return 'Invitation' in fields ? 'invitation' : 'conflict'
  if (code !== 'INVALID') return undefined
  if ('ConfirmationCode' in fields) return 'codeWrong'
  if ('Email' in fields) return 'email'
  const reason = fields['Password'] ?? fields['NewPassword']
  if (reason === 'commonPassword') return 'commonPassword'
  return reason === undefined ? undefined : 'password'
}

/**
 * Creates a handler for `catch` that rethrows an error of the public auth API with its text in the caller's language, because the
 * sign-in page shows status.error unchanged (§8). Other errors pass unchanged.
 */
const inLanguageOf =
  (language: Language) =>
  (error: unknown): never => {
    const sentence = error instanceof GatewayError ? sentenceOf(error) : undefined
    if (!(error instanceof GatewayError) || sentence === undefined) throw error
    throw new GatewayError(error.code, SENTENCES[language][sentence], error.fields, { cause: error })
  }

const callerOf = ({ ip, userAgent }: Context) => ({ address: ip, userAgent })

/** Permissions of an owner: every operation on every feature. */
const EVERYTHING = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))

/** Latest timestamp in a client id: two screens of a person may connect in the same millisecond (§7 clientId). */
let stamp = 0

export const sessionHandlers = ({
  identity,
  broker,
}: Pick<Deps, 'identity' | 'broker'>): HandlersOf<typeof session> => ({
  signUp: async ({ Language = DEFAULT_LANGUAGE, ...input }, context) => {
    const { session } = await identity
      .signUp(
        {
          email: input.Email,
          passwordJwe: input.Password,
          firstName: input.FirstName,
          lastName: input.LastName,
          companyName: input.CompanyName,
          invitation: input.Invitation,
          language: Language,
        },
        callerOf(context),
      )
      .catch(inLanguageOf(Language))
    return session === undefined ? {} : { Session: session }
  },

  confirmSignUp: async ({ Session, ConfirmationCode, Language = DEFAULT_LANGUAGE }, context) => {
    await identity.confirmSignUp(Session, ConfirmationCode, callerOf(context)).catch(inLanguageOf(Language))
    return {}
  },

  forgotPassword: async ({ Email, Language = DEFAULT_LANGUAGE }, context) => {
    await identity.forgotPassword(Email, callerOf(context)).catch(inLanguageOf(Language))
    return {}
  },

  confirmForgotPassword: async ({ Language = DEFAULT_LANGUAGE, ...input }, context) => {
    await identity
      .confirmForgotPassword(input.Email, input.ConfirmationCode, input.NewPassword, callerOf(context))
      .catch(inLanguageOf(Language))
    return {}
  },

  initializeUser: async (_, context) => {
    // A page that still has its first token calls this at each load.
    if (!(await identity.initializeUser(context.actor.cognitoId, context.db))) context.audit('none')
    return me(context)
  },

  changePassword: async ({ PreviousPassword, ProposedPassword }, context) => {
    if (context.accessToken === undefined)
      throw new GatewayError('UNAUTHENTICATED', 'This call wants the access token in x-access-token')
    await identity.changePassword(context.accessToken, PreviousPassword, ProposedPassword, callerOf(context))
    return {}
  },

  getPersonalPermissions: (_, context) => me(context),

  listPermissions: async () => EVERYTHING,

  connectRealtime: async (_, { actor, clock }) => {
    stamp = Math.max(clock.now(), stamp + 1)
    const clientId = `${actor.cognitoId}${stamp}`
    // Permissions are read when it connects.
    const { url, username, password, expiresAt } = await broker.credentials(actor, clientId)
    return {
      Url: url,
      ClientID: clientId,
      Username: username,
      Password: password,
      ExpiresAt: expiresAt,
      Now: clock.now(),
    }
  },

  listSessions: async (_, { actor }) =>
    (await identity.listSessions(actor.cognitoId)).map(({ Address: _address, ...session }) => ({
      ...session,
      Current: session.SessionID === actor.sessionId,
    })),

  revokeSession: async ({ SessionID }, context) => {
    const { db, actor } = context
    const revoked = await identity.revokeSession(actor.cognitoId, SessionID, db)
    if (!revoked) throw new GatewayError('NOT_FOUND', 'That session does not exist')
    // Before the commit, a call of that session may still have been accepted and cached.
    context.emit('personChanged', { tenant: actor.tenant, cognitoId: actor.cognitoId, change: 'profile' })
    return { SessionID }
  },
})

async function me({ db, actor }: SignedIn): Promise<Me> {
  const [names] = await db.query<Pick<Me, 'FirstName' | 'LastName' | 'nickname'>>(sql`
    select first_name as "FirstName", last_name as "LastName", nickname from users where cognito_id = ${actor.cognitoId}`)
  if (!names) throw new GatewayError('UNAUTHENTICATED', 'This person does not exist')
  const allPermissions = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))
  return {
    CognitoId: actor.cognitoId,
    RootCognitoId: actor.tenant,
    Email: actor.email,
    ...names,
    Permissions: actor.isRoot ? allPermissions : [...actor.permissions],
    HomeGrants: [...actor.homeGrants],
  }
}
