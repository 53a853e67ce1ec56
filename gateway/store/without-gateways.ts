import { ADVISORY_LOCKS } from './advisory-locks.ts'
import type { Db } from './db.ts'

/**
 * Does some work on a database while no gateway works on it; one that is started meanwhile waits for it. The embedded database's
 * gateways are told apart by its directory.
 *
 * errors  when a gateway works on it
 */
export async function assertNoGatewayRunning<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const client = db.client()
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ had: boolean }>('select pg_try_advisory_lock($1) as had', [
      ADVISORY_LOCKS.gateways,
    ])
    if (!rows[0]?.had)
      throw new Error(
        'A gateway works on this database. Stop every gateway of it first, and start them afterwards',
      )
    return await work()
  } finally {
    // The lock goes with its connection.
    await client.end().catch(() => {})
  }
}
