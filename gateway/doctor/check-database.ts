import { formatDecimals } from '../../contract/kernel/numbers.ts'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { secretFingerprint } from '../cluster/registry.ts'
import { readLocationId } from '../lib/files/disk.ts'
import { openFiles } from '../lib/files/open.ts'
import { readDatabaseUrl } from '../store/database-hosts.ts'
import {
  CONNECTIONS_OUTSIDE_POOL,
  type DatabaseFacts,
  readDatabaseFacts,
  exceedsConnectionLimit,
} from '../store/database-watch.ts'
import { type Db, sql } from '../kernel/db.ts'
import { type DbLog, openDb } from '../store/db.ts'
import { socketDirOf } from '../store/embedded.ts'
import { pendingMigrations } from '../store/migrate.ts'
import { isOwned } from '../store/owner-lock.ts'
import { findBinaries } from '../store/postgres-binaries.ts'
import { failed, type Finding, passed, reasonOf, warning } from './words.ts'

/** Maximum difference between the machine's clock and the database's, in ms. */
const MAX_CLOCK_SKEW_MS = 1_000
/** Maximum age of a live gateway's heartbeat, in seconds. */
const LIVES = 30
const OLDEST_MAJOR = 15

const silentLog: DbLog = { info: () => {}, warn: () => {}, error: () => {} }

export interface DatabaseCheck {
  config: Config
  /** Version of the running program. */
  version: string
  migrations: string
}

/** Checks that the database is usable, and its clock, connections, standbys and registered gateways. */
export async function checkDatabase(check: DatabaseCheck): Promise<Finding[]> {
  const { config } = check
  if (config.DATABASE_URL !== undefined) {
    const { hosts, connectionString } = readDatabaseUrl(config.DATABASE_URL)
    const where =
      hosts.map(({ host, port }) => `${host}:${port}`).join(', ') || hostOf(connectionString) || 'localhost'
    return runChecks(check, where, openDb({ connectionString: config.DATABASE_URL, max: 1, log: silentLog }))
  }
  const { DATA_DIR } = config
  if (existsSync(join(DATA_DIR, 'pg'))) {
    const socketDir = socketDirOf(realpathSync(DATA_DIR))
    if (await isOwned(socketDir))
      return runChecks(check, DATA_DIR, openDb({ socketDir, max: 1, log: silentLog }))
    return [passed('database', 'databaseOff', { path: DATA_DIR })]
  }
  try {
    findBinaries(config.PG_BIN)
    return [passed('database', 'databaseNew', { path: DATA_DIR })]
  } catch (error) {
    return [failed('database', 'databaseNoProgram', { reason: reasonOf(error) })]
  }
}

/** Host and port of a URL, without the rest. */
const hostOf = (url: string): string => /^\w+:\/\/(?:[^/?#]*@)?([^/?#@]*)/.exec(url)?.[1] ?? ''

async function runChecks(check: DatabaseCheck, where: string, db: Db): Promise<Finding[]> {
  try {
    await db.ping()
    const started = performance.now()
    const [server] = await db.query<ServerRow>(sql`
      select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
        current_setting('transaction_read_only') = 'on' as "isReadOnly", current_user as "user",
        coalesce(current_schema(), 'public') as schema,
        has_schema_privilege(coalesce(current_schema(), 'public'), 'create') as "mayCreate",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now`)
    const durationMs = performance.now() - started
    if (!server) throw new Error('The database said nothing about itself')
    const { version, major, isReadOnly } = server
    const answers = passed('database', 'databaseAnswers', { version, where, ms: Math.ceil(durationMs) })
    if (major < OLDEST_MAJOR) return [answers, failed('database', 'databaseOld', { version })]
    const facts = await readDatabaseFacts(db)
    const gateways = await readGateways(db)
    return [
      answers,
      ...(isReadOnly ? [failed('database', 'databaseReadOnly', { where })] : []),
      ...(await checkSchema(check, db, server)),
      ...checkConnections(check.config, facts, gateways.length),
      ...checkStandby(check.config, facts, server.user),
      checkClock(Date.now() - durationMs / 2 - server.now),
      ...checkGateways(check, gateways, await findGatewaysWithOtherFiles(check.config, gateways)),
    ]
  } catch (error) {
    const reason = reasonOf(error)
    return [failed('database', 'databaseAway', { where, reason })]
  } finally {
    await db.close()
  }
}

interface ServerRow {
  version: string
  major: number
  isReadOnly: boolean
  user: string
  schema: string
  mayCreate: boolean
  now: number
}

async function checkSchema(
  { migrations, version }: DatabaseCheck,
  db: Db,
  { user, schema, mayCreate }: ServerRow,
): Promise<Finding[]> {
  try {
    const { pending, isNew } = await pendingMigrations(db, migrations, { release: version })
    if (pending.length === 0) return [passed('database', 'schemaCurrent')]
    return [
      isNew
        ? passed('database', 'schemaNew')
        : warning('database', 'schemaPending', { count: pending.length }),
      ...(mayCreate ? [] : [failed('database', 'schemaNoRight', { user, schema })]),
    ]
  } catch (error) {
    return [failed('database', 'schemaWrong', { reason: reasonOf(error) })]
  }
}

function checkConnections(
  { DATABASE_POOL: pool }: Config,
  { connections, maxConnections: max }: DatabaseFacts,
  connectedGateways: number,
): Finding[] {
  const gateways = Math.max(1, connectedGateways)
  const maxConnections = gateways * (pool + CONNECTIONS_OUTSIDE_POOL)
  return [
    exceedsConnectionLimit(gateways, pool, { maxConnections: max })
      ? warning('database', 'connectionsFew', { gateways, pool, most: maxConnections, max })
      : passed('database', 'connectionsEnough', { open: connections, max }),
  ]
}

/** Checks synchronous standbys, which only a cluster requires for fail-over without data loss. */
function checkStandby({ BUS_URL }: Config, { syncStandbys: count }: DatabaseFacts, user: string): Finding[] {
  if (BUS_URL === undefined) return []
  if (count === undefined) return [warning('database', 'standbyHidden', { user })]
  return [count > 0 ? passed('database', 'standbys', { count }) : warning('database', 'standbyNone')]
}

/**
 * Checks the clock.
 *
 * offsetMs  ms by which this machine is ahead
 */
const checkClock = (offsetMs: number): Finding =>
  Math.abs(offsetMs) > MAX_CLOCK_SKEW_MS
    ? failed('clock', 'clockWrong', { seconds: formatDecimals(Math.abs(offsetMs) / 1000, 1) })
    : passed('clock', 'clockRight', { ms: Math.round(Math.abs(offsetMs)) })

interface GatewayRow {
  name: string
  version: string
  mark: string
  filesMark: string | null
}

async function readGateways(db: Db): Promise<GatewayRow[]> {
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('gateways') is not null as exists`,
  )
  if (!table?.exists) return []
  // An older schema may lack the columns for the file store and the end of a gateway.
  return db.query<GatewayRow>(sql`select name, version, secret_mark as mark, to_jsonb(gateways) ->> 'files_mark' as "filesMark"
    from gateways where seen_at > clock_timestamp() - make_interval(secs => ${LIVES}::float8)
      and to_jsonb(gateways) ->> 'ended_at' is null order by name`)
}

/** Gateways of a cluster that use another file store. A new store has no mark yet; an unreadable one is skipped. */
async function findGatewaysWithOtherFiles(
  config: Config,
  gateways: readonly GatewayRow[],
): Promise<GatewayRow[]> {
  if (config.BUS_URL === undefined) return []
  try {
    const mark = await (config.S3_BUCKET === undefined
      ? readLocationId(config.FILES_DIR)
      : (await openFiles(config)).readLocationId())
    return gateways.filter(({ filesMark }) => filesMark !== null && filesMark !== mark)
  } catch {
    return []
  }
}

function checkGateways(
  { config, version }: DatabaseCheck,
  gateways: readonly GatewayRow[],
  others: readonly GatewayRow[],
): Finding[] {
  if (gateways.length === 0) return [passed('gateways', 'gatewaysNone')]
  const list = gateways.map((one) => `${one.name} ${one.version}`).join(', ')
  const mark = secretFingerprint(config.SECRET)
  return [
    gateways.every((one) => one.version === version)
      ? passed('gateways', 'gatewaysSeen', { list })
      : warning('gateways', 'gatewaysDiffer', { list }),
    ...gateways
      .filter((one) => one.mark !== mark)
      .map(({ name }) => failed('gateways', 'gatewaysSecret', { name })),
    ...others.map(({ name }) => failed('gateways', 'gatewaysFiles', { name })),
    ...(gateways.length > 1 && config.BUS_URL === undefined
      ? [failed('gateways', 'gatewaysNoBus', { count: gateways.length })]
      : []),
  ]
}
