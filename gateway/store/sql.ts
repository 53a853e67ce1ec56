import type { z } from 'zod'
import { type Sql, join, raw, sql, type Db } from '../kernel/db.ts'

/**
 * SQL name of a wire name: `PeripheralUID` → `peripheral_uid`, `HomeID` → `home_id`, `UserIDs` → `user_ids`; the unit kWh is one word
 * (`HourlykWh` → `hourly_kwh`).
 */
export const toSnakeCase = (name: string): string =>
  name
    .replace(/kWh/g, 'Kwh')
    .replace(/([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()

/**
 * Select list of a record, each column under its wire name: `home_id as "HomeID", room_id as "RoomID"`.
 *
 * schema    zod record; pick or omit to exclude columns
 * table     alias of the table if the statement joins
 */
export const columnsOf = (schema: z.ZodObject, table?: string): Sql =>
  raw(
    Object.keys(schema.shape)
      .map((key) => `${table ? `${table}.` : ''}${toSnakeCase(key)} as "${key}"`)
      .join(', '),
  )

/**
 * Assignments of an update, one per wire name: `room_id = $1, room_name = $2`; objects become jsonb.
 *
 * errors  if there is nothing to assign
 */
export const assignmentsOf = (values: Readonly<Record<string, unknown>>): Sql =>
  join(Object.entries(values).map(([name, value]) => sql`${raw(toSnakeCase(name))} = ${value}`))

/**
 * Condition that a column's home is among those at which a caller has an access.
 *
 * homes  of `Context.homes`; null means all
 */
export const inHomes = (homes: readonly string[] | null, column: Sql): Sql =>
  homes === null ? sql`true` : sql`${column} = any(${[...homes]}::text[])`

/**
 * Builds PostgreSQL array literals for the hot path: a whole column as one string, which the driver passes unchanged instead of quoting
 * each value. JSON uses the same quotes, escapes and nulls as an array literal.
 */
const literal = (values: readonly unknown[]): string => `{${JSON.stringify(values).slice(1, -1)}}`

/** Array literal of ids, which need no escaping; null is NULL. */
export const idArray = (ids: readonly (string | null)[]): string => literal(ids)

/** Array literal of finite numbers; undefined is NULL. */
export const numberArray = (numbers: readonly (number | undefined)[]): string => literal(numbers)

/** Rows per part, which are read within one or two milliseconds. */
const CHUNK_ROWS = 10_000

/**
 * Reads many rows of numbers as columns: faster than row by row, and yields the thread between parts.
 *
 * names  columns of the statement to read
 * rows   statement that returns them in order
 */
export async function readColumns<T extends Record<string, number | null>>(
  db: Db,
  names: readonly (keyof T & string)[],
  rows: Sql,
): Promise<{ [K in keyof T]: T[K][] }> {
  const columns = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
    [K in keyof T]: T[K][]
  }
  const asText = names.map((name) => sql`json_agg(${raw(name)} order by place)::text as ${raw(name)}`)
  const chunks = await db.query<Record<string, string>>(sql`
    select ${join(asText)} from (select *, row_number() over () - 1 as place from (${rows}) as given) as numbered
    group by place / ${CHUNK_ROWS}::int order by min(place)`)
  for (const chunk of chunks) {
    for (const name of names) {
      const values = JSON.parse(chunk[name] ?? '[]') as T[typeof name][]
      for (const value of values) columns[name].push(value)
    }
    if (chunks.length > 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return columns
}
