import { isDeepStrictEqual } from 'node:util'
import { userPermission } from '../../contract/data-change.ts'
import type { Permission } from '../../contract/kernel/permissions.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { Log } from '../kernel/ports.ts'
import { type Db, sql } from '../kernel/db.ts'
import type { Broker, ScreenClient, ScreenGrant } from '../kernel/broker.ts'

interface Person {
  tenant: string
  cognitoId: string
  permissions: Permission[]
  /** End of the person's sign-ins in another user pool, which does not list single sign-ins; epoch ms. */
  signedOutAt: number | null
}

/** Screens' accounts in the database: who may open a connection, and which connections may stay. */
export function createScreenAccounts({
  db,
  identity,
  broker,
  log,
}: {
  db: Db
  identity: Pick<Identity, 'sessionsOf'>
  broker: Pick<Broker, 'publish'>
  log: Log
}) {
  const readPeople = async (cognitoIds: readonly string[]): Promise<Map<string, Person>> => {
    const rows = await db.query<Person>(sql`
      select tenant, cognito_id as "cognitoId", permissions, signed_out_at as "signedOutAt" from users
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
      .publish(topic, payload, { qos: 1, reach: 'here' })
      .catch((err: unknown) => log.warn({ err }, 'permission change not published to user'))
  }

  return {
    /** The person with current rights who may open a screen's connection; undefined if disabled, deleted or signed out. */
    async screenOf(grant: ScreenGrant): Promise<ScreenClient | undefined> {
      const { cognitoId, sessionId, issuedAt, expiresAt } = grant
      const [person, sessions] = await Promise.all([
        readPeople([cognitoId]).then((found) => found.get(cognitoId)),
        identity.sessionsOf([cognitoId]),
      ])
      if (person?.tenant !== grant.tenant) return undefined
      const isSignedIn = sessions
        ? sessions.get(cognitoId)?.includes(sessionId)
        : (person.signedOutAt ?? 0) <= issuedAt
      if (!isSignedIn) return undefined
      const { tenant, permissions } = person
      const subject = { isRoot: cognitoId === tenant, permissions }
      return { party: 'screen', tenant, cognitoId, subject, sessionId, expiresAt }
    },

    /** The clients whose rights are unchanged and whose sign-in is valid. People whose rights changed are notified. */
    async standing(clients: readonly ScreenClient[]): Promise<ReadonlySet<ScreenClient>> {
      const ids = [...new Set(clients.map(({ cognitoId }) => cognitoId))]
      const [found, sessions] = await Promise.all([readPeople(ids), identity.sessionsOf(ids)])
      const notified = new Set<string>()
      const authorized = new Set<ScreenClient>()
      for (const client of clients) {
        const { cognitoId, sessionId = '', subject } = client
        const person = found.get(cognitoId)
        const hasSamePermissions = person && isDeepStrictEqual(person.permissions, subject.permissions)
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
  broker: Pick<Broker, 'review'>
}): void {
  const reauthorizeAll = () => void broker.review?.()
  db.listen('person_changed', {
    heard: (cognitoId) => void broker.review?.({ cognitoId }),
    missed: reauthorizeAll,
  })
  db.listen('thing_changed', {
    heard: (thingName) => void broker.review?.({ thingName }),
    missed: reauthorizeAll,
  })
}
