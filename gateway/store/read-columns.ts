import { type Db, join, raw, type Sql, sql } from './db.ts'

/** Rows of a part: so many are read within a millisecond or two. */
const PART = 10_000

/**
 * Many rows of numbers, as columns: quicker than row by row, and the thread is left to others between parts of it.
 *
 * names  the columns of the statement that are read
 * rows   a statement that answers them in order
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
  const parts = await db.query<Record<string, string>>(sql`
    select ${join(asText)} from (select *, row_number() over () - 1 as place from (${rows}) as given) as numbered
    group by place / ${PART}::int order by min(place)`)
  for (const part of parts) {
    for (const name of names) {
      const values = JSON.parse(part[name] ?? '[]') as T[typeof name][]
      for (const value of values) columns[name].push(value)
    }
    if (parts.length > 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return columns
}
