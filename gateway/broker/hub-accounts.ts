import { createHash, timingSafeEqual } from 'node:crypto'
import { type Db, sql } from '../store/db.ts'
import type { ThingClient } from './port.ts'

interface Account {
  party: ThingClient['party']
  tenant: string
  homeId: string
  secretHash: Buffer
}

const UNKNOWN = Buffer.alloc(32)

/** What the broker asks of the store about hubs and scanners: `authenticate` and `tenantOf` of its hooks. */
export const createHubAccounts = (db: Db) => ({
  /** The hub or scanner of this name and secret. The secret is 32 random bytes, so one round of SHA-256 keeps it (no guessing). */
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
    const given = createHash('sha256').update(password).digest()
    const right = timingSafeEqual(given, account?.secretHash.length === 32 ? account.secretHash : UNKNOWN)
    return account && right
      ? { party: account.party, tenant: account.tenant, homeId: account.homeId, thingName: username }
      : undefined
  },

  async tenantOf(thingName: string): Promise<string | undefined> {
    const [row] = await db.query<{
      tenant: string
    }>(sql`select tenant from things where thing_name = ${thingName}
      union all select tenant from scanners where thing_name = ${thingName}`)
    return row?.tenant
  },

  async thingsOf(tenant: string): Promise<string[]> {
    const rows = await db.query<{ name: string }>(
      sql`select thing_name as name from things where tenant = ${tenant} order by created_at limit 2000`,
    )
    return rows.map(({ name }) => name)
  },
})
