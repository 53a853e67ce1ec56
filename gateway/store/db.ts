import pg from 'pg'
import type { Logger } from 'pino'
import sql, { Sql, empty, join, raw } from 'sql-template-tag'
import {
  isConnectionLost,
  isLocalTimeout,
  isServerLeft,
  isUniqueViolation,
  toGatewayError,
} from './database-errors.ts'
import { createDatabaseHosts, type DatabaseHosts, readDatabaseUrl } from './database-hosts.ts'
import { GatewayError } from '../kernel/errors.ts'
import { createListening, type Listener } from './listen.ts'
import { createWriteHealth, type WriteHealth } from './write-health.ts'

export { Sql, empty, isUniqueViolation, join, raw, sql }

/** Counts and epoch milliseconds are far below 2^53, so int8 is a number everywhere in the gateway. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A statement that the server prepares once per connection, for the hot paths. */
export interface NamedQuery {
  name: string
  text: string
  values: unknown[]
}

/** A statement that is prepared under a name; its text must always be the same. */
export const named = (name: string, { text, values }: Sql): NamedQuery => ({ name, text, values })

/** What the store needs of a logger. */
export type DbLog = Pick<Logger, 'info' | 'warn' | 'error'>

/** The database, or one open transaction in it. */
export interface Db {
  /**
   * Runs one statement and answers its rows.
   *
   * errors    UNAVAILABLE when the database is away, full or too slow; pg.DatabaseError otherwise, so a caller may
   *           ask `isUniqueViolation`
   */
  query<R extends object>(query: Sql | NamedQuery): Promise<R[]>
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Called on a transaction
   * it opens a savepoint; savepoints of one transaction follow each other, they cannot run side by side.
   */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * On a transaction: what is done once it is committed, and never when it is rolled back, nor the savepoint that asked for it. It
   * must not fail. On the database itself it is done at once.
   */
  afterCommit(work: () => void): void
  /** A connection besides the pool, not yet made; it goes to the server that takes writes. */
  client(): pg.Client
  /** For COPY and for metrics; everything else goes through `query`. */
  readonly pool: pg.Pool
  /** Hears what is said on a channel (NOTIFY) until the database is closed; never fails: it tries again. */
  listen(channel: string, listener: Listener): void
  /** Resolves when the database answers; UNAVAILABLE when it does not within seconds. */
  ping(): Promise<void>
  /** How often another server of DATABASE_URL took over the writes. */
  failovers(): number
  /** Whether what is written is not stored although the database answers: its disk is full, or it is read-only. */
  writesFail(): boolean
  /** Waits for running statements and closes every connection; may be called twice. */
  close(): Promise<void>
}

export interface DbOptions {
  /** An external server, or several of which one takes writes; TLS and certificates as in libpq's URL parameters. */
  connectionString?: string
  /** The directory of the embedded server's unix socket. */
  socketDir?: string
  /** With socketDir: the database, the embedded server's own one by default. */
  database?: string
  /** Most connections at a time. */
  max?: number
  /** Milliseconds a statement may take on the server; 0 for no limit (backup). */
  statementTimeout?: number
  /** Epoch ms; this machine's clock if absent. */
  now?: () => number
  log: DbLog
}

/** The role and the database that the embedded server creates. */
export const EMBEDDED_USER = 'gateway'
const EMBEDDED_DATABASE = 'postgres'

const CONNECT_TIMEOUT = 5_000
const STATEMENT_TIMEOUT = 30_000
const LOCK_TIMEOUT = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT = 60_000
const PING_TIMEOUT = 2_000
/** How often it is asked whether the server still answers where another could take over, in ms. */
const PROBE_INTERVAL_MS = 3_000
/** The client gives up a little after the server should have, so that the server's clearer error arrives first. */
const CLIENT_GRACE = 5_000

/**
 * Opens the database port; connections are made when they are needed, so this never fails by itself.
 *
 * options   either connectionString or socketDir
 */
export const openDb = (options: DbOptions): Db => {
  const { log, statementTimeout = STATEMENT_TIMEOUT } = options
  const target = options.socketDir ? undefined : readDatabaseUrl(options.connectionString ?? '')
  const server = {
    ...(options.socketDir
      ? { host: options.socketDir, user: EMBEDDED_USER, database: options.database ?? EMBEDDED_DATABASE }
      : { connectionString: target?.connectionString }),
    application_name: 'gateway',
    // As the embedded server: to compile a statement takes longer than any of ours does.
    options: '-c jit=off',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  }
  const hosts = createDatabaseHosts(target?.hosts ?? [], server, log)
  const pool = new pg.Pool({
    ...server,
    Client: hosts.client,
    max: options.max ?? 10,
    idleTimeoutMillis: 60_000,
    onConnect: noticeDeath,
    ...(statementTimeout > 0 && {
      statement_timeout: statementTimeout,
      query_timeout: statementTimeout + CLIENT_GRACE,
      lock_timeout: Math.min(LOCK_TIMEOUT, statementTimeout),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    }),
  })
  const store: Store = {
    pool,
    hosts,
    health: createWriteHealth(options.now ?? Date.now),
    age: 0,
    ages: new WeakMap(),
    client: () => new hosts.client(server),
  }
  // Without these two listeners a connection that the server closes ends the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  pool.on('connect', (client) => {
    store.ages.set(client, store.age)
    client.on('error', () => {})
  })
  const listening = createListening(store.client, log)
  const ping = async () => {
    const answer = { text: 'select 1', query_timeout: PING_TIMEOUT }
    await withClient(store, (client) => client.query(answer))
  }
  const watch = hosts.several
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
    transaction: (work) => withClient(store, (client) => transact(client, store, work)),
    afterCommit: (work) => work(),
    ping,
    failovers: hosts.failovers,
    writesFail: () => store.health.failing(),
    listen: listening.add,
    close: () => (closing ??= close()),
  }
}

/**
 * Has the server look whether we are still there while it works: else a statement of a gateway that was killed goes on to its end, a
 * migration for hours, and holds its locks. A server whose system cannot tell says so, and then it does.
 */
const noticeDeath = async (client: pg.ClientBase): Promise<void> => {
  try {
    await client.query(`set client_connection_check_interval = '2s'`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

/** The connections to a server, and whether it stores what is written. */
interface Store {
  pool: pg.Pool
  hosts: DatabaseHosts
  health: WriteHealth
  /** Grows when the server may be another one; connections made before are not used again. */
  age: number
  /** The age in which a connection was made. */
  ages: WeakMap<pg.ClientBase, number>
  client: () => pg.Client
}

/** Lends a connection. A broken one is dropped; one that only saw a refused statement goes back to the pool. */
const withClient = async <T>(store: Store, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  let client: pg.PoolClient | undefined
  let broken = false
  try {
    client = await lend(store)
    return await work(client)
  } catch (error) {
    broken = isConnectionLost(error) || isConnectionLost((error as { cause?: unknown } | undefined)?.cause)
    store.health.failed(error)
    noteFailure(store, error, client)
    throw toGatewayError(error)
  } finally {
    client?.release(broken || isOld(store, client))
  }
}

const isOld = ({ ages, age }: Store, client: pg.ClientBase): boolean => (ages.get(client) ?? age) < age

/** A connection from the pool to the server that takes writes; those to a server that no longer does are dropped. */
const lend = async (store: Store): Promise<pg.PoolClient> => {
  for (;;) {
    const client = await store.pool.connect()
    if (!isOld(store, client)) return client
    client.release(true)
  }
}

/** After a fail-over no connection from before is used again, and the next one goes where writes are taken. */
const noteFailure = (store: Store, error: unknown, client: pg.ClientBase | undefined): void => {
  const cause = error instanceof GatewayError ? error.cause : error
  if (isServerLeft(cause)) {
    store.hosts.suspect()
    // One alarm for all connections of an age: others that fail later were made before it, too.
    if (client && !isOld(store, client)) store.age += 1
  } else if (cause instanceof Error && isLocalTimeout(cause)) void store.hosts.look()
}

const run = async <R extends object>(
  client: pg.ClientBase,
  { health }: Store,
  query: Sql | NamedQuery,
): Promise<R[]> => {
  const { text, values } = query
  const config = 'name' in query ? { name: query.name, text, values } : { text, values }
  const { rows } = await client.query<R>(config)
  health.succeeded(text)
  return rows
}

const transact = async <T>(client: pg.PoolClient, store: Store, work: (tx: Db) => Promise<T>): Promise<T> => {
  await client.query('begin')
  const tx = openTransaction(client, store, 1)
  let result: T
  try {
    result = await work(tx.db)
    tx.end()
    // A statement failed and its error was swallowed: the server answers "commit" with a rollback.
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw new Error('The transaction had failed and was rolled back')
  } catch (error) {
    tx.end()
    await client.query('rollback').catch(() => client.end().catch(() => {}))
    throw error
  }
  for (const then of tx.afterwards) then()
  return result
}

/** One level of a transaction: depth 1 is the transaction itself, deeper ones are savepoints. */
const openTransaction = (client: pg.PoolClient, store: Store, depth: number) => {
  let over = false
  const afterwards: (() => void)[] = []
  const open = () => {
    if (over) throw new Error('This transaction is over')
  }
  const inside = async <T>(work: () => Promise<T>): Promise<T> => {
    open()
    try {
      return await work()
    } catch (error) {
      throw toGatewayError(error)
    }
  }
  const db: Db = {
    pool: store.pool,
    client: store.client,
    failovers: store.hosts.failovers,
    query: (query) => inside(() => run(client, store, query)),
    transaction: (work) =>
      inside(async () => {
        const { result, afterwards: of } = await savepoint(client, store, depth, work)
        afterwards.push(...of)
        return result
      }),
    afterCommit(work) {
      open()
      afterwards.push(work)
    },
    listen() {
      throw new Error('A transaction cannot listen')
    },
    ping: () => inside(async () => void (await client.query('select 1'))),
    writesFail: () => store.health.failing(),
    close: () => Promise.reject(new Error('A transaction cannot close the database')),
  }
  return { db, afterwards, end: () => void (over = true) }
}

const savepoint = async <T>(
  client: pg.PoolClient,
  store: Store,
  depth: number,
  work: (tx: Db) => Promise<T>,
): Promise<{ result: T; afterwards: readonly (() => void)[] }> => {
  const name = `level_${depth}`
  await client.query(`savepoint ${name}`)
  const tx = openTransaction(client, store, depth + 1)
  try {
    const result = await work(tx.db)
    tx.end()
    await client.query(`release savepoint ${name}`)
    return { result, afterwards: tx.afterwards }
  } catch (error) {
    tx.end()
    await client.query(`rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {})
    throw error
  }
}
