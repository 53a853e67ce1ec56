import { Counter, Gauge, type Registry } from 'prom-client'
import type { Job } from '../kernel/deps.ts'
import type { Log } from '../kernel/ports.ts'
import { type Db, sql } from './db.ts'

/** How often the server is asked about itself, in ms. */
const POLL_INTERVAL_MS = 30_000
/** Connections of a gateway besides its pool: the lock, LISTEN, and one that is being made while another ends. */
export const CONNECTIONS_OUTSIDE_POOL = 3
/** What gateways may take of the connections of a server; the rest is for people, backups and monitoring. */
const SHARE = 0.8

/** What a database server says about itself. */
export interface DatabaseFacts {
  /** Connections that it has, and the most that it takes. */
  connections: number
  maxConnections: number
  /** Standbys without which no transaction commits; undefined where this account may not see them. */
  syncStandbys: number | undefined
}

/** Errors: as of any statement. */
export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db.query<DatabaseFacts & { waits: boolean; sees: boolean }>(sql`
    select (select sum(numbackends) from pg_stat_database)::int as connections,
      current_setting('max_connections')::int as "maxConnections",
      (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum'))::int as "syncStandbys",
      current_setting('synchronous_standby_names') <> ''
        and current_setting('synchronous_commit') not in ('off', 'local') as waits,
      pg_has_role(current_user, 'pg_read_all_stats', 'usage') as sees`)
  if (!row) throw new Error('The database said nothing about itself')
  const { connections, maxConnections, syncStandbys, waits, sees } = row
  // Without a name in that setting nothing waits for a standby, whoever may see which there are.
  return { connections, maxConnections, syncStandbys: waits ? (sees ? syncStandbys : undefined) : 0 }
}

/** Whether so many gateways may take more connections than a server should give them. */
export const exceedsConnectionLimit = (
  gateways: number,
  pool: number,
  { maxConnections }: Pick<DatabaseFacts, 'maxConnections'>,
): boolean => gateways * (pool + CONNECTIONS_OUTSIDE_POOL) > SHARE * maxConnections

/** Keeps an eye on the server. */
export interface DatabaseWatch {
  /** What it last said; undefined while it says nothing. */
  facts(): DatabaseFacts | undefined
  job: Job
}

/** gateways  how many work on the database, this one included */
export function createDatabaseWatch(db: Db, log: Pick<Log, 'warn'>, gateways: () => number): DatabaseWatch {
  let facts: DatabaseFacts | undefined
  let isWarned = false

  async function ask(): Promise<void> {
    facts = await readDatabaseFacts(db).catch(() => undefined)
    if (!facts) return
    const { max = 0 } = db.pool.options
    const isTooMany = exceedsConnectionLimit(gateways(), max, facts)
    if (isTooMany && !isWarned)
      log.warn(
        {
          gateways: gateways(),
          pool: max,
          besides: CONNECTIONS_OUTSIDE_POOL,
          maxConnections: facts.maxConnections,
        },
        'gateways may use more than 80 % of the database connections; lower DATABASE_POOL or raise max_connections',
      )
    isWarned = isTooMany
  }

  return { facts: () => facts, job: { name: 'state of the database', every: POLL_INTERVAL_MS, run: ask } }
}

/**
 * Figures in a Prometheus registry: database_pool, database_failovers_total, and, while the server says something,
 * database_connections, database_max_connections and database_sync_standbys.
 */
export function createDatabaseMetrics(registry: Registry, db: Db, watch: DatabaseWatch): void {
  const registers = [registry]
  const pool: Gauge = new Gauge({
    name: 'database_pool',
    help: 'Connections of this gateway’s pool that are busy or idle, the most there may be, and statements that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount, options } = db.pool
      pool.set({ state: 'busy' }, totalCount - idleCount)
      pool.set({ state: 'idle' }, idleCount)
      pool.set({ state: 'max' }, options.max ?? 0)
      pool.set({ state: 'waiting' }, waitingCount)
    },
  })
  const failovers: Counter = new Counter({
    name: 'database_failovers_total',
    help: 'Times that another server of DATABASE_URL took over the writes',
    registers,
    collect() {
      failovers.reset()
      failovers.inc(db.failovers())
    },
  })
  const ofServer = (name: string, help: string, read: (facts: DatabaseFacts) => number | undefined) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      // Without a label it would be 0 while nothing is known.
      labelNames: ['server'],
      registers,
      collect() {
        gauge.reset()
        const facts = watch.facts()
        const value = facts && read(facts)
        if (value !== undefined) gauge.set({ server: 'primary' }, value)
      },
    })
  }
  ofServer('database_connections', 'Connections that the database server has', (facts) => facts.connections)
  ofServer('database_max_connections', 'Most connections that it takes', (facts) => facts.maxConnections)
  ofServer('database_sync_standbys', 'Standbys that a commit waits for', (facts) => facts.syncStandbys)
}
