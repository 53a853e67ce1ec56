/**
 * Gateway reduced to its store, to be killed: opens the given data directory, then commits one number after the other and prints each after
 * its commit. The first line is the server's process id.
 */
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { startEmbedded } from '../../../gateway/store/embedded.ts'
import { silentLog } from '../../support/postgres.ts'

const server = await startEmbedded({ dataDir: process.argv[2] ?? '', log: silentLog })
const db = openDb({ socketDir: server.socketDir, log: silentLog })
process.stdout.write(`${server.pid()}\n`)
await db.query(sql`create table if not exists acknowledged (n int primary key)`)
for (;;) {
  const [row] = await db.query<{ n: number }>(
    sql`insert into acknowledged select coalesce(max(n), 0) + 1 from acknowledged returning n`,
  )
  process.stdout.write(`${row?.n}\n`)
}
