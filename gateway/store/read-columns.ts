import { type Db, join, raw, type Sql, sql } from '../kernel/db.ts'

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
