import { createHash, timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Db, sql } from '../kernel/db.ts'
import type { ThingClient, Broker, ScreenClient, ScreenGrant } from '../kernel/broker.ts'
import { userPermission } from '../../contract/data-change.ts'
import type { PermissionSubject } from '../../contract/kernel/permissions.ts'
import { SUBJECT_COLUMNS } from '../domain/identity/subject.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { Log } from '../kernel/ports.ts'

interface Account {
  party: ThingClient['party']
  tenant: string
  homeId: string
  secretHash: Buffer
}

const NO_SECRET_HASH = Buffer.alloc(32)

/** Accounts of hubs and scanners in the database: `authenticate` and `findTenant` of the broker's hooks. */
export function createHubAccounts(db: Db) {
  /** Hashes of the secrets that clients authenticated with. */
  const secretHashes = new WeakMap<ThingClient, Buffer>()

  return {
    /** The hub or scanner with this name and secret. The secret is 32 random bytes, so one round of SHA-256 suffices (no guessing). */
    async authenticate({
      username,
      password,
    }: {
      username: string
      password: string
    }): Promise<ThingClient | undefined> {
      const [account] = await db.query<Account>({
        name: 'hub_account',
        text: `select 'hub' as party, tenant, home_id as "homeId", secret_hash as "secretHash" from things where thing_name = $1
        union all select 'scanner', tenant, home_id, secret_hash from scanners where thing_name = $1`,
        values: [username.slice(0, 65)],
      })
      const passwordHash = createHash('sha256').update(password).digest()
      const isRight = timingSafeEqual(
        passwordHash,
        account?.secretHash.length === 32 ? account.secretHash : NO_SECRET_HASH,
      )
      if (!account || !isRight) return undefined
      const { party, tenant, homeId } = account
      const client: ThingClient = { party, tenant, homeId, thingName: username }
      secretHashes.set(client, passwordHash)
      return client
    },

    async findTenant(thingName: string): Promise<string | undefined> {
      const [row] = await db.query<{
        tenant: string
      }>(sql`select tenant from things where thing_name = ${thingName}
      union all select tenant from scanners where thing_name = ${thingName}`)
      return row?.tenant
    },

    /** The clients whose company, home and secret are unchanged since they authenticated. */
    async filterAuthorized(clients: readonly ThingClient[]): Promise<ReadonlySet<ThingClient>> {
      const names = [...new Set(clients.map(({ thingName }) => thingName))]
      const rows = await db.query<Omit<Account, 'party'> & { name: string }>(sql`
        select thing_name as name, tenant, home_id as "homeId", secret_hash as "secretHash" from things
        where thing_name = any(${names}::text[])
        union all select thing_name, tenant, home_id, secret_hash from scanners where thing_name = any(${names}::text[])`)
      const accounts = new Map(rows.map((row) => [row.name, row]))
      return new Set(
        clients.filter((client) => {
          const account = accounts.get(client.thingName)
          const isSame = account?.tenant === client.tenant && account.homeId === client.homeId
          return isSame && account.secretHash.equals(secretHashes.get(client) ?? NO_SECRET_HASH)
        }),
      )
    },
  }
}

interface Person extends PermissionSubject {
  tenant: string
  cognitoId: string
  /** End of the person's sign-ins in another user pool, which does not list single sign-ins; epoch ms. */
  signedOutAt: number | null
}

const rightsOf = ({ permissions, homeGrants = [] }: PermissionSubject) => [permissions, homeGrants]

/** Screens' accounts in the database: who may open a connection, and which connections may stay. */
export function createScreenAccounts({
  db,
  identity,
  broker,
  log,
}: {
  db: Db
  identity: Pick<Identity, 'findSessions'>
  broker: Pick<Broker, 'publish'>
  log: Log
}) {
  const readPeople = async (cognitoIds: readonly string[]): Promise<Map<string, Person>> => {
    const rows = await db.query<Person>(sql`
      select tenant, cognito_id as "cognitoId", ${SUBJECT_COLUMNS}, signed_out_at as "signedOutAt" from users u
      where cognito_id = any(${[...cognitoIds]}::uuid[]) and enabled`)
    return new Map(rows.map((person) => [person.cognitoId, person]))
  }

  /**
   * Publishes changed rights to a person's screens. A failure is only logged: the page notices when its connection
   * ends and by its next call.
   */
  async function publishPermissions(
    { tenant, cognitoId }: ScreenClient,
    person: Person | undefined,
  ): Promise<void> {
    const topic = userPermission.topic({ rootId: tenant, cognitoId })
    const payload = person ? { Permissions: person.permissions } : { Deleted: true }
    await broker
      .publish(topic, payload, { qos: 1, scope: 'local' })
      .catch((err: unknown) => log.warn({ err }, 'permission change not published to user'))
  }

  return {
    /** The person with current rights who may open a screen's connection; undefined if disabled, deleted or signed out. */
    async authenticate(grant: ScreenGrant): Promise<ScreenClient | undefined> {
      const { cognitoId, sessionId, issuedAt, expiresAt } = grant
      const [person, sessions] = await Promise.all([
        readPeople([cognitoId]).then((found) => found.get(cognitoId)),
        identity.findSessions([cognitoId]),
      ])
      if (person?.tenant !== grant.tenant) return undefined
      const isSignedIn = sessions
        ? sessions.get(cognitoId)?.includes(sessionId)
        : (person.signedOutAt ?? 0) <= issuedAt
      if (!isSignedIn) return undefined
      const { tenant, isRoot, permissions, homeGrants = [] } = person
      const subject = { isRoot, permissions, homeGrants }
      return { party: 'screen', tenant, cognitoId, subject, sessionId, expiresAt }
    },

    /** The clients whose rights are unchanged and whose sign-in is valid. People whose rights changed are notified. */
    async filterAuthorized(clients: readonly ScreenClient[]): Promise<ReadonlySet<ScreenClient>> {
      const ids = [...new Set(clients.map(({ cognitoId }) => cognitoId))]
      const [found, sessions] = await Promise.all([readPeople(ids), identity.findSessions(ids)])
      const notified = new Set<string>()
      const authorized = new Set<ScreenClient>()
      for (const client of clients) {
        const { cognitoId, sessionId = '', subject } = client
        const person = found.get(cognitoId)
        const hasSamePermissions = person && isDeepStrictEqual(rightsOf(person), rightsOf(subject))
        if (!hasSamePermissions && !notified.has(cognitoId)) {
          notified.add(cognitoId)
          await publishPermissions(client, person)
        }
        if (hasSamePermissions && (sessions?.get(cognitoId)?.includes(sessionId) ?? !sessions))
          authorized.add(client)
      }
      return authorized
    },
  }
}

/**
 * Ends connections whose rights were revoked, by any gateway: the database notifies on commit. After missed
 * notifications all connections are checked.
 */
export function followRights({
  db,
  broker,
}: {
  db: Pick<Db, 'listen'>
  broker: Pick<Broker, 'reauthorize'>
}): void {
  const reauthorizeAll = () => void broker.reauthorize?.()
  db.listen('person_changed', {
    onPayload: (cognitoId) => void broker.reauthorize?.({ cognitoId }),
    onMissed: reauthorizeAll,
  })
  db.listen('thing_changed', {
    onPayload: (thingName) => void broker.reauthorize?.({ thingName }),
    onMissed: reauthorizeAll,
  })
}
