import type { Db } from '../../gateway/kernel/db.ts'
import { openDb } from '../../gateway/store/db.ts'
import { socketDirOf } from '../../gateway/store/embedded.ts'
import { atEnd } from '../support/clean-up.ts'

export const SILENT = { warn: () => {}, info: () => {}, error: () => {} }

/** A second connection to the database of a running gateway. */
export function databaseOf(directory: string): Db {
  const externalUrl = process.env['DATABASE_URL']
  const place = externalUrl ? { connectionString: externalUrl } : { socketDir: socketDirOf(directory) }
  const db = openDb({ ...place, max: 1, statementTimeoutMs: 0, log: SILENT })
  atEnd(() => db.close())
  return db
}
