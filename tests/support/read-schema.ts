import { type Db, sql } from '../../gateway/kernel/db.ts'

/** Parts of a database that the code of a release may use. */
export interface Schema {
  tables: Record<string, { columns: Record<string, string>; keys: string[] }>
  /** Signatures with parameter types. */
  functions: string[]
}

/** Reads a schema: every column with its type and whether it is required, and the unique keys. */
export async function readSchema(db: Db): Promise<Schema> {
  const columns = await db.query<{ table: string; column: string; definition: string }>(sql`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || case when a.atthasdef or a.attidentity <> '' then ' default' else '' end as definition
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and c.relname <> 'schema_migrations' order by 1, 2`)
  const keys = await db.query<{ table: string; key: string }>(sql`
    select c.relname as table, substring(pg_get_indexdef(i.indexrelid) from '\\((.*)$') as key
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique and not c.relispartition
      and c.relname <> 'schema_migrations' order by 1, 2`)
  const functions = await db.query<{ name: string }>(sql`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`)
  const tables: Schema['tables'] = {}
  for (const { table, column, definition } of columns)
    (tables[table] ??= { columns: {}, keys: [] }).columns[column] = definition
  for (const { table, key } of keys) tables[table]?.keys.push(`(${key}`)
  return { tables, functions: functions.map(({ name }) => name) }
}

/** Incompatibilities of a later schema for code written for an earlier one: missing parts and new requirements. */
export function breaksOf(released: Schema, now: Schema): string[] {
  const statements: string[] = []
  for (const [table, { columns, keys }] of Object.entries(released.tables)) {
    const after = now.tables[table]
    if (!after) {
      statements.push(`${table} is gone`)
      continue
    }
    for (const [column, definition] of Object.entries(columns)) {
      const is = after.columns[column]
      if (is === undefined) statements.push(`${table}.${column} is gone`)
      else if (normalize(is) !== normalize(definition))
        statements.push(`${table}.${column} is ${normalize(is)}, was ${normalize(definition)}`)
      else if (isRequired(is) && !isRequired(definition)) statements.push(`${table}.${column} must be given`)
    }
    for (const [column, definition] of Object.entries(after.columns))
      if (!(column in columns) && isRequired(definition)) statements.push(`${table}.${column} must be given`)
    for (const key of keys)
      if (!after.keys.includes(key)) statements.push(`${table} is not told apart by ${key}`)
    for (const key of after.keys) if (!keys.includes(key) && !keys.some((old) => isWider(key, old))) statements.push(`${table} is told apart by ${key}`) // prettier-ignore
  }
  for (const name of released.functions) if (!now.functions.includes(name)) statements.push(`${name} is gone`)
  return statements
}

/** Type without modifiers. */
const normalize = (definition: string): string => definition.replace(/ not null| default/g, '')
/** Whether an insert without the column, or with null, fails. */
const isRequired = (definition: string): boolean => definition.includes(' not null') && !definition.includes(' default') // prettier-ignore
/** Whether every row rejected by a key is also rejected by another one: it has more columns. */
const isWider = (key: string, old: string): boolean =>
  !/\bwhere\b/i.test(key) && key.startsWith(`${old.slice(0, -1)}, `)
