import { z } from 'zod'
import { GatewayError } from '../../kernel/errors.ts'
import type { Clock, Log, Random } from '../../kernel/ports.ts'
import type { RequestCaller } from '../../domain/identity/identity.ts'
import { exceededBound, type JsonBounds } from '../../lib/payloads/json-bounds.ts'
import { deviceCookie } from './device-marks.ts'
import { PoolError } from './pool-error.ts'
import type { Recovery } from './recovery.ts'
import type { Sessions } from './sessions.ts'
import type { SignInResult, SignIn } from './sign-in.ts'
import { identityIdOf, TOKEN_LIFETIME_S, type TokenVerifier } from './tokens.ts'
import type { AccessTrail } from './access-trail.ts'

const MAX_BODY_BYTES = 64 * 1024
/** Limits of a request: the protocol needs only a few fields, two levels deep. */
const BOUNDS: JsonBounds = { depth: 8, values: 200, members: 200 }

const text = z.string().min(1).max(256)
const token = z.string().min(1).max(8192)

const Requests = {
  InitiateAuth: z.discriminatedUnion('AuthFlow', [
    z.object({
      AuthFlow: z.literal('USER_PASSWORD_AUTH'),
      ClientId: text,
      AuthParameters: z.object({ USERNAME: text, PASSWORD: z.string().max(4096) }),
    }),
    z.object({
      AuthFlow: z.enum(['REFRESH_TOKEN_AUTH', 'REFRESH_TOKEN']),
      ClientId: text,
      AuthParameters: z.object({ REFRESH_TOKEN: token }),
    }),
  ]),
  GetTokensFromRefreshToken: z.object({ ClientId: text, RefreshToken: token }),
  RespondToAuthChallenge: z.object({
    ClientId: text,
    ChallengeName: z.literal('NEW_PASSWORD_REQUIRED'),
    Session: token,
    ChallengeResponses: z.object({ USERNAME: text, NEW_PASSWORD: z.string().max(4096) }),
  }),
  GetUser: z.object({ AccessToken: token }),
  GlobalSignOut: z.object({ AccessToken: token }),
  ChangePassword: z.object({
    AccessToken: token,
    PreviousPassword: z.string().max(4096),
    ProposedPassword: z.string().max(4096),
  }),
  ForgotPassword: z.object({ ClientId: text, Username: text }),
  ConfirmForgotPassword: z.object({
    ClientId: text,
    Username: text,
    ConfirmationCode: text,
    Password: z.string().max(4096),
  }),
  RevokeToken: z.object({ ClientId: text, Token: token }),
  GetId: z.object({ IdentityPoolId: text, Logins: z.record(text, token) }),
  GetCredentialsForIdentity: z.object({ IdentityId: text, Logins: z.record(text, token) }),
}

type RequestName = keyof typeof Requests
type Headers = Record<string, string>
type Answers = {
  [N in RequestName]: (
    request: z.infer<(typeof Requests)[N]>,
    caller: RequestCaller,
    headers: Headers,
  ) => Promise<object>
}

/** Actions of Cognito that are not supported: accounts are created by /UserSignUp and /CreateUser. */
const NOT_OFFERED = new Set([
  'SignUp',
  'ConfirmSignUp',
  'ResendConfirmationCode',
  'DeleteUser',
  'UpdateUserAttributes',
])

export interface PoolAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Answers one request of the Cognito protocol; never throws. */
export type HandlePool = (target: string, body: string, caller: RequestCaller) => Promise<PoolAnswer>

/**
 * The user and identity pool in the Amazon Cognito JSON protocol that aws-amplify uses.
 *
 * target  the x-amz-target header, e.g. AWSCognitoIdentityProviderService.InitiateAuth
 * body    the request as received; bounded and parsed here
 */
export function createWire(options: {
  clock: Clock
  random: Random
  log: Log
  clientId: string
  issuer: string
  identityPoolId: string
  signIn: SignIn
  recovery: Recovery
  sessions: Sessions
  verifier: TokenVerifier
  trail: AccessTrail
}): HandlePool {
  const { clock, random, log, signIn, recovery, sessions, verifier, trail } = options

  function requireClient(clientId: string): void {
    if (clientId !== options.clientId)
      throw new PoolError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`)
  }

  /** Identity behind our pool's id token among the logins. */
  async function identityOf(logins: Record<string, string>): Promise<string> {
    const idToken = logins[options.issuer.replace(/^\w+:\/\//, '')]
    const invalidLoginToken = () => new PoolError('NotAuthorizedException', 'Invalid login token.')
    if (idToken === undefined) throw invalidLoginToken()
    const { sub, originJti } = await verifier.verify(idToken, 'id').catch((error) => {
      throw error.code === 'UNAUTHENTICATED' ? invalidLoginToken() : error
    })
    if (originJti === undefined || !(await sessions.isActive(originJti))) throw invalidLoginToken()
    return identityIdOf(sub)
  }

  /** Sets the device cookie for the next sign-in; scripts cannot read it. */
  function marked({ answer, deviceMark }: SignInResult, headers: Headers): object {
    if (deviceMark !== undefined) headers['set-cookie'] = deviceCookie(deviceMark, options.issuer)
    return answer
  }

  const answers: Answers = {
    async InitiateAuth(request, caller, headers) {
      requireClient(request.ClientId)
      if (request.AuthFlow === 'USER_PASSWORD_AUTH') {
        const { USERNAME, PASSWORD } = request.AuthParameters
        return marked(await signIn.withPassword(USERNAME, PASSWORD, caller), headers)
      }
      const tokens = await signIn.withRefreshToken(request.AuthParameters.REFRESH_TOKEN, caller)
      return { AuthenticationResult: tokens, ChallengeParameters: {} }
    },
    async GetTokensFromRefreshToken(request, caller) {
      requireClient(request.ClientId)
      return { AuthenticationResult: await signIn.withRefreshToken(request.RefreshToken, caller) }
    },
    async RespondToAuthChallenge(request, caller, headers) {
      requireClient(request.ClientId)
      const { USERNAME, NEW_PASSWORD } = request.ChallengeResponses
      return marked(await signIn.withNewPassword(request.Session, USERNAME, NEW_PASSWORD, caller), headers)
    },
    async GetUser({ AccessToken }) {
      const { person } = await signIn.authorize(AccessToken)
      const attributes = {
        sub: person.cognitoId,
        email: person.email,
        email_verified: String(person.emailVerified),
        given_name: person.firstName,
        family_name: person.lastName,
        'custom:tenant_id': person.tenant,
        'custom:identity_id': person.cognitoId,
        'custom:initialized_user': String(person.initialized),
      }
      const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }))
      return { Username: person.cognitoId, UserAttributes }
    },
    async GlobalSignOut({ AccessToken }, caller) {
      const { person } = await signIn.authorize(AccessToken)
      await sessions.revokeAll(person.cognitoId)
      await trail.record('SignOutEverywhere', person.cognitoId, caller)
      return {}
    },
    async ChangePassword({ AccessToken, PreviousPassword, ProposedPassword }, caller) {
      const cognitoId = await signIn.changePassword(AccessToken, PreviousPassword, ProposedPassword, caller)
      await trail.record('ChangePassword', cognitoId, caller)
      return {}
    },
    async ForgotPassword(request, caller) {
      requireClient(request.ClientId)
      await recovery.forgot(request.Username, caller)
      return {
        CodeDeliveryDetails: {
          AttributeName: 'email',
          DeliveryMedium: 'EMAIL',
          Destination: masked(request.Username),
        },
      }
    },
    async ConfirmForgotPassword(request, caller) {
      requireClient(request.ClientId)
      await recovery.confirm(request.Username, request.ConfirmationCode, request.Password, caller)
      return {}
    },
    async RevokeToken(request, caller) {
      requireClient(request.ClientId)
      await sessions.revokeByToken(request.Token, caller)
      return {}
    },
    async GetId({ IdentityPoolId, Logins }) {
      if (IdentityPoolId !== options.identityPoolId)
        throw new PoolError('ResourceNotFoundException', `IdentityPool '${IdentityPoolId}' not found.`)
      return { IdentityId: await identityOf(Logins) }
    },
    async GetCredentialsForIdentity({ IdentityId, Logins }) {
      if (IdentityId !== (await identityOf(Logins)))
        throw new PoolError('NotAuthorizedException', 'Access to Identity is forbidden.')
      // Placeholder credentials: nothing accepts them, but clients expect some that expire with the tokens.
      const secret = (size: number) => Buffer.from(random.bytes(size)).toString('base64url')
      return {
        IdentityId,
        Credentials: {
          AccessKeyId: `ASIA${Buffer.from(random.bytes(8)).toString('hex').toUpperCase()}`,
          SecretKey: secret(30),
          SessionToken: secret(48),
          Expiration: Math.floor(clock.now() / 1000) + TOKEN_LIFETIME_S,
        },
      }
    },
  }

  async function answer(
    target: string,
    body: string,
    caller: RequestCaller,
    headers: Headers,
  ): Promise<object> {
    const name = actionOf(target)
    if (body.length > MAX_BODY_BYTES)
      throw new PoolError('SerializationException', 'Request body is too large')
    const parsed = Requests[name].safeParse(parseJson(body))
    if (!parsed.success) throw invalid(parsed.error)
    return (answers[name] as (request: unknown, caller: RequestCaller, headers: Headers) => Promise<object>)(
      parsed.data,
      caller,
      headers,
    )
  }

  return async (target, body, caller) => {
    const requestId = random.uuid()
    try {
      const headers: Headers = { 'x-amzn-requestid': requestId }
      return reply(200, await answer(target, body, { ...caller, requestId }, headers), headers)
    } catch (error) {
      const { status, name, message } = refusalOf(error)
      if (status >= 500) log.error({ requestId, target, err: error }, 'user pool request failed')
      return reply(
        status,
        { __type: name, message },
        { 'x-amzn-requestid': requestId, 'x-amzn-errortype': name },
      )
    }
  }
}

function actionOf(target: string): RequestName {
  const [service = '', action = ''] = target.split('.')
  const ofIdentityPool = action === 'GetId' || action === 'GetCredentialsForIdentity'
  const owner = ofIdentityPool ? 'AWSCognitoIdentityService' : 'AWSCognitoIdentityProviderService'
  if (service === owner && Object.hasOwn(Requests, action)) return action as RequestName
  if (service === owner && NOT_OFFERED.has(action))
    throw new PoolError('NotAuthorizedException', `${action} is not permitted for this user pool`)
  throw new PoolError('UnknownOperationException', 'Unknown operation')
}

function parseJson(body: string): unknown {
  try {
    if (exceededBound(Buffer.from(body), BOUNDS)) throw new Error('Too complex')
    return JSON.parse(body)
  } catch {
    throw new PoolError('SerializationException', 'The request body is not JSON')
  }
}

/** Names the invalid fields, never their values. */
function invalid(error: z.ZodError): PoolError {
  const paths = [...new Set(error.issues.map((issue) => issue.path.join('.')))]
  if (paths.includes('AuthFlow'))
    return new PoolError('InvalidParameterException', 'Auth flow not enabled for this client')
  return new PoolError('InvalidParameterException', `Invalid or missing: ${paths.join(', ') || 'request'}`)
}

function refusalOf(error: unknown): { status: number; name: string; message: string } {
  if (error instanceof PoolError) return { status: 400, name: error.name, message: error.message }
  if (error instanceof GatewayError && error.code === 'UNAVAILABLE')
    return { status: 503, name: 'ServiceUnavailableException', message: 'The user pool is away, try again' }
  return { status: 500, name: 'InternalErrorException', message: 'Internal error' }
}

function reply(status: number, body: object, headers: Record<string, string>): PoolAnswer {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}

/** Masked address in Cognito's form, j***@e***, whether known or not. */
const masked = (email: string) =>
  email
    .split('@')
    .slice(0, 2)
    .map((part) => `${part.slice(0, 1)}***`)
    .join('@')
