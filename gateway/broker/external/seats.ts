import pg from 'pg'
import type { Clock, Log } from '../../ports.ts'
import { type Db, sql } from '../../store/db.ts'

/** Any fixed number: a seat is held by it and the seat's own. */
const LOCK = 7_240_317
/** More gateways than one database ever has. */
const MOST = 1_000
/** Before a seat that was lost with its connection is taken again, in ms. */
const AGAIN = 1_000
/** A machine that lost its power says nothing; its seat must not be held for hours. */
const NOTICE_SILENCE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/** Names for the sessions of gateways at an outside broker. */
export interface Seats {
  /**
   * Answers a name that no other gateway has as long as this one lives: the first that is free, so one that starts again goes
   * on with the session that it, or another, has left.
   *
   * moved   hears of another name, after the database was away and somebody else came first
   * errors  UNAVAILABLE when the database is away
   */
  take(moved: (name: string) => void): Promise<string>
  /**
   * Looks at the seats that nobody holds, one by one, while nobody else can take them. A gateway that lost its seat
   * for a moment is not gone: only what was free at the look before, too, counts.
   *
   * empty  answers whether nothing is left of the session of this name
   */
  clear(empty: (name: string) => Promise<boolean>): Promise<void>
  /** Gives the seat up; what its session holds is for whoever takes the seat, or clears it. */
  close(): Promise<void>
}

/**
 * Seats are numbers of which each gateway of a database holds one by a lock of its connection, which ends with it however it
 * ends. Neither the machine's name nor its files tell gateways apart: containers share both.
 *
 * prefix  of the names; the same on every gateway of the database, and on no other
 */
export function createSeats({
  db,
  clock,
  log,
  prefix,
}: {
  db: Db
  clock: Clock
  log: Log
  prefix: string
}): Seats {
  const nameOf = (seat: number) => `${prefix}-${seat}`
  let client: pg.Client | undefined
  let mine: number | undefined
  let free = new Set<number>()
  let closed = false
  let cancel = () => {}

  async function hold(lost: () => void): Promise<number> {
    const next = new pg.Client(db.pool.options)
    // An error is followed by the end.
    next.on('error', () => {})
    try {
      await next.connect()
      await next.query(NOTICE_SILENCE)
      const seat = mine !== undefined && (await holds(next, mine)) ? mine : await firstFree(next)
      await next.query('insert into broker_seats (seat) values ($1) on conflict do nothing', [seat])
      client = next
      next.once('end', () => {
        if (client !== next) return
        client = undefined
        lost()
      })
      return (mine = seat)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
  }

  function holdAgain(moved: (name: string) => void): void {
    if (closed) return
    cancel = clock.after(AGAIN, () => {
      const before = mine
      hold(() => holdAgain(moved)).then(
        (seat) => {
          if (closed) return void client?.end().catch(() => {})
          if (seat !== before) moved(nameOf(seat))
        },
        (err: unknown) => {
          log.warn({ err }, 'The name at the outside broker is not held for now')
          holdAgain(moved)
        },
      )
    })
  }

  return {
    take: async (moved) => nameOf(await hold(() => holdAgain(moved))),

    async clear(empty) {
      const rows = await db.query<{ seat: number }>(sql`select seat from broker_seats order by seat`)
      const before = free
      free = new Set()
      for (const { seat } of rows) {
        const holder = client
        if (closed || !holder) return
        if (seat === mine || !(await holds(holder, seat))) continue
        try {
          if (before.has(seat) && (await empty(nameOf(seat))))
            await db.query(sql`delete from broker_seats where seat = ${seat}`)
          else free.add(seat)
        } finally {
          await holder.query('select pg_advisory_unlock($1, $2)', [LOCK, seat])
        }
      }
    },

    async close() {
      closed = true
      cancel()
      await client?.end().catch(() => {})
    },
  }
}

/** Whether this connection holds a seat now. */
async function holds(client: pg.Client, seat: number): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
    LOCK,
    seat,
  ])
  return rows[0]?.held === true
}

async function firstFree(client: pg.Client): Promise<number> {
  for (let seat = 1; seat <= MOST; seat++) if (await holds(client, seat)) return seat
  throw new Error(`More than ${MOST} gateways are on this database`)
}
