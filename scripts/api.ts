import { CompactEncrypt, importJWK, type JWK } from 'jose'
import type { AnyEndpoint, RequestOf, ResultsOf } from '../contract/kernel/define-endpoint.ts'
import type { Envelope } from '../contract/kernel/envelope.ts'
import { session } from '../contract/people/session-calls.ts'

interface WebConfig {
  UserPoolClientId: string
  UserPoolEndpoint: string
  ApiKey: string
  SignUpKey: JWK
}

export class CallFailed extends Error {
  readonly code: number

  constructor(path: string, code: number, text: string) {
    super(`${path}: ${text}`)
    this.name = 'CallFailed'
    this.code = code
  }
}

/** The user pool's answer to a sign-in. */
export interface Tokens {
  IdToken: string
  AccessToken: string
  RefreshToken: string
}

/** Calls on behalf of a signed-in user. */
export type Call = <E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) => Promise<ResultsOf<E>>

export type Api = Awaited<ReturnType<typeof connectApi>>

/**
 * Client of the gateway for programs without a screen: sign-up, sign-in, calls.
 *
 * everywhere  headers to send with each call
 */
export async function connectApi(url: string, everywhere: Readonly<Record<string, string>> = {}) {
  const config = (await (await fetch(`${url}/config.json`)).json()) as WebConfig

  async function post<E extends AnyEndpoint>(
    endpoint: E,
    input: RequestOf<E>,
    headers: Record<string, string>,
  ): Promise<ResultsOf<E>> {
    const answer = await fetch(url + endpoint.path, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', ...everywhere, ...headers },
      ...(endpoint.method === 'POST' && { body: JSON.stringify(input) }),
    })
    const { status, results } = (await answer.json()) as Envelope<ResultsOf<E>>
    if (status.code !== 0) throw new CallFailed(endpoint.path, status.code, status.error ?? '')
    return results as ResultsOf<E>
  }

  async function pool(action: string, body: object): Promise<Record<string, unknown>> {
    const answer = await fetch(new URL(config.UserPoolEndpoint, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
      },
      body: JSON.stringify({ ClientId: config.UserPoolClientId, ...body }),
    })
    const result = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`${action}: ${String(result['message'])}`)
    return result
  }

  /** Signs in; an initial password is replaced by `password`. */
  async function authenticate(email: string, password: string, initialPassword = password): Promise<Tokens> {
    let answer: Record<string, unknown>
    const start = (PASSWORD: string) =>
      pool('InitiateAuth', {
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD },
      })
    try {
      answer = await start(password)
    } catch (error) {
      if (initialPassword === password) throw error
      answer = await start(initialPassword)
    }
    if (answer['ChallengeName'] === 'NEW_PASSWORD_REQUIRED')
      answer = await pool('RespondToAuthChallenge', {
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: answer['Session'],
        ChallengeResponses: { USERNAME: email, NEW_PASSWORD: password },
      })
    return answer['AuthenticationResult'] as Tokens
  }

  return {
    async signUp(person: {
      Email: string
      Password: string
      FirstName: string
      LastName: string
    }): Promise<void> {
      const { alg = 'ECDH-ES+A256KW', kid = '' } = config.SignUpKey
      const Password = await new CompactEncrypt(new TextEncoder().encode(person.Password))
        .setProtectedHeader({ alg, enc: 'A256GCM', kid })
        .encrypt(await importJWK(config.SignUpKey, alg))
      await post(session.signUp, { ...person, Password }, { 'x-api-key': config.ApiKey })
    },

    /** Client id in the user pool, under which browsers store their tokens. */
    clientId: config.UserPoolClientId,
    authenticate,

    /** Signs in as `authenticate` does; returns a function for calls on behalf of the user. */
    async signIn(email: string, password: string, initialPassword?: string): Promise<Call> {
      const { IdToken } = await authenticate(email, password, initialPassword)
      return (endpoint, input) => post(endpoint, input, { authorization: `Bearer ${IdToken}` })
    },
  }
}
