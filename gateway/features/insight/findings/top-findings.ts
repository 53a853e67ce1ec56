import type { Finding } from '../../../../contract/findings/calls.ts'
import type { ReportedFinding } from '../../../../contract/reports/calls.ts'
import { FAULT_KINDS } from '../../../../contract/findings/finding-life.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { COLUMNS, findingOf, type FindingRow, FROM } from './finding-rows.ts'

/** The largest open findings with an amount, without low confidence and faults, in descending order. `mine` filters `f`. */
export async function largestOf(db: Db, mine: Sql, most: number): Promise<Finding[]> {
  const rows = await db.query<FindingRow>(sql`
    select ${COLUMNS} from ${FROM} where ${mine} and f.state = 'open' and f.amount is not null and f.confidence <> 'low'
      and not f.kind = any(${[...FAULT_KINDS]}::text[])
    order by f.place desc, f.finding_id::text desc limit ${most}::int`)
  return rows.map(findingOf)
}

/** The largest open findings of some homes, in the form that reports use. */
export async function topFindings(
  db: Db,
  tenant: string,
  HomeIDs: readonly string[],
  most: number,
): Promise<ReportedFinding[]> {
  const found = await largestOf(db, sql`f.tenant = ${tenant} and f.home_id = any(${HomeIDs}::text[])`, most)
  return found.map(({ FindingID, HomeID, Kind, PlaceName, Amount }) => ({
    FindingID,
    HomeID,
    Kind,
    Place: PlaceName,
    Amount,
  }))
}
