import { type Db, type Sql, sql } from '../../gateway/kernel/db.ts'

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Number of rows that a statement reads of a table and its partitions. */
export async function rowsRead(db: Db, table: string, statement: Sql): Promise<number> {
  const read = (node: Node): number => {
    const isOf = node['Relation Name'] === table || node['Relation Name']?.startsWith(`${table}_`)
    const ownRows = isOf
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0
    return (node.Plans ?? []).reduce((sum, child) => sum + read(child), ownRows)
  }
  const [row] = await db.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    sql`explain (analyze, costs off, timing off, format json) ${statement}`,
  )
  return (row?.['QUERY PLAN'] ?? []).reduce((sum, { Plan }) => sum + read(Plan), 0)
}
