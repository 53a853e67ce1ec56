import pg from 'pg'
import type { Logger } from 'pino'
import { isConnectionLost, isLocalTimeout, isServerUnreachable, toGatewayError } from './database-errors.ts'
import { createDatabaseHosts, type DatabaseHosts, readDatabaseUrl } from './database-hosts.ts'
import { GatewayError } from '../kernel/errors.ts'
import { createListening } from './listen.ts'
import type { Db, NamedQuery, Sql } from '../kernel/db.ts'
import { createWriteHealth, type WriteHealth } from './write-health.ts'

/** Counts and epoch milliseconds are far below 2^53, so int8 is parsed as a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Logger methods that the store uses. */
export type DbLog = Pick<Logger, 'info' | 'warn' | 'error'>

export interface DbOptions {
  /** External server, or several of which one is writable; TLS and certificates as in libpq's URL parameters. */
  connectionString?: string
  /** Directory of the embedded server's unix socket. */
  socketDir?: string
  /** With socketDir: name of the database; defaults to the embedded server's own one. */
  database?: string
  max?: number
  /** Maximum duration of a statement on the server, in ms; 0 for no limit (backup). */
  statementTimeoutMs?: number
  /** Clock in epoch ms; defaults to this machine's. */
  now?: () => number
  log: DbLog
}

/** Role and database that the embedded server creates. */
export const EMBEDDED_USER = 'gateway'
const EMBEDDED_DATABASE = 'postgres'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
const PING_TIMEOUT_MS = 2_000
/** Interval at which the primary is verified if a standby could replace it, in ms. */
const PROBE_INTERVAL_MS = 3_000
/** Margin after the server's timeout, so that the server's clearer error arrives first, in ms. */
const CLIENT_GRACE_MS = 5_000

/**
 * Opens the database; connections are established on demand, so this never fails.
 *
 * options   either connectionString or socketDir
 */
export const openDb = (options: DbOptions): Db => {
  const { log, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  const target = options.socketDir ? undefined : readDatabaseUrl(options.connectionString ?? '')
  const server = {
    ...(options.socketDir
      ? { host: options.socketDir, user: EMBEDDED_USER, database: options.database ?? EMBEDDED_DATABASE }
      : { connectionString: target?.connectionString }),
    application_name: 'gateway',
    // As on the embedded server: compiling takes longer than any statement of the gateway.
    options: '-c jit=off',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  }
  const hosts = createDatabaseHosts(target?.hosts ?? [], server, log)
  const pool = new pg.Pool({
    ...server,
    Client: hosts.client,
    max: options.max ?? 10,
    idleTimeoutMillis: 60_000,
    onConnect: checkConnectionAlive,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + CLIENT_GRACE_MS,
      lock_timeout: Math.min(LOCK_TIMEOUT_MS, statementTimeoutMs),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  })
  const store: Store = {
    pool,
    hosts,
    health: createWriteHealth(options.now ?? Date.now),
    generation: 0,
    generations: new WeakMap(),
    client: () => new hosts.client(server),
  }
  // Without these two listeners, a connection closed by the server ends the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  pool.on('connect', (client) => {
    store.generations.set(client, store.generation)
    client.on('error', () => {})
  })
  const listening = createListening(store.client, log)
  const ping = async () => {
    const query = { text: 'select 1', query_timeout: PING_TIMEOUT_MS }
    await withClient(store, (client) => client.query(query))
  }
  const watch = hosts.hasSeveral
    ? setInterval(() => void ping().catch(() => {}), PROBE_INTERVAL_MS).unref()
    : undefined
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    clearInterval(watch)
    await listening.close()
    await pool.end()
  }

  return {
    pool,
    client: store.client,
    query: (query) => withClient(store, (client) => run(client, store, query)),
    transaction: (task) => withClient(store, (client) => transact(client, store, task)),
    afterCommit: (task) => task(),
    ping,
    failoverCount: hosts.failoverCount,
    areWritesFailing: () => store.health.isFailing(),
    listen: listening.add,
    close: () => (closing ??= close()),
  }
}

/**
 * Makes the server check during statements whether the client still exists: otherwise a statement of a killed gateway, such as a
 * migration, continues and holds its locks. Servers on unsupported systems reject the setting.
 */
const checkConnectionAlive = async (client: pg.ClientBase): Promise<void> => {
  try {
    await client.query(`set client_connection_check_interval = '2s'`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

/** Connections to a server, and whether writes succeed. */
interface Store {
  pool: pg.Pool
  hosts: DatabaseHosts
  health: WriteHealth
  /** Increases if the server may have changed; older connections are not reused. */
  generation: number
  /** Age at which a connection was established. */
  generations: WeakMap<pg.ClientBase, number>
  client: () => pg.Client
}

/** Lends a connection. A broken one is closed; one with a failed statement returns to the pool. */
const withClient = async <T>(store: Store, task: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  let client: pg.PoolClient | undefined
  let isBroken = false
  try {
    client = await checkOut(store)
    return await task(client)
  } catch (error) {
    isBroken = isConnectionLost(error) || isConnectionLost((error as { cause?: unknown } | undefined)?.cause)
    store.health.onFailure(error)
    onFailure(store, error, client)
    throw toGatewayError(error)
  } finally {
    client?.release(isBroken || isOld(store, client))
  }
}

const isOld = ({ generations, generation }: Store, client: pg.ClientBase): boolean =>
  (generations.get(client) ?? generation) < generation

/** Connection from the pool to the writable server; outdated ones are closed. */
const checkOut = async (store: Store): Promise<pg.PoolClient> => {
  for (;;) {
    const client = await store.pool.connect()
    if (!isOld(store, client)) return client
    client.release(true)
  }
}

/** Invalidates connections after a fail-over, so that the next one finds the new primary. */
const onFailure = (store: Store, error: unknown, client: pg.ClientBase | undefined): void => {
  const cause = error instanceof GatewayError ? error.cause : error
  if (isServerUnreachable(cause)) {
    store.hosts.invalidate()
    // Once per age: connections that fail later were established before it too.
    if (client && !isOld(store, client)) store.generation += 1
  } else if (cause instanceof Error && isLocalTimeout(cause)) void store.hosts.findPrimary()
}

const run = async <R extends object>(
  client: pg.ClientBase,
  { health }: Store,
  query: Sql | NamedQuery,
): Promise<R[]> => {
  const { text, values } = query
  const config = 'name' in query ? { name: query.name, text, values } : { text, values }
  const { rows } = await client.query<R>(config)
  health.onSuccess(text)
  return rows
}

const transact = async <T>(client: pg.PoolClient, store: Store, task: (tx: Db) => Promise<T>): Promise<T> => {
  await client.query('begin')
  const tx = openTransaction(client, store, 1)
  let result: T
  try {
    result = await task(tx.db)
    tx.end()
    // A statement failed and its error was swallowed: the server answers "commit" with a rollback.
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw new Error('The transaction had failed and was rolled back')
  } catch (error) {
    tx.end()
    await client.query('rollback').catch(() => client.end().catch(() => {}))
    throw error
  }
  for (const task of tx.afterwards) task()
  return result
}

/** One level of a transaction: depth 1 is the transaction itself, deeper ones are savepoints. */
const openTransaction = (client: pg.PoolClient, store: Store, depth: number) => {
  let isOver = false
  const afterCommit: (() => void)[] = []
  const assertOpen = () => {
    if (isOver) throw new Error('This transaction is over')
  }
  const runInside = async <T>(task: () => Promise<T>): Promise<T> => {
    assertOpen()
    try {
      return await task()
    } catch (error) {
      throw toGatewayError(error)
    }
  }
  const db: Db = {
    pool: store.pool,
    client: store.client,
    failoverCount: store.hosts.failoverCount,
    query: (query) => runInside(() => run(client, store, query)),
    transaction: (task) =>
      runInside(async () => {
        const { result, afterCommit: nested } = await savepoint(client, store, depth, task)
        afterCommit.push(...nested)
        return result
      }),
    afterCommit(task) {
      assertOpen()
      afterCommit.push(task)
    },
    listen() {
      throw new Error('A transaction cannot listen')
    },
    ping: () => runInside(async () => void (await client.query('select 1'))),
    areWritesFailing: () => store.health.isFailing(),
    close: () => Promise.reject(new Error('A transaction cannot close the database')),
  }
  return { db, afterwards: afterCommit, end: () => void (isOver = true) }
}

const savepoint = async <T>(
  client: pg.PoolClient,
  store: Store,
  depth: number,
  task: (tx: Db) => Promise<T>,
): Promise<{ result: T; afterCommit: readonly (() => void)[] }> => {
  const name = `level_${depth}`
  await client.query(`savepoint ${name}`)
  const tx = openTransaction(client, store, depth + 1)
  try {
    const result = await task(tx.db)
    tx.end()
    await client.query(`release savepoint ${name}`)
    return { result, afterCommit: tx.afterwards }
  } catch (error) {
    tx.end()
    await client.query(`rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {})
    throw error
  }
}
