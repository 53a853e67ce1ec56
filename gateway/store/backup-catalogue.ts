import type pg from 'pg'
import type { BackupHeader } from './backup-file.ts'

/** Structure of a schema without the rows; names are of the current schema. */
export interface Catalogue {
  tables: { name: string; columns: string[] }[]
  partitions: BackupHeader['partitions']
  sequences: string[]
}

/** Reads the applied migrations; undefined if the database has no table at all. */
export const readAppliedMigrations = async (
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
export const readCatalogue = async (client: pg.ClientBase): Promise<Catalogue> => {
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
export const readConstraints = async (
  client: pg.ClientBase,
): Promise<{ lift: string[]; restore: string[] }> => {
  const { rows: keys } = await client.query<{ on: string; name: string; definition: string }>(`
    select c.conrelid::regclass::text as on, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.connamespace = current_schema()::regnamespace and c.contype = 'f' and c.conparentid = 0`)
  const { rows: triggers } = await client.query<{ on: string }>(`
    select distinct t.tgrelid::regclass::text as on from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal`)
  return {
    lift: [
      ...keys.map(({ on, name }) => `alter table ${on} drop constraint ${name}`),
      ...triggers.map(({ on }) => `alter table ${on} disable trigger user`),
    ],
    restore: [
      ...keys.map(({ on, name, definition }) => `alter table ${on} add constraint ${name} ${definition}`),
      ...triggers.map(({ on }) => `alter table ${on} enable trigger user`),
    ],
  }
}
