import { createHash, timingSafeEqual } from 'node:crypto'
import { type Db, sql } from '../kernel/db.ts'
import type { ThingClient } from '../kernel/broker.ts'

interface Account {
  party: ThingClient['party']
  tenant: string
  homeId: string
  secretHash: Buffer
}

const NO_SECRET_HASH = Buffer.alloc(32)

/** Accounts of hubs and scanners in the database: `authenticate` and `tenantOf` of the broker's hooks. */
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

    async tenantOf(thingName: string): Promise<string | undefined> {
      const [row] = await db.query<{
        tenant: string
      }>(sql`select tenant from things where thing_name = ${thingName}
      union all select tenant from scanners where thing_name = ${thingName}`)
      return row?.tenant
    },

    /** The clients whose company, home and secret are unchanged since they authenticated. */
    async standing(clients: readonly ThingClient[]): Promise<ReadonlySet<ThingClient>> {
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
