import type pg from 'pg'
import type { Clock, Log } from '../kernel/ports.ts'
import { ADVISORY_LOCKS } from '../store/advisory-locks.ts'

/** How long a gateway waits for another to end, in ms: one that is replaced needs its time. */
const LOCK_TIMEOUT_MS = 30_000
const TRY_EVERY = 500

/** Held for as long as this process lives or until it is released. */
export interface GatewayLock {
  release(): Promise<void>
}

/** Why a gateway may not work on this database, in a sentence for whoever started it. */
export class RefusedError extends Error {}

/**
 * Makes sure that no second gateway works on a database unless both know of each other by a bus: one without holds the lock
 * alone, those with one share it. It is held by a connection of its own.
 *
 * onTaken  hears that the lock was lost with its connection, and that another gateway has it now
 * errors   RefusedError when another gateway has it for half a minute
 */
export async function acquireGatewayLock({
  connect,
  shared,
  clock,
  log,
  onTaken,
  patience = LOCK_TIMEOUT_MS,
}: {
  /** Makes a client, not yet connected, to the server that takes writes. */
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

  /** Tries until the lock is had; a database that is away is waited for when `forEver`. */
  async function take(forEver: boolean): Promise<void> {
    /** Since when the database says that another has it. */
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

/** Has the server notice within seconds that this machine is gone, and give the lock to another. */
const notice = (client: pg.Client): Promise<unknown> =>
  client.query('set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3')

async function whoHasIt(client: pg.Client): Promise<string> {
  const { rows } = await client
    .query<{ id: string; since: string }>(
      `select id, to_char(started_at, 'HH24:MI') as since from gateways order by seen_at desc limit 1`,
    )
    // A database that no gateway of this version has migrated yet.
    .catch(() => ({ rows: [] }))
  const who = rows[0] ? ` (${rows[0].id}, since ${rows[0].since})` : ''
  return `Another gateway${who} works on this database. Several need BUS_URL at each of them.`
}
