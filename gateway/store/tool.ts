import { existsSync, realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { type BackupSummary, exportDatabase, importDatabase } from './backup.ts'
import { type Db, openDb } from './db.ts'
import { socketDirOf, startEmbedded } from './embedded.ts'
import { isOwned } from './owner-lock.ts'

const USAGE = `Backup, restore and move of the gateway's database.

  npm run backup -- export FILE [--from PLACE]         also while the gateway is running
  npm run backup -- import FILE [--to PLACE]           into a new database; a gateway on it must be stopped
  npm run backup -- move --from PLACE --to PLACE       embedded to external or back; the gateway must be stopped

PLACE is a URL (postgres://…) or a data directory; DATABASE_URL, DATA_DIR or .data by default.`

const MIGRATIONS = join(import.meta.dirname, 'migrations')
/** The tool's own output is its result; the log only says what went wrong. */
const log = pino({ level: 'warn' }, pino.destination(2))

type Place = { db: Db; close(): Promise<void> }

const isUrl = (place: string): boolean => /^postgres(ql)?:\/\//.test(place)

/** Opens an external server, a running embedded one if `shared` allows, or starts the embedded one itself. */
const openPlace = async (place: string, { shared = false, create = false } = {}): Promise<Place> => {
  const options = { max: 2, statementTimeout: 0, log }
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

const using = async <T>(place: Promise<Place>, work: (db: Db) => Promise<T>): Promise<T> => {
  const { db, close } = await place
  try {
    return await work(db)
  } finally {
    await close()
  }
}

const say = (what: string, { rows, tables, schemaVersion }: BackupSummary) =>
  process.stdout.write(`${what}: ${rows} rows of ${tables} tables, schema version ${schemaVersion}\n`)

const move = async (from: string, to: string) => {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-move-'))
  const file = join(dir, 'backup')
  try {
    await using(openPlace(from), (db) => exportDatabase(db, file))
    say('Moved', await using(openPlace(to, { create: true }), (db) => importDatabase(db, file, MIGRATIONS)))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const main = async () => {
  const { values, positionals } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [command, file] = positionals
  const usual = process.env.DATABASE_URL || process.env.DATA_DIR || '.data'
  const { from, to } = values
  if (values.help) process.stdout.write(`${USAGE}\n`)
  else if (command === 'export' && file && !to)
    say('Exported', await using(openPlace(from ?? usual, { shared: true }), (db) => exportDatabase(db, file)))
  else if (command === 'import' && file && !from)
    say(
      'Imported',
      await using(openPlace(to ?? usual, { create: true }), (db) => importDatabase(db, file, MIGRATIONS)),
    )
  else if (command === 'move' && from && to && !file) await move(from, to)
  else throw new Error(USAGE)
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
