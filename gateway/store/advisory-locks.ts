import type { Db } from '../kernel/db.ts'

/** Keys of advisory locks. They share one key space, so each must be unique. */
export const ADVISORY_LOCKS = {
  /** Locked while the schema is changed. */
  migrations: 7_240_315_001,
  /** Locked while a partition is created. */
  partitions: 7_240_315_002,
  /** Locked by each gateway as long as it uses the database. */
  gateways: 7_240_315_003,
} as const

/**
 * Runs work on a database while no gateway uses it; a gateway that is started meanwhile waits. Gateways of the embedded database are
 * detected by its directory.
 *
 * errors  if a gateway uses it
 */
export async function assertNoGatewayRunning<T>(db: Db, task: () => Promise<T>): Promise<T> {
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
    return await task()
  } finally {
    // Closing the connection releases the lock.
    await client.end().catch(() => {})
  }
}
