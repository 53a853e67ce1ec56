import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createIdentity } from '../../../../gateway/features/identity/identity.ts'
import type { RequestCaller, SignUpMode } from '../../../../gateway/domain/identity/identity.ts'
import type { Clock, Log, Mail } from '../../../../gateway/kernel/ports.ts'
import { sql, type Db } from '../../../../gateway/kernel/db.ts'
import { cheapPasswords } from '../../../support/cheap-passwords.ts'
import { createTestDb } from '../../../support/postgres.ts'

export const SECRET = 'a master secret of the tests, long enough'
export const POOL = 'local_test0001'
export const CLIENT = 'webclient0001'
export const PASSWORD = 'a secret 1'
export const caller = { address: '192.0.2.1', userAgent: 'Test/1.0' }
export const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() }

/** Clock that starts at the real time and advances on request. */
export function testClock() {
  let at = Date.now()
  const timers = new Set<{ due: number; task: () => void }>()
  return {
    now: () => at,
    after(ms: number, task: () => void) {
      const timer = { due: at + ms, task }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms: number) {
      at += ms
      for (const timer of timers) {
        if (timer.due > at) continue
        timers.delete(timer)
        timer.task()
      }
    },
    /** Number of pending timers. */
    waiting: () => timers.size,
  } satisfies Clock & {
    advance(ms: number): void
    waiting(): number
  }
}

/** Stores mails instead of sending them. */
export function testMail() {
  type SentMail = Parameters<Mail['send']>[0]
  const sent: SentMail[] = []
  return {
    isDelivered: false,
    sent,
    send: async (mail: SentMail) => void sent.push(mail),
  }
}

export interface LogLine {
  level: string
  fields: object
  text: string
}

export function testLog(lines: LogLine[] = []): Log & { lines: LogLine[] } {
  const write = (level: string) => (fields: object, text: string) => void lines.push({ level, fields, text })
  const log = { lines, info: write('info'), warn: write('warn'), error: write('error'), child: () => log }
  return log
}

export interface PersonOptions {
  email?: string
  password?: string
  tenant?: string
  mustChange?: boolean
  enabled?: boolean
}

type Identity = ReturnType<typeof createIdentity>

/** Inserts a person with a password; without a tenant, the owner of a new company. */
export async function addPerson(db: Db, identity: Identity, options: PersonOptions = {}) {
  const cognitoId = randomUUID()
  const tenant = options.tenant ?? cognitoId
  const email = options.email ?? `${cognitoId.slice(0, 8)}@example.com`
  if (tenant === cognitoId)
    await db.query(
      sql`insert into companies (tenant, company_name, created_at) values (${tenant}::uuid, 'A company', 0)`,
    )
  await db.query(sql`
    insert into users (tenant, cognito_id, email, email_verified, first_name, last_name, enabled, created_at)
    values (${tenant}::uuid, ${cognitoId}::uuid, ${email}, true, 'First', 'Last', ${options.enabled ?? true}, 0)`)
  await identity.createCredentials({ tenant, cognitoId, initialPassword: options.password ?? PASSWORD })
  if (!options.mustChange)
    await db.query(sql`update credentials set must_change = false where cognito_id = ${cognitoId}::uuid`)
  return { cognitoId, tenant, email }
}

/** User pool on a new database, reachable over HTTP as from a browser. */
export async function startPool({
  baseUrl,
  signUpMode = 'open',
}: { baseUrl?: string; signUpMode?: SignUpMode } = {}) {
  const { db, dropDatabase } = await createTestDb()
  const clock = testClock()
  const mail = testMail()
  const log = testLog()
  const passwords = cheapPasswords()
  const revoked: string[] = []
  const onRevoked = (cognitoId: string) => void revoked.push(cognitoId)
  const calls: string[] = []

  let identity!: Identity
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      if (request.url?.endsWith('/jwks.json')) {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(await identity.jwks()))
        return
      }
      const target = String(request.headers['x-amz-target'])
      calls.push(target.split('.')[1] ?? target)
      const userAgent = String(request.headers['user-agent'])
      const answer = await identity.handlePool(target, Buffer.concat(chunks).toString(), {
        ...caller,
        userAgent,
      })
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const parts = {
    db,
    clock,
    random,
    mail,
    log,
    secret: SECRET,
    poolId: POOL,
    clientId: CLIENT,
    onRevoked,
    passwords,
    signUpMode,
  }
  identity = createIdentity({ ...parts, baseUrl: baseUrl ?? url })

  /** One request of the Cognito protocol without HTTP. */
  async function call(action: string, body: object | string, from: Partial<RequestCaller> = {}) {
    const service = /^(GetId|GetCredentialsForIdentity)$/.test(action)
      ? 'AWSCognitoIdentityService'
      : 'AWSCognitoIdentityProviderService'
    const answer = await identity.handlePool(
      `${service}.${action}`,
      typeof body === 'string' ? body : JSON.stringify(body),
      { ...caller, ...from },
    )
    return { ...answer, json: JSON.parse(answer.body) }
  }

  const signIn = (email: string, password = PASSWORD, from: Partial<RequestCaller> = {}) =>
    call(
      'InitiateAuth',
      {
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: CLIENT,
        AuthParameters: { USERNAME: email, PASSWORD: password },
      },
      from,
    )

  return {
    db,
    identity,
    clock,
    mail,
    log,
    passwords,
    revoked,
    calls,
    url,
    call,
    signIn,
    parts,
    addPerson: (options?: PersonOptions) => addPerson(db, identity, options),
    tokens: async (email: string, password?: string) =>
      (await signIn(email, password)).json.AuthenticationResult as Record<
        'IdToken' | 'AccessToken' | 'RefreshToken',
        string
      >,
    refresh: (token: string) => call('GetTokensFromRefreshToken', { ClientId: CLIENT, RefreshToken: token }),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await identity.close()
      await dropDatabase()
    },
  }
}

export type PoolWorld = Awaited<ReturnType<typeof startPool>>
