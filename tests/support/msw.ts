import { delay, http, HttpResponse, type HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { AnyEndpoint, ResultsOf } from '../../contract/kernel/define-endpoint.ts'
import { ERRORS, type ErrorCode } from '../../contract/kernel/errors.ts'
import type { Readiness } from '../../contract/kernel/readiness.ts'
import type { Status } from '../../contract/kernel/envelope.ts'
import type { Permission } from '../../contract/kernel/permissions.ts'
import { alarms, maintenances } from '../../contract/alarms/calls.ts'
import { notifications } from '../../contract/notifications/calls.ts'
import { setup, unmapped, reportFaults } from '../../contract/setup/calls.ts'
import type { Me } from '../../contract/people/session-calls.ts'
import type { WebConfig } from '../../src/data/config.ts'

export const CLIENT_ID = 'web-client'

export const CONFIG: WebConfig = {
  UserPoolId: 'local_test1234',
  UserPoolClientId: CLIENT_ID,
  UserPoolEndpoint: '/cognito',
  ApiKey: 'the-api-key',
  SignUpKey: {},
  SignUp: 'open',
  /** Point on P-256. */
  WebPushKey: 'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
}

/** Readiness of a gateway without problems. */
export const READY: Readiness = {
  ready: true,
  database: true,
  writes: true,
  broker: true,
  details: [],
  warnings: [],
}

/** Call that a test's gateway received, newest last. */
export interface Heard {
  path: string
  /** Input; the RequestID of a mutation is a separate field. */
  body: unknown
  requestId: string | undefined
  headers: Headers
}
export const requests: Heard[] = []

type SentBody = { RequestID?: string } & Record<string, unknown>
const splitRequest = ({ RequestID, ...body }: SentBody) => ({ body, requestId: RequestID })

const handle = (
  endpoint: AnyEndpoint,
  answer: (body: unknown) => Response | Promise<Response>,
): HttpHandler => {
  const listen = async ({ request }: { request: Request }) => {
    const sentBody: unknown = request.method === 'POST' ? await request.json() : undefined
    const { body, requestId } = endpoint.mutates
      ? splitRequest(sentBody as SentBody)
      : { body: sentBody, requestId: undefined }
    requests.push({ path: endpoint.path, body, requestId, headers: request.headers })
    return answer(body)
  }
  return endpoint.method === 'GET'
    ? http.get(`*${endpoint.path}`, listen)
    : http.post(`*${endpoint.path}`, listen)
}

/** Answers a call. Input and response are validated with the contract's own schemas, so a test cannot deviate from the wire format. */
export const answers = <E extends AnyEndpoint>(
  endpoint: E,
  results: ResultsOf<E> | ((body: unknown) => ResultsOf<E> | Promise<ResultsOf<E>>),
): HttpHandler =>
  handle(endpoint, async (body) => {
    const input = endpoint.method === 'POST' ? endpoint.input.safeParse(body) : { success: true as const }
    if (!input.success)
      return HttpResponse.json(
        { status: { code: ERRORS.INVALID.code, error: input.error.message } },
        { status: 400 },
      )
    const value = await (typeof results === 'function'
      ? (results as (body: unknown) => ResultsOf<E> | Promise<ResultsOf<E>>)(body)
      : results)
    return HttpResponse.json({ status: { code: 0 }, results: endpoint.results.parse(value) })
  })

/** Mock server of a test: calls without a handler fail the test. No device has reported anything. */
export const server = setupServer(
  http.get('*/config.json', () => HttpResponse.json(CONFIG)),
  http.get('*/health/ready', () => HttpResponse.json(READY)),
  http.post(`*${alarms.listAlarm.path}`, () =>
    HttpResponse.json({ status: { code: 0 }, results: { Rows: [], NextCursor: null, Total: 0 } }),
  ),
  http.post(`*${notifications.listNotification.path}`, () =>
    HttpResponse.json({ status: { code: 0 }, results: { Rows: [], NextCursor: null, Total: 0, Unread: 0 } }),
  ),
  http.post(`*${setup.getSetupState.path}`, () => HttpResponse.json({ status: { code: 0 }, results: [] })),
  http.post(`*${reportFaults.listReportFault.path}`, () =>
    HttpResponse.json({ status: { code: 0 }, results: [] }),
  ),
  http.post(`*${unmapped.listUnmapped.path}`, () =>
    HttpResponse.json({ status: { code: 0 }, results: { ReportedAt: null, Total: 0, Entries: [] } }),
  ),
  http.post(`*${maintenances.listMaintenance.path}`, () =>
    HttpResponse.json({ status: { code: 0 }, results: [] }),
  ),
)

/** Rejects a call with a code of the error table. */
export const rejectCall = (
  endpoint: AnyEndpoint,
  failure: ErrorCode,
  overrides: Partial<Status> = {},
): HttpHandler =>
  handle(endpoint, () =>
    HttpResponse.json(
      { status: { code: ERRORS[failure].code, error: failure, ...overrides } },
      { status: ERRORS[failure].http },
    ),
  )

/** Fails this call with a network error. */
export const unreachable = (endpoint: AnyEndpoint): HttpHandler =>
  handle(endpoint, () => HttpResponse.error())

/** Never responds until the caller aborts. */
export const neverAnswers = (endpoint: AnyEndpoint): HttpHandler =>
  handle(endpoint, async () => {
    await delay('infinite')
    return HttpResponse.error()
  })

/** Responds like a proxy with a page of its own. */
export const proxyAnswers = (endpoint: AnyEndpoint, status: number): HttpHandler =>
  handle(endpoint, () => new HttpResponse('<html>Bad gateway</html>', { status }))

const ROOT_ID = '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0001'
const USER_ID = '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0002'

export const owner: Me = {
  CognitoId: ROOT_ID,
  RootCognitoId: ROOT_ID,
  Email: 'owner@company.example',
  FirstName: '擁有者',
  LastName: '',
  nickname: '',
  Permissions: [],
}

/** Sub-user with only these rights. */
export const subUser = (Permissions: Permission[] = []): Me => ({
  ...owner,
  CognitoId: USER_ID,
  Email: 'operator@company.example',
  FirstName: '操作員',
  Permissions,
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Token in the format of the pool; the browser does not check its signature. */
export function token(claims: Record<string, unknown>): string {
  const now = Math.floor(Date.now() / 1000)
  return [
    encode({ alg: 'RS256' }),
    encode({ iat: now, exp: now + 3600, iss: 'http://localhost/local_test1234', ...claims }),
    'signature',
  ].join('.')
}

/** Stores the session data of a sign-in, as Amplify does. */
export function signInAs(person: Me, { initialized = true } = {}): { idToken: string; accessToken: string } {
  const prefix = `CognitoIdentityServiceProvider.${CLIENT_ID}`
  const idToken = token({
    sub: person.CognitoId,
    email: person.Email,
    token_use: 'id',
    'cognito:username': person.CognitoId,
    'custom:initialized_user': String(initialized),
  })
  const accessToken = token({
    sub: person.CognitoId,
    username: person.CognitoId,
    client_id: CLIENT_ID,
    token_use: 'access',
  })
  localStorage.setItem(`${prefix}.LastAuthUser`, person.CognitoId)
  localStorage.setItem(`${prefix}.${person.CognitoId}.idToken`, idToken)
  localStorage.setItem(`${prefix}.${person.CognitoId}.accessToken`, accessToken)
  localStorage.setItem(`${prefix}.${person.CognitoId}.refreshToken`, 'refresh')
  localStorage.setItem(`${prefix}.${person.CognitoId}.clockDrift`, '0')
  return { idToken, accessToken }
}
