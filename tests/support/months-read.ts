import pg from 'pg'
import type { Db, NamedQuery, Sql } from '../../gateway/kernel/db.ts'

interface Node {
  'Relation Name'?: string
  'Actual Loops': number
  Plans?: Node[]
}

/** Database that records its statements. */
export function recordStatements(db: Db): Db & { statements: (Sql | NamedQuery)[] } {
  const statements: (Sql | NamedQuery)[] = []
  return {
    ...db,
    statements,
    query(query) {
      statements.push(query)
      return db.query(query)
    },
  }
}

/**
 * Runs a statement with the generic plan of a prepared statement and rolls it back.
 *
 * returns  the partitions of a table that it accessed, sorted
 */
export async function monthsRead(
  db: Db,
  table: string,
  { text, values }: Sql | NamedQuery,
): Promise<string[]> {
  const client = await db.pool.connect()
  try {
    await client.query('begin; set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare looked_at as ${text}`)
    const parameters = values.map(literal)
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, costs off, timing off, format json) execute looked_at${parameters.length > 0 ? `(${parameters.join(', ')})` : ''}`,
    )
    const read = new Set<string>()
    const visit = (node: Node): void => {
      const name = node['Relation Name']
      if (name?.startsWith(`${table}_`) && node['Actual Loops'] > 0) read.add(name)
      for (const each of node.Plans ?? []) visit(each)
    }
    for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) visit(Plan)
    return [...read].sort()
  } finally {
    // Prepared statements end with the connection.
    client.release(true)
  }
}

/** SQL literal whose type is inferred from its position. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value))
  const items = value.map((item) =>
    item === null || item === undefined ? 'NULL' : `"${String(item).replace(/[\\"]/g, '\\$&')}"`,
  )
  return pg.escapeLiteral(`{${items.join(',')}}`)
}
