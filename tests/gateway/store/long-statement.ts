/** Gateway reduced to one statement that takes a minute and holds a lock, to be killed; receives the database address. */
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { silentLog } from '../../support/postgres.ts'

const [, , socketDir = '', database = ''] = process.argv
const db = openDb({ socketDir, database, statementTimeoutMs: 0, log: silentLog })
await db.transaction((tx) => tx.query(sql`select pg_advisory_xact_lock(4711), pg_sleep(60)`))
await db.close()
