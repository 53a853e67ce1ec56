import type { Home } from '../../../contract/homes/home.ts'
import type { Log } from '../../kernel/ports.ts'
import type { Sealer } from '../../lib/seal.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Form in which releases before 1.2 stored a key. */
const CLEAR = /^[0-9a-fA-F]{32}$/

export type ThreadKeys = ReturnType<typeof createThreadKeys>

/** Thread keys of homes, which give access to their mesh networks: encrypted in the database, clear for people who may change the home. */
export function createThreadKeys({ db, log, sealer }: { db: Db; log: Log; sealer: Sealer }) {
  const contextOf = (tenant: string, homeId: string) => `${tenant}/${homeId}`

  const seal = (key: Home['ThreadNetworkKey'], tenant: string, homeId: string): string | null =>
    key === null ? null : sealer.seal(key, contextOf(tenant, homeId))

  return {
    seal,

    /** Home with its key decrypted; null also if another SECRET sealed it, so that it has to be entered again. */
    opened<Row extends Pick<Home, 'HomeID' | 'ThreadNetworkKey'>>(row: Row, tenant: string): Row {
      const { HomeID, ThreadNetworkKey: stored } = row
      if (stored === null || CLEAR.test(stored)) return row
      try {
        return { ...row, ThreadNetworkKey: sealer.open(stored, contextOf(tenant, HomeID)) }
      } catch {
        log.warn({ tenant, homeId: HomeID }, 'Thread key sealed with another SECRET, shown as not set')
        return { ...row, ThreadNetworkKey: null }
      }
    },

    /** Encrypts keys that a former release stored in clear text. */
    async sealStored(): Promise<void> {
      await db.transaction(async (tx) => {
        const homes = await tx.query<{ tenant: string; homeId: string; key: string }>(sql`
          select tenant, home_id as "homeId", thread_network_key as key from homes
          where thread_network_key ~ ${CLEAR.source} order by tenant, home_id for update`)
        for (const { tenant, homeId, key } of homes)
          await tx.query(sql`update homes set thread_network_key = ${seal(key, tenant, homeId)}
            where tenant = ${tenant} and home_id = ${homeId}`)
      })
    },
  }
}
