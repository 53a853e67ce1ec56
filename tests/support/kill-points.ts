import type pg from 'pg'
import { join, raw, sql } from '../../gateway/kernel/db.ts'
import { openDb } from '../../gateway/store/db.ts'
import { silentLog, type TestDb, testSocketDir } from './postgres.ts'

/** Interruption of a connection: before a statement is sent, or after its execution and before its response. */
export interface Point {
  statement: number
  when: 'before' | 'after'
}

export interface KillPoints {
  /**
   * Runs the work and ends the connection of the statement at that point: the database sees the same as when the gateway is killed. Returns
   * whether the work reached that point.
   */
  kill(point: Point, work: () => Promise<unknown>): Promise<boolean>
  /** Content of every table, as one text each. */
  content(): Promise<Record<string, string>>
  close(): Promise<void>
}

/** Successive points, before and after each statement, or each n-th one. */
export function* points(step = 1): Generator<Point> {
  for (let statement = 1; ; statement += step)
    for (const when of ['before', 'after'] as const) yield { statement, when }
}

type Query = (...args: unknown[]) => unknown

/** Interrupts connections of a database that has not been used yet. */
export function createKillPoints({ db, name }: Pick<TestDb, 'db' | 'name'>): KillPoints {
  const admin = openDb({
    socketDir: testSocketDir(),
    database: name,
    max: 1,
    statementTimeoutMs: 0,
    log: silentLog,
  })
  let at: Point | undefined
  let count = 0

  const end = (client: pg.PoolClient) =>
    admin.query(
      sql`select pg_terminate_backend(${(client as unknown as { processID: number }).processID}, 10000)`,
    )

  db.pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    client.query = ((...args: unknown[]) => {
      count += 1
      if (count !== at?.statement) return query(...args)
      const { when } = at
      at = undefined
      // A COPY is a stream that exists immediately: its connection ends while it runs.
      if (typeof (args[0] as { submit?: unknown }).submit === 'function') {
        void end(client)
        return query(...args)
      }
      return when === 'before'
        ? end(client).then(() => query(...args))
        : (query(...args) as Promise<unknown>).then(async () => {
            await end(client)
            throw new Error('Connection terminated unexpectedly')
          })
    }) as typeof client.query
  })

  return {
    async kill(point, work) {
      count = 0
      at = point
      await work()
      const isReached = at === undefined
      at = undefined
      return isReached
    },

    async content() {
      const tables = await admin.query<{ name: string }>(sql`select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
      if (tables.length === 0) return {}
      const query = tables.map(
        ({ name: table }) =>
          sql`select ${table}::text as name, coalesce(string_agg(t::text, ' ' order by t::text), '') as rows from ${raw(table)} t`,
      )
      const rows = await admin.query<{ name: string; rows: string }>(join(query, ' union all '))
      return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
    },

    close: () => admin.close(),
  }
}
