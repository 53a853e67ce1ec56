import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { commandName } from '../lib/command-name.ts'
import { type BackupSummary, exportDatabase, importDatabase } from './backup.ts'
import { decryptBackup, encryptBackup, isEncryptedBackup, MIN_PASSPHRASE } from './encrypt-backup.ts'
import { openDatabaseLocation, withDatabase, defaultLocation } from './database-location.ts'
import type { Db } from '../kernel/db.ts'
import { assertNoGatewayRunning } from './advisory-locks.ts'

const NAME = commandName('backup')
const USAGE = `Backup, restore and move of the gateway's database.

  ${NAME} export FILE [--from PLACE]         also while the gateway is running
  ${NAME} import FILE [--to PLACE]           into a new database; every gateway on it must be stopped
  ${NAME} move --from PLACE --to PLACE       embedded to external or back; every gateway must be stopped

--passphrase-file PATH with export encrypts FILE, and with import reads an encrypted one.
PLACE is a URL (postgres://…) or a data directory; DATABASE_URL, DATA_DIR or .data by default.`

const MIGRATIONS = join(import.meta.dirname, 'migrations')
const printSummary = (action: string, { rows, tables, schemaVersion }: BackupSummary) =>
  process.stdout.write(`${action}: ${rows} rows of ${tables} tables, schema version ${schemaVersion}\n`)

const importInto = (place: string, file: string): Promise<BackupSummary> =>
  withDatabase(openDatabaseLocation(place, { create: true }), (db) =>
    assertNoGatewayRunning(db, () => importDatabase(db, file, MIGRATIONS)),
  )

/** Works in a private directory next to a file, where there is enough space. */
const inPrivateDirectory = async <T>(file: string, task: (path: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp(join(dirname(file), '.backup-'))
  try {
    return await task(join(dir, 'backup'))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const readPassphrase = async (path: string): Promise<string> => {
  const passphrase = (await readFile(path, 'utf8')).trim()
  if (passphrase.length < MIN_PASSPHRASE)
    throw new Error(`The passphrase in ${path} has fewer than ${MIN_PASSPHRASE} characters`)
  return passphrase
}

const exportBackup = async (db: Db, file: string, passphrase: string | undefined): Promise<BackupSummary> => {
  if (passphrase === undefined) return exportDatabase(db, file)
  return inPrivateDirectory(file, async (plain) => {
    const summary = await exportDatabase(db, plain)
    await encryptBackup(plain, file, passphrase)
    return summary
  })
}

const importBackup = async (
  place: string,
  file: string,
  passphrase: string | undefined,
): Promise<BackupSummary> => {
  const isEncrypted = await isEncryptedBackup(file)
  if (isEncrypted && passphrase === undefined)
    throw new Error(`${file} is encrypted: name the passphrase with --passphrase-file`)
  if (!isEncrypted || passphrase === undefined) return importInto(place, file)
  return inPrivateDirectory(file, async (plain) => {
    await decryptBackup(file, plain, passphrase)
    return importInto(place, plain)
  })
}

const moveDatabase = async (from: string, to: string) => {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-move-'))
  const file = join(dir, 'backup')
  try {
    // Data written there meanwhile would be lost.
    await withDatabase(openDatabaseLocation(from), (db) =>
      assertNoGatewayRunning(db, async () => {
        await exportDatabase(db, file)
        printSummary('Moved', await importInto(to, file))
      }),
    )
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const main = async () => {
  const { values, positionals } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      'passphrase-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  const [command, file] = positionals
  const defaultPlace = defaultLocation()
  const { from, to, 'passphrase-file': passphraseFile } = values
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile)
  if (values.help) process.stdout.write(`${USAGE}\n`)
  else if (command === 'export' && file && !to)
    printSummary(
      'Exported',
      await withDatabase(openDatabaseLocation(from ?? defaultPlace, { shared: true }), (db) =>
        exportBackup(db, file, passphrase),
      ),
    )
  else if (command === 'import' && file && !from)
    printSummary('Imported', await importBackup(to ?? defaultPlace, file, passphrase))
  else if (command === 'move' && from && to && !file) await moveDatabase(from, to)
  else throw new Error(USAGE)
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
