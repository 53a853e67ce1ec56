import { Counter, Gauge, type Registry } from 'prom-client'
import type { Job } from '../kernel/feature.ts'
import type { Log } from '../kernel/ports.ts'
import { type Db, sql } from '../kernel/db.ts'

/** Interval between queries of the server's state, in ms. */
const POLL_INTERVAL_MS = 30_000
/** Connections of a gateway in addition to its pool: the lock, LISTEN, and one that is being established while another closes. */
export const CONNECTIONS_OUTSIDE_POOL = 3
/** Maximum share of a server's connections for gateways; the rest is for people, backups and monitoring. */
const MAX_CONNECTION_SHARE = 0.8

/** State reported by a database server. */
export interface DatabaseFacts {
  /** Number of connections, and the maximum. */
  connections: number
  maxConnections: number
  /** Number of standbys that commits wait for; undefined if this account may not see them. */
  syncStandbys: number | undefined
}

/** Reads the state of the database server. Errors: as of any statement. */
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
  // Without names in that setting, commits wait for no standby, regardless of permissions.
  return { connections, maxConnections, syncStandbys: waits ? (sees ? syncStandbys : undefined) : 0 }
}

/** Whether the gateways could exceed their share of a server's connections. */
export const exceedsConnectionLimit = (
  gateways: number,
  pool: number,
  { maxConnections }: Pick<DatabaseFacts, 'maxConnections'>,
): boolean => gateways * (pool + CONNECTIONS_OUTSIDE_POOL) > MAX_CONNECTION_SHARE * maxConnections

/** Monitors the database server. */
export interface DatabaseWatch {
  /** Last reported state; undefined while the server does not answer. */
  readFacts(): DatabaseFacts | undefined
  job: Job
}

/**
 * Creates a monitor of the database server.
 *
 * gateways  number of gateways on the database, including this one
 */
export function createDatabaseWatch(db: Db, log: Pick<Log, 'warn'>, gateways: () => number): DatabaseWatch {
  let facts: DatabaseFacts | undefined
  let isWarned = false

  async function refresh(): Promise<void> {
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

  return {
    readFacts: () => facts,
    job: { name: 'state of the database', intervalMs: POLL_INTERVAL_MS, run: refresh },
  }
}

/**
 * Metrics in a Prometheus registry: database_pool, database_failovers_total, and, while the server's state is known,
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
      failovers.inc(db.failoverCount())
    },
  })
  const serverGauge = (name: string, help: string, read: (facts: DatabaseFacts) => number | undefined) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      // Without a label, it would be 0 while unknown.
      labelNames: ['server'],
      registers,
      collect() {
        gauge.reset()
        const facts = watch.readFacts()
        const value = facts && read(facts)
        if (value !== undefined) gauge.set({ server: 'primary' }, value)
      },
    })
  }
  serverGauge(
    'database_connections',
    'Connections that the database server has',
    (facts) => facts.connections,
  )
  serverGauge('database_max_connections', 'Most connections that it takes', (facts) => facts.maxConnections)
  serverGauge('database_sync_standbys', 'Standbys that a commit waits for', (facts) => facts.syncStandbys)
}
