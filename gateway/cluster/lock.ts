import type pg from 'pg'
import type { Clock, Log } from '../kernel/ports.ts'
import { ADVISORY_LOCKS } from '../store/advisory-locks.ts'

/** Maximum time to wait for another gateway's lock, in ms: a gateway that is being replaced needs time to shut down. */
const LOCK_TIMEOUT_MS = 30_000
const RETRY_INTERVAL_MS = 500

/** Lock that lasts until the process ends or it is released. */
export interface GatewayLock {
  release(): Promise<void>
}

/** Reason that a gateway may not use this database, as a sentence for the operator. */
export class RefusedError extends Error {}

/**
 * Ensures that two gateways use a database only if both are on a bus: a gateway without one holds the lock exclusively, those with one
 * share it. A dedicated connection holds it.
 *
 * onLost  called if the lock was lost with its connection, and another gateway has it now
 * errors   RefusedError if another gateway has it for half a minute
 */
export async function acquireGatewayLock({
  connect,
  isShared,
  clock,
  log,
  onLost,
  timeoutMs = LOCK_TIMEOUT_MS,
}: {
  /** Creates an unconnected client for the writable server. */
  connect: () => pg.Client
  isShared: boolean
  clock: Clock
  log: Pick<Log, 'warn'>
  onLost: (error: RefusedError) => void
  timeoutMs?: number
}): Promise<GatewayLock> {
  let client: pg.Client | undefined
  const ending = { released: false }
  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))

  /** Retries until the lock is acquired; waits for an unavailable database if `isRetryingForever`. */
  async function acquire(isRetryingForever: boolean): Promise<void> {
    /** Time since which the database reports another owner. */
    let lockedSince: number | undefined
    let isLogged = false
    while (!ending.released) {
      const candidate = connect()
      candidate.on('error', () => {})
      try {
        await candidate.connect()
        await enableKeepalive(candidate)
        for (;;) {
          const { rows } = await candidate.query<{ had: boolean }>(
            `select pg_try_advisory_lock${isShared ? '_shared' : ''}(${ADVISORY_LOCKS.gateways}) as had`,
          )
          if (ending.released) return void (await candidate.end())
          if (rows[0]?.had) return watchConnection(candidate)
          lockedSince ??= clock.now()
          if (clock.now() - lockedSince >= timeoutMs) throw new RefusedError(await readHolder(candidate))
          await pause(RETRY_INTERVAL_MS)
        }
      } catch (error) {
        await candidate.end().catch(() => {})
        if (error instanceof RefusedError || !isRetryingForever) throw error
        if (!isLogged) log.warn({ err: error }, 'gateway lock not reacquired, will retry')
        isLogged = true
        await pause(2 * RETRY_INTERVAL_MS)
      }
    }
  }

  function watchConnection(holder: pg.Client): void {
    client = holder
    holder.once('end', () => {
      if (ending.released || client !== holder) return
      client = undefined
      acquire(true).catch((error: unknown) => {
        if (error instanceof RefusedError) onLost(error)
      })
    })
  }

  await acquire(false)
  return {
    async release() {
      ending.released = true
      await client?.end().catch(() => {})
    },
  }
}

/** Makes the server detect the loss of this machine within seconds, and release the lock. */
const enableKeepalive = (client: pg.Client): Promise<unknown> =>
  client.query('set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3')

async function readHolder(client: pg.Client): Promise<string> {
  const { rows } = await client
    .query<{ id: string; since: string }>(
      `select id, to_char(started_at, 'HH24:MI') as since from gateways order by seen_at desc limit 1`,
    )
    // Database that no gateway of this version has migrated yet.
    .catch(() => ({ rows: [] }))
  const holder = rows[0] ? ` (${rows[0].id}, since ${rows[0].since})` : ''
  return `Another gateway${holder} works on this database. Several need BUS_URL at each of them.`
}
