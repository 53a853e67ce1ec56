import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commandName } from '../tools/command-name.ts'
import { type BackupSummary, exportDatabase, importDatabase } from './backup.ts'
import { openPlace, using, usualPlace } from './open-place.ts'
import { withoutGateways } from './without-gateways.ts'

const NAME = commandName('backup')
const USAGE = `Backup, restore and move of the gateway's database.

  ${NAME} export FILE [--from PLACE]         also while the gateway is running
  ${NAME} import FILE [--to PLACE]           into a new database; every gateway on it must be stopped
  ${NAME} move --from PLACE --to PLACE       embedded to external or back; every gateway must be stopped

PLACE is a URL (postgres://…) or a data directory; DATABASE_URL, DATA_DIR or .data by default.`

const MIGRATIONS = join(import.meta.dirname, 'migrations')
const say = (what: string, { rows, tables, schemaVersion }: BackupSummary) =>
  process.stdout.write(`${what}: ${rows} rows of ${tables} tables, schema version ${schemaVersion}\n`)

const restore = (place: string, file: string): Promise<BackupSummary> =>
  using(openPlace(place, { create: true }), (db) =>
    withoutGateways(db, () => importDatabase(db, file, MIGRATIONS)),
  )

const move = async (from: string, to: string) => {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-move-'))
  const file = join(dir, 'backup')
  try {
    // What is written there meanwhile would be left behind.
    await using(openPlace(from), (db) =>
      withoutGateways(db, async () => {
        await exportDatabase(db, file)
        say('Moved', await restore(to, file))
      }),
    )
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
  const usual = usualPlace()
  const { from, to } = values
  if (values.help) process.stdout.write(`${USAGE}\n`)
  else if (command === 'export' && file && !to)
    say('Exported', await using(openPlace(from ?? usual, { shared: true }), (db) => exportDatabase(db, file)))
  else if (command === 'import' && file && !from) say('Imported', await restore(to ?? usual, file))
  else if (command === 'move' && from && to && !file) await move(from, to)
  else throw new Error(USAGE)
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
