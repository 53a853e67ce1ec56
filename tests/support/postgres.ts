import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../gateway/kernel/db.ts'
import { type DbLog, openDb } from '../../gateway/store/db.ts'
import { startEmbedded } from '../../gateway/store/embedded.ts'
import { migrate } from '../../gateway/store/migrate.ts'
import { holdClock } from './clock.ts'
import { createUserPool } from './user-pool.ts'

/** Discards all lines. */
export const silentLog: DbLog = { info: () => {}, warn: () => {}, error: () => {} }

export const MIGRATIONS = join(import.meta.dirname, '../../gateway/store/migrations')

/** Template databases: without a table, with the product's schema, and with that and the keys of a world's user pool. */
const TEMPLATES = { empty: 'template0', schema: 'template_test', world: 'template_world' }
const SOCKET_DIR = 'TEST_POSTGRES_SOCKET_DIR'

/**
 * Temporary PostgreSQL with a migrated template database. While it runs, `createTestDb` finds it through the environment, in this process
 * and in its child processes.
 */
export const startTestPostgres = async (): Promise<{ socketDir: string; stop(): Promise<void> }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pg-test-'))
  const server = await startEmbedded({
    dataDir,
    pgBin: process.env.PG_BIN,
    isDurable: false,
    settings: { max_connections: '200', shared_buffers: '64MB', wal_level: 'minimal', max_wal_senders: '0' },
    log: silentLog,
  })
  const { socketDir } = server
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await copy(socketDir, TEMPLATES.schema, TEMPLATES.empty)
    await inDatabase(socketDir, TEMPLATES.schema, (db) => migrate(db, MIGRATIONS))
    await copy(socketDir, TEMPLATES.world, TEMPLATES.schema)
    await inDatabase(socketDir, TEMPLATES.world, (db) => createUserPool({ db, clock: holdClock() }).prepare())
  } catch (error) {
    await stop()
    throw error
  }
  process.env[SOCKET_DIR] = socketDir
  return { socketDir, stop }
}

/** Socket directory of the running test server. */
export const testSocketDir = (): string => {
  const socketDir = process.env[SOCKET_DIR]
  if (!socketDir) throw new Error('No test server: start it by tests/support/global-setup.ts')
  return socketDir
}

export interface TestDb {
  db: Db
  /** For a second pool on the same database: `openDb({ socketDir: testSocketDir(), database: name, log })`. */
  name: string
  dropDatabase(): Promise<void>
}

/**
 * Creates a new database, with the product's schema unless another template is named; takes about 25 ms.
 *
 *     const { db, drop } = await createTestDb()
 *     afterAll(drop)
 */
export const createTestDb = async ({
  template = 'schema',
  max = 5,
}: { template?: keyof typeof TEMPLATES; max?: number } = {}): Promise<TestDb> => {
  const socketDir = testSocketDir()
  const name = `test_${randomBytes(6).toString('hex')}`
  await copy(socketDir, name, TEMPLATES[template])
  const db = openDb({ socketDir, database: name, max, log: silentLog })
  return {
    db,
    name,
    dropDatabase: async () => {
      await db.close()
      await inDatabase(socketDir, undefined, (admin) =>
        admin.pool.query(`drop database ${name} with (force)`),
      )
    },
  }
}

const copy = (socketDir: string, name: string, template: string) =>
  inDatabase(socketDir, undefined, (db) =>
    db.pool.query(`create database ${name} template ${template} strategy file_copy`),
  )

const inDatabase = async <T>(
  socketDir: string,
  database: string | undefined,
  work: (db: Db) => Promise<T>,
) => {
  const db = openDb({ socketDir, database, max: 1, log: silentLog })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
