import { webConfig } from '../data/config.ts'
import { CallError, post } from '../data/post.ts'
import { currentLanguage, type TKey } from '../lib/i18n/i18n.ts'

/** Error with the text to show. `text` is the gateway's own if the specification requires it (§8). */
export class AccountError extends Error {
  readonly key: TKey
  readonly text: string | undefined
  constructor(key: TKey, text?: string) {
    super(text ?? key)
    this.key = key
    this.text = text
  }
}

const pool = () => import('../data/amplify.ts')

/** Prefetches Amplify and its configuration: called when the form gets the focus. */
export function loadAmplify(): void {
  // An error is shown on submit, when the next attempt fetches again.
  pool()
    .then(({ configureAmplify }) => configureAmplify())
    .catch(() => {})
}

const names: Record<string, TKey> = {
  NotAuthorizedException: 'auth:error.wrong',
  UserNotFoundException: 'auth:error.wrong',
  InvalidParameterException: 'auth:error.wrong',
  TooManyRequestsException: 'auth:error.locked',
  TooManyFailedAttemptsException: 'auth:error.locked',
  LimitExceededException: 'auth:error.locked',
  InvalidPasswordException: 'auth:error.password',
  CodeMismatchException: 'auth:error.codeWrong',
  ExpiredCodeException: 'auth:error.codeWrong',
  NetworkError: 'auth:error.network',
  ServiceUnavailableException: 'auth:error.unavailable',
}

function poolError(error: unknown): AccountError {
  if (error instanceof AccountError) return error
  const name = error instanceof Error ? error.name : ''
  // A chunk or configuration that could not be fetched is a network error too.
  const unreachable = error instanceof TypeError
  return new AccountError(names[name] ?? (unreachable ? 'auth:error.network' : 'auth:error.unknown'))
}

export type SignInStep = 'done' | 'newPassword'

/** Signs in with email address and password (§7: user pool, username and password flow). */
export async function signIn(email: string, password: string): Promise<SignInStep> {
  try {
    const amplify = await pool()
    await amplify.configureAmplify()
    const attempt = () =>
      amplify.signIn({ username: email, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } })
    const { nextStep } = await attempt().catch(async (error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'UserAlreadyAuthenticatedException') throw error
      // The session of another tab is replaced by the new sign-in.
      await amplify.signOut()
      return attempt()
    })
    return stepOf(nextStep.signInStep)
  } catch (error) {
    throw poolError(error)
  }
}

/** Sets the password that the pool requires at a sub-user's first sign-in. */
export async function chooseNewPassword(password: string): Promise<SignInStep> {
  try {
    const { nextStep } = await (await pool()).confirmSignIn({ challengeResponse: password })
    return stepOf(nextStep.signInStep)
  } catch (error) {
    const failure = poolError(error)
    if (failure.key === 'auth:error.wrong') throw new AccountError('auth:error.expired')
    // The form has validated the format; what remains is a common password, or the initial one again.
    throw failure.key === 'auth:error.password' ? new AccountError('auth:error.otherPassword') : failure
  }
}

function stepOf(step: string): SignInStep {
  if (step === 'DONE') return 'done'
  if (step === 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED') return 'newPassword'
  throw new AccountError('auth:error.unknown')
}

/** Call of the public auth API whose errors are shown as the gateway states them in status.error (§8), in the language of the page. */
const statedCall = (path: string, body: object) =>
  publicCall(path, { ...body, Language: currentLanguage() }, true)

/**
 * Call of the public auth API (§7); throws AccountError.
 *
 * isStated  whether status.error contains the text of an error
 */
async function publicCall(path: string, body: unknown, isStated = false): Promise<unknown> {
  try {
    const { ApiKey } = await webConfig()
    return await post(path, body, { headers: { 'x-api-key': ApiKey } })
  } catch (error) {
    if (!(error instanceof CallError)) throw new AccountError('auth:error.network')
    const stated = (isStated && error.message) || undefined
    switch (error.failure) {
      case 'NETWORK':
        throw new AccountError('auth:error.network')
      case 'LIMIT_EXCEEDED':
        throw new AccountError('auth:error.locked')
      case 'UNAVAILABLE':
        throw new AccountError('auth:error.unavailable')
      case 'NOT_FOUND':
        throw new AccountError('auth:invitation.over')
      case 'CONFLICT':
        throw new AccountError(
          'Invitation' in error.fields ? 'auth:error.invitation' : 'auth:error.conflict',
          stated,
        )
      case 'INVALID':
        throw new AccountError(invalid(error.fields), stated)
      default:
        throw new AccountError('auth:error.unknown')
    }
  }
}

function invalid(fields: Readonly<Record<string, string>>): TKey {
  if ('ConfirmationCode' in fields) return 'auth:error.codeWrong'
  if ('Email' in fields) return 'auth:error.email'
  const reason = fields['Password'] ?? fields['NewPassword']
  if (reason === 'commonPassword') return 'auth:error.commonPassword'
  return reason === undefined ? 'auth:error.unknown' : 'auth:error.password'
}

/**
 * Creates a company and its owner. The password is sent as a JWE encrypted to the gateway's published key, never in plain text.
 *
 * returns  session that the emailed code completes; undefined if the company has been created already
 */
export async function signUp(person: {
  email: string
  password: string
  firstName: string
  lastName: string
  companyName: string
  /** Secret from the link of an invitation. */
  invitation?: string | undefined
}): Promise<string | undefined> {
  const { Session } = (await statedCall('/UserSignUp', {
    Email: person.email,
    Password: await encrypted(person.password),
    FirstName: person.firstName,
    LastName: person.lastName,
    CompanyName: person.companyName,
    ...(person.invitation !== undefined && { Invitation: person.invitation }),
  })) as { Session?: string }
  return Session
}

export interface InvitationDetails {
  CompanyName: string
  InvitedBy: string
  MaskedEmail: string
  FirstName: string
  LastName: string
  Language: 'zh-TW' | 'en-US'
}

/** Reads the invitation of a link. Throws `auth:invitation.over` if it was used, has expired or does not exist. */
export const readInvitation = (token: string) =>
  publicCall('/ReadInvitation', { Token: token }) as Promise<InvitationDetails>

/** Sets the password of an invited person; returns the email address to sign in with. */
export async function acceptInvitation(accepted: {
  token: string
  password: string
  firstName: string
  lastName: string
}): Promise<string> {
  const { Email } = (await publicCall('/AcceptInvitation', {
    Token: accepted.token,
    Password: await encrypted(accepted.password),
    FirstName: accepted.firstName,
    LastName: accepted.lastName,
    Language: currentLanguage(),
  })) as { Email: string }
  return Email
}

/** Password encrypted to the gateway's key. */
async function encrypted(password: string): Promise<string> {
  if (!globalThis.crypto?.subtle) throw new AccountError('auth:error.insecure')
  const [{ encryptPassword }, { SignUpKey }] = await Promise.all([
    import('./encrypt-password.ts'),
    webConfig(),
  ]).catch(() => {
    throw new AccountError('auth:error.network')
  })
  return encryptPassword(password, SignUpKey)
}

/** Completes a sign-up with the emailed code. */
export const confirmSignUp = (session: string, code: string) =>
  statedCall('/ConfirmSignUp', { Session: session, ConfirmationCode: code })

/** Whether anyone may sign up a company here; undefined if that could not be fetched. */
export const isSignUpOpen = async (): Promise<boolean | undefined> =>
  webConfig().then(
    ({ SignUp }) => SignUp === 'open',
    () => undefined,
  )

/** Whether this server sends email; otherwise messages are kept on a page that the operator can open. */
export const mailGoesOut = async (): Promise<boolean> => (await webConfig()).MailGoesOut === true

export const forgotPassword = (email: string) =>
  statedCall('/ForgotPassword', { Email: email }).catch((error: unknown) => {
    const isLocked = error instanceof AccountError && error.key === 'auth:error.locked'
    throw isLocked ? new AccountError('auth:forgot.tooMany') : error
  })

export const resetPassword = (email: string, code: string, newPassword: string) =>
  statedCall('/ConfirmForgotPassword', { Email: email, ConfirmationCode: code, NewPassword: newPassword })

/** Title and logo of the company that this gateway serves; empty if it serves several. After an error the product's own are used. */
export async function publicProfile(): Promise<{ LogoName: string; LogoUrl: string | null }> {
  try {
    return (await publicCall('/GetCompanyPublicProfile', {})) as { LogoName: string; LogoUrl: string | null }
  } catch {
    return { LogoName: '', LogoUrl: null }
  }
}
