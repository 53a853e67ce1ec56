import type pg from 'pg'
import type { Clock, Log } from '../kernel/ports.ts'
import { ADVISORY_LOCKS } from '../store/advisory-locks.ts'

/** Maximum time to wait for another gateway's lock, in ms: a gateway that is being replaced needs time to shut down. */
const LOCK_TIMEOUT_MS = 30_000
const TRY_EVERY = 500

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
 * onTaken  called if the lock was lost with its connection, and another gateway has it now
 * errors   RefusedError if another gateway has it for half a minute
 */
export async function acquireGatewayLock({
  connect,
  shared,
  clock,
  log,
  onTaken,
  patience = LOCK_TIMEOUT_MS,
}: {
  /** Creates an unconnected client for the writable server. */
  connect: () => pg.Client
  shared: boolean
  clock: Clock
  log: Pick<Log, 'warn'>
  onTaken: (error: RefusedError) => void
  patience?: number
}): Promise<GatewayLock> {
  let client: pg.Client | undefined
  const ending = { released: false }
  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))

  /** Retries until the lock is acquired; waits for an unavailable database if `forEver`. */
  async function take(forEver: boolean): Promise<void> {
    /** Time since which the database reports another owner. */
    let refusedSince: number | undefined
    let isSaid = false
    while (!ending.released) {
      const mine = connect()
      mine.on('error', () => {})
      try {
        await mine.connect()
        await notice(mine)
        for (;;) {
          const { rows } = await mine.query<{ had: boolean }>(
            `select pg_try_advisory_lock${shared ? '_shared' : ''}(${ADVISORY_LOCKS.gateways}) as had`,
          )
          if (ending.released) return void (await mine.end())
          if (rows[0]?.had) return hold(mine)
          refusedSince ??= clock.now()
          if (clock.now() - refusedSince >= patience) throw new RefusedError(await whoHasIt(mine))
          await pause(TRY_EVERY)
        }
      } catch (error) {
        await mine.end().catch(() => {})
        if (error instanceof RefusedError || !forEver) throw error
        if (!isSaid) log.warn({ err: error }, 'gateway lock not reacquired, will retry')
        isSaid = true
        await pause(2 * TRY_EVERY)
      }
    }
  }

  function hold(mine: pg.Client): void {
    client = mine
    mine.once('end', () => {
      if (ending.released || client !== mine) return
      client = undefined
      take(true).catch((error: unknown) => {
        if (error instanceof RefusedError) onTaken(error)
      })
    })
  }

  await take(false)
  return {
    async release() {
      ending.released = true
      await client?.end().catch(() => {})
    },
  }
}

/** Makes the server detect the loss of this machine within seconds, and release the lock. */
const notice = (client: pg.Client): Promise<unknown> =>
  client.query('set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3')

async function whoHasIt(client: pg.Client): Promise<string> {
  const { rows } = await client
    .query<{ id: string; since: string }>(
      `select id, to_char(started_at, 'HH24:MI') as since from gateways order by seen_at desc limit 1`,
    )
    // Database that no gateway of this version has migrated yet.
    .catch(() => ({ rows: [] }))
  const who = rows[0] ? ` (${rows[0].id}, since ${rows[0].since})` : ''
  return `Another gateway${who} works on this database. Several need BUS_URL at each of them.`
}
