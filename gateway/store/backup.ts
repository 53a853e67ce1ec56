import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { Db } from '../kernel/db.ts'
import { type BackupHeader, type BackupReader, readBackup, writeBackup } from './backup-file.ts'
import { toGatewayError } from './database-errors.ts'
import { migrate, readMigrations } from './migrate.ts'

/** Structure of a schema without the rows; names are of the current schema. */
interface Catalogue {
  tables: { name: string; columns: string[] }[]
  partitions: BackupHeader['partitions']
  sequences: string[]
}

/** Reads the applied migrations; undefined if the database has no table at all. */
const readAppliedMigrations = async (
  client: pg.ClientBase,
): Promise<BackupHeader['migrations'] | undefined> => {
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  )
  if (!rows.length) return undefined
  if (!rows.some(({ relname }) => relname === 'schema_migrations'))
    throw new Error('The database holds tables of another program')
  return (await client.query('select version, name, sha256 from schema_migrations order by version')).rows
}

/** Reads the tables with their writable columns, the partitions and the sequences. */
const readCatalogue = async (client: pg.ClientBase): Promise<Catalogue> => {
  const { rows: tables } = await client.query<Catalogue['tables'][number]>(`
    select c.relname as name, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
    ) as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migrations'
    order by c.relname`)
  const { rows: partitions } = await client.query<Catalogue['partitions'][number]>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind in ('r', 'p')
    order by c.oid`)
  const { rows: sequences } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`)
  return { tables, partitions, sequences: sequences.map(({ name }) => name) }
}

/**
 * Statements that drop and restore the foreign keys, and disable and enable the triggers, so that rows can be inserted in any order
 * without side effects; restoring a key validates it.
 */
const readConstraints = async (
  client: pg.ClientBase,
): Promise<{ dropStatements: string[]; restoreStatements: string[] }> => {
  const { rows: keys } = await client.query<{ on: string; name: string; definition: string }>(`
    select c.conrelid::regclass::text as on, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.connamespace = current_schema()::regnamespace and c.contype = 'f' and c.conparentid = 0`)
  const { rows: triggers } = await client.query<{ on: string }>(`
    select distinct t.tgrelid::regclass::text as on from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal`)
  return {
    dropStatements: [
      ...keys.map(({ on, name }) => `alter table ${on} drop constraint ${name}`),
      ...triggers.map(({ on }) => `alter table ${on} disable trigger user`),
    ],
    restoreStatements: [
      ...keys.map(({ on, name, definition }) => `alter table ${on} add constraint ${name} ${definition}`),
      ...triggers.map(({ on }) => `alter table ${on} enable trigger user`),
    ],
  }
}

export interface BackupSummary {
  schemaVersion: number
  tables: number
  rows: number
}

const quote = pg.escapeIdentifier
const columnList = (names: string[]): string => names.map(quote).join(', ')
/** Maximum digits of a row count, a length or a sequence value, with a margin. */
const MAX_DIGITS = 20

/**
 * Exports a consistent snapshot of all rows into one file; the database stays in service.
 *
 * db        opened with `statementTimeoutMs: 0`
 * errors    if the database was never migrated; an unfinished file is deleted
 */
export const exportDatabase = (db: Db, path: string): Promise<BackupSummary> =>
  inTransaction(db, 'begin isolation level repeatable read read only', async (client) => {
    const migrations = await readAppliedMigrations(client)
    if (!migrations?.length) throw new Error('There is nothing to export: the database is new')
    const { tables, partitions, sequences } = await readCatalogue(client)
    const header = { createdAt: new Date().toISOString(), migrations, partitions }
    const knownLength = JSON.stringify({ ...header, tables, sequences }).length
    const headerLength = knownLength + 256 + (tables.length + sequences.length) * (60 + 2 * MAX_DIGITS)
    const file = await writeBackup(path, headerLength)
    try {
      const written: BackupHeader['tables'] = []
      for (const { name, columns } of tables) {
        const copy = client.query(
          to(`copy (select ${columnList(columns)} from ${quote(name)}) to stdout (format binary)`),
        )
        const bytes = await file.add(copy)
        written.push({ name, columns, rows: copy.rowCount, bytes })
      }
      await file.finish({ ...header, tables: written, sequences: await readSequences(client, sequences) })
      return summary(migrations, written)
    } catch (error) {
      await file.discard()
      throw error
    }
  })

/**
 * Imports a backup into an empty database: migrates the schema to the file's version, fills it in one transaction, and migrates to the
 * newest. Writes nothing unless every byte of the file is intact.
 *
 * db        opened with `statementTimeoutMs: 0`; new, or migrated and without rows
 * dir       migrations directory
 * errors    if the file is damaged or of another or newer program, or the database has rows
 */
export const importDatabase = async (db: Db, path: string, dir: string): Promise<BackupSummary> => {
  const backup = await readBackup(path)
  const { migrations } = backup.header
  const version = versionOf(migrations)
  await assertKnownMigrations(migrations, dir)
  const isNew = await inTransaction(db, 'begin read only', (client) => assertEmpty(client, version))
  await migrate(db, dir, { to: version })
  await inTransaction(db, 'begin', async (client) => {
    const { tables, partitions } = await readCatalogue(client)
    const names = columnList(tables.map(({ name }) => name))
    await client.query(`lock table ${names} in access exclusive mode`)
    // The file includes the rows that migrations insert into a new database.
    if (isNew) await client.query(`truncate ${names}`)
    else await assertEmpty(client, version)
    await fillTables(client, backup, partitions)
  })
  const { version: schemaVersion } = await migrate(db, dir)
  await db.pool.query('analyze')
  return { ...summary(migrations, backup.header.tables), schemaVersion }
}

const fillTables = async (
  client: pg.ClientBase,
  { header, copyTable }: BackupReader,
  existing: Catalogue['partitions'],
) => {
  const { dropStatements, restoreStatements } = await readConstraints(client)
  for (const statement of dropStatements) await client.query(statement)
  for (const { name, parent, bound } of header.partitions) {
    if (existing.some((partition) => partition.name === name)) continue
    await client.query(`create table ${quote(name)} partition of ${quote(parent)} ${bound}`)
  }
  for (const table of header.tables) {
    const copy = client.query(
      from(`copy ${quote(table.name)} (${columnList(table.columns)}) from stdin (format binary)`),
    )
    await copyTable(table, copy)
    if (copy.rowCount !== table.rows)
      throw new Error(`Table ${table.name}: ${copy.rowCount} rows were read, the backup has ${table.rows}`)
  }
  for (const { name, value, called } of header.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [quote(name), value, called])
  for (const statement of restoreStatements) await client.query(statement)
}

/** Throws unless the file's migrations are the first ones of this program. */
const assertKnownMigrations = async (migrations: BackupHeader['migrations'], dir: string) => {
  const known = await readMigrations(dir)
  migrations.forEach(({ name, sha256 }, index) => {
    if (known[index]?.name !== name)
      throw new Error(`The backup has migration ${name}, which this version of the gateway does not know`)
    if (known[index].sha256 !== sha256)
      throw new Error(`The backup was made with another content of migration ${name}`)
  })
}

/**
 * Throws if the database has rows or a newer schema than the backup.
 *
 * returns   true if it has no table at all
 */
const assertEmpty = async (client: pg.ClientBase, version: number): Promise<boolean> => {
  const applied = await readAppliedMigrations(client)
  if (!applied) return true
  const databaseVersion = versionOf(applied)
  if (databaseVersion > version)
    throw new Error(
      `The database has schema version ${databaseVersion}, the backup ${version}: import into a new database, which is migrated after`,
    )
  for (const { name } of (await readCatalogue(client)).tables) {
    const { rows } = await client.query(`select 1 from ${quote(name)} limit 1`)
    if (rows.length)
      throw new Error(`The database is not empty: table ${name} has rows. Import into a new database`)
  }
  return false
}

const readSequences = async (client: pg.ClientBase, names: string[]): Promise<BackupHeader['sequences']> => {
  const sequences: BackupHeader['sequences'] = []
  for (const name of names) {
    const { rows } = await client.query(`select last_value as value, is_called as called from ${quote(name)}`)
    sequences.push({ name, ...rows[0] })
  }
  return sequences
}

const versionOf = (migrations: BackupHeader['migrations']): number => migrations.at(-1)?.version ?? 0

const summary = (migrations: BackupHeader['migrations'], tables: BackupHeader['tables']): BackupSummary => ({
  schemaVersion: versionOf(migrations),
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
})

/** Runs one transaction on one connection, without time limits; the connection is closed after an error in a COPY. */
const inTransaction = async <T>(
  db: Db,
  begin: string,
  task: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await db.pool.connect().catch((error: unknown) => {
    throw toGatewayError(error)
  })
  let hasFailed = true
  try {
    await client.query(begin)
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    const result = await task(client)
    await client.query('commit')
    hasFailed = false
    return result
  } catch (error) {
    throw toGatewayError(error)
  } finally {
    client.release(hasFailed)
  }
}
