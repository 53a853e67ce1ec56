import { existsSync, realpathSync } from 'node:fs'
import { pino } from 'pino'
import { readSecretFiles } from '../lib/settings/secret-files.ts'
import { urlWithPassword } from './database-hosts.ts'
import type { Db } from '../kernel/db.ts'
import { openDb } from './db.ts'
import { socketDirOf, startEmbedded } from './embedded.ts'
import { isOwned } from './owner-lock.ts'

/** The tool's result is on standard output; the log contains only errors. */
const log = pino({ level: 'warn' }, pino.destination(2))

/** Database opened by a tool. */
export type DatabaseLocation = { db: Db; close(): Promise<void> }

const isUrl = (place: string): boolean => /^postgres(ql)?:\/\//.test(place)

/** Opens an external server, a running embedded one if `shared`, or starts the embedded one itself. */
export const openDatabaseLocation = async (
  place: string,
  { shared = false, create = false } = {},
): Promise<DatabaseLocation> => {
  const options = { max: 2, statementTimeoutMs: 0, log }
  if (isUrl(place)) {
    const db = openDb({ connectionString: place, ...options })
    return { db, close: () => db.close() }
  }
  if (!create && !existsSync(place)) throw new Error(`There is no data directory ${place}`)
  const running = shared ? socketDirOf(realpathSync(place)) : undefined
  if (running && (await isOwned(running))) {
    const db = openDb({ socketDir: running, ...options })
    return { db, close: () => db.close() }
  }
  const server = await startEmbedded({ dataDir: place, pgBin: process.env.PG_BIN, log })
  const db = openDb({ socketDir: server.socketDir, ...options })
  const close = async () => {
    await db.close()
    await server.stop()
  }
  return { db, close }
}

/** Runs work on a database and always closes it. */
export const withDatabase = async <T>(
  place: Promise<DatabaseLocation>,
  task: (db: Db) => Promise<T>,
): Promise<T> => {
  const { db, close } = await place
  try {
    return await task(db)
  } finally {
    await close()
  }
}

/** Data location of the gateway in this directory, by the same variables. */
export function defaultLocation(): string {
  const { values, errors } = readSecretFiles(process.env)
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return urlWithPassword(values.DATABASE_URL, values.DATABASE_PASSWORD) ?? values.DATA_DIR ?? '.data'
}
