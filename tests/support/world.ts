import { CompactEncrypt, importJWK } from 'jose'
import { Registry } from 'prom-client'
import {
  FEATURES,
  type FeatureKey,
  type Operation,
  type Permission,
} from '../../contract/kernel/permissions.ts'
import type { Envelope } from '../../contract/kernel/envelope.ts'
import { NO_LIMIT } from '../../gateway/lib/mail/quota.ts'
import { createGateway, type Gateway } from '../../gateway/gateway.ts'
import { createEmbeddedBroker } from '../../gateway/broker/embedded/embedded.ts'
import type { BrokerLimits } from '../../gateway/broker/limits.ts'
import type { Broker } from '../../gateway/kernel/broker.ts'
import type { InProcessNetwork } from '../../gateway/bus/in-process.ts'
import { createBrokerMetrics } from '../../gateway/broker/rejections.ts'
import type { EventName, GatewayEvents } from '../../gateway/kernel/events.ts'
import { type Clock, type Log, type Mail, systemRandom } from '../../gateway/kernel/ports.ts'
import type { GatewayConfig } from '../../gateway/features/deps.ts'
import type { Db } from '../../gateway/kernel/db.ts'
import { recordChange } from '../../scripts/emitted-changes.ts'
import { holdClock, type HeldClock } from './clock.ts'
import { createLogBook, type LogBook } from './log-book.ts'
import { createMemoryFiles, type MemoryFiles } from './memory-files.ts'
import { createTestDb, type TestDb } from './postgres.ts'
import { createQuietBroker } from './quiet-broker.ts'
import { CLIENT_ID, createUserPool, SECRET } from './user-pool.ts'

export const API_KEY = 'test-api-key'
export const PASSWORD = 'a passw0rd of tests'
const UNLIMITED = { perSecond: 0, burst: 0 }

/** Signed-in person. */
export interface Person {
  email: string
  password: string
  cognitoId: string
  tenant: string
  token: string
  accessToken: string
  refreshToken: string
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it asked for
type Answer = { http: number; headers: Record<string, unknown> } & Envelope<any>

/** Calls in a person's name. */
export interface Caller extends Person {
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export interface WorldOptions {
  /** Clock that stands still by default; e.g. systemClock for real message timing. */
  clock?: Clock
  /** 'embedded' for real connections, on `hubPort` and, after `listen`, at /mqtt; without clients by default. */
  broker?: 'embedded' | ((parts: { clock: Clock; log: Log; db: Db }) => Broker)
  /** Limits of the embedded broker. */
  brokerLimits?: Partial<BrokerLimits>
  config?: Partial<GatewayConfig>
  /** Migrated database of the test's own; `dropDatabase` is called when the world ends. */
  database?: TestDb
  /** Joins the gateway with others of its database that are started with the same network. */
  network?: InProcessNetwork
}

/** Real gateway in memory: real database, real calls, no sockets unless it listens. */
export interface World {
  gateway: Gateway
  db: Db
  dbName: string
  broker: Broker
  /** Its end of the network, to cut it off; with `network` only. */
  transport: ReturnType<InProcessNetwork['join']> | undefined
  /** MQTT port of hubs; with the embedded broker only. */
  hubPort: number
  clock: HeldClock
  files: MemoryFiles
  log: LogBook
  /** Whether emails are delivered; a test may set this after its companies have signed up. */
  mail: { isDelivered: boolean; send: Mail['send'] }
  /** Sent emails, oldest first. */
  mails: Parameters<Mail['send']>[0][]
  /** Events of the gateway, oldest first. */
  events: { name: EventName; event: GatewayEvents[EventName] }[]
  /** Public call, with the API key unless the headers override it. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Creates a company; returns its owner, signed in. */
  signUp(email?: string): Promise<Caller>
  /** Creates a person of the owner's company with these rights, signed in. */
  createUser(root: Caller, permissions?: Permission[], email?: string): Promise<Caller>
  /** Signs in with a password; throws the pool's error. */
  signIn(email: string, password: string): Promise<Caller>
  /** Calls with this person's token. */
  as(person: Person): Caller
  /** One request of the Cognito protocol. */
  cognito(action: string, body: object): Promise<{ http: number } & Record<string, unknown>>
  close(): Promise<void>
}

export const EVERYTHING: Permission[] = FEATURES.map((FeatureKey) => ({
  FeatureKey,
  OperationList: ['Read', 'Create', 'Update', 'Delete', 'Export', 'Control'],
}))

/** Shorthand: `rights('room', 'Read', 'Update')`. */
export const rights = (FeatureKey: FeatureKey, ...OperationList: Operation[]): Permission => ({
  FeatureKey,
  OperationList,
})

const EVENTS = Object.keys({
  dataChange: 0,
  personChanged: 0,
  personalConfigChanged: 0,
  notificationsRead: 0,
  devicesForgotten: 0,
  hubRevoked: 0,
  hubSecretMade: 0,
  hubOnline: 0,
  statusChanged: 0,
  statusReported: 0,
  reportFaulty: 0,
  reportWell: 0,
  runPlanned: 0,
  commandChanged: 0,
  runChanged: 0,
  alarmChanged: 0,
  firmwareReported: 0,
  otaChanged: 0,
  firmwareDropped: 0,
  visitorPassDue: 0,
  pictureDropped: 0,
  readingsQuarantined: 0,
} satisfies Record<EventName, 0>) as EventName[]

/** Starts a world; close it after the tests. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { db, name, dropDatabase } = options.database ?? (await createTestDb({ template: 'world' }))
  const clock = options.clock ?? holdClock()
  const log = createLogBook()
  const files = createMemoryFiles()
  const mails: World['mails'] = []
  const mail = { isDelivered: false, send: async (sent: World['mails'][number]) => void mails.push(sent) }
  const registry = new Registry()
  const embedded =
    options.broker === 'embedded'
      ? createEmbeddedBroker({
          screenKey: Buffer.alloc(32, 5),
          tcp: { port: 0, host: '127.0.0.1' },
          clock,
          log,
          metrics: createBrokerMetrics(registry),
          ...(options.brokerLimits && { limits: options.brokerLimits }),
        })
      : undefined
  const broker =
    embedded ??
    (typeof options.broker === 'function' ? options.broker({ clock, log, db }) : createQuietBroker())
  const transport = options.network?.join()
  const gateway = await createGateway({
    ...(transport && { member: { name: 'test', isAlone: false, transport } }),
    db,
    broker,
    clock,
    random: systemRandom,
    files,
    mail,
    log,
    onChange: recordChange,
    registry,
    pool: (onRevoked) => createUserPool({ db, clock, log, mail, onRevoked }),
    config: {
      version: '0.0.0-test',
      secret: SECRET,
      apiKey: API_KEY,
      trustProxy: false,
      corsOrigins: [],
      connectOrigins: [],
      limits: { address: UNLIMITED, user: UNLIMITED, tenant: UNLIMITED, auth: UNLIMITED },
      tenantConcurrency: { running: 32, waiting: 1000 },
      mailQuota: { company: NO_LIMIT, recipient: NO_LIMIT },
      retentionDays: { commands: 0, audit: 0, history: 0, visitors: 0, scans: 0 },
      checkResults: true,
      ...options.config,
    },
  })
  const events: World['events'] = []
  for (const name of EVENTS) gateway.events.on(name, (event) => void events.push({ name, event }))

  const as = (person: Person): Caller => ({
    ...person,
    post: (path, body, headers = {}) => gateway.post(path, body, { token: person.token, headers }),
  })

  const cognito: World['cognito'] = async (action, body) => {
    const answer = await gateway.http.inject({
      method: 'POST',
      url: '/cognito',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
      },
      payload: JSON.stringify(body),
    })
    return { http: answer.statusCode, ...answer.json() }
  }

  async function signIn(email: string, password: string): Promise<Caller> {
    const answer = await cognito('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: CLIENT_ID,
      AuthParameters: { USERNAME: email, PASSWORD: password },
    })
    return person(answer, email, password)
  }

  function person(answer: Record<string, unknown>, email: string, password: string): Caller {
    const tokens = answer['AuthenticationResult'] as Record<string, string> | undefined
    if (!tokens) throw new Error(`${email} was not signed in: ${JSON.stringify(answer)}`)
    const token = tokens['IdToken'] as string
    const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    return as({
      email,
      password,
      token,
      cognitoId: claims.sub,
      tenant: claims['custom:tenant_id'],
      accessToken: tokens['AccessToken'] as string,
      refreshToken: tokens['RefreshToken'] as string,
    })
  }

  const post: World['post'] = (path, body, headers = {}) =>
    gateway.post(path, body, { headers: { 'x-api-key': API_KEY, ...headers } })

  return {
    gateway,
    db,
    dbName: name,
    broker,
    transport,
    hubPort: embedded?.ports().tcp ?? 0,
    clock: clock as HeldClock,
    files,
    log,
    mail,
    mails,
    events,
    post,
    as,
    cognito,
    signIn,

    async signUp(email = `owner-${systemRandom.uuid()}@example.com`) {
      const jwk = await gateway.identity.signUpKey()
      const jwe = await new CompactEncrypt(new TextEncoder().encode(PASSWORD))
        .setProtectedHeader({ alg: jwk.alg as string, enc: 'A256GCM', kid: jwk.kid as string })
        .encrypt(await importJWK(jwk))
      const body = { Email: email, Password: jwe, FirstName: 'Owner', LastName: 'Test' }
      const { status } = await post('/UserSignUp', body)
      if (status.code !== 0) throw new Error(`Sign-up failed: ${JSON.stringify(status)}`)
      return signIn(email, PASSWORD)
    },

    async createUser(root, permissions = [], email = `user-${systemRandom.uuid()}@example.com`) {
      const body = { Email: email, password: 'initial1', Permissions: permissions }
      const { status } = await root.post('/CreateUser', body)
      if (status.code !== 0) throw new Error(`CreateUser failed: ${JSON.stringify(status)}`)
      const challenge = await cognito('InitiateAuth', {
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: CLIENT_ID,
        AuthParameters: { USERNAME: email, PASSWORD: 'initial1' },
      })
      const answer = await cognito('RespondToAuthChallenge', {
        ClientId: CLIENT_ID,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: challenge['Session'],
        ChallengeResponses: { USERNAME: email, NEW_PASSWORD: PASSWORD },
      })
      return person(answer, email, PASSWORD)
    },

    async close() {
      await gateway.close()
      await dropDatabase()
    },
  }
}
