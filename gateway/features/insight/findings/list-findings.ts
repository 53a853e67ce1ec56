import type { findings, Finding } from '../../../../contract/findings/calls.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { type Db, join, sql, type Sql } from '../../../kernel/db.ts'
import { paginate } from '../../../store/page.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import type { ReportedFinding } from '../../../../contract/reports/calls.ts'
import { FAULT_KINDS } from '../../../../contract/findings/finding-life.ts'
import { COLUMNS, findingOf, type FindingRow, FROM } from './finding-rows.ts'

/** §ListFinding: the largest amount first. */
export const listFinding: Handler<typeof findings.listFinding> = async (input, { db, actor }) => {
  const { HomeID, Filter, Kind, Owner, FindingID } = input
  if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
  const where = join(
    [
      sql`f.tenant = ${actor.tenant}`,
      ...(HomeID === undefined ? [] : [sql`f.home_id = ${HomeID}`]),
      // A request by FindingID returns the finding in any state.
      ...(FindingID === undefined ? [stateIs(Filter)] : [sql`f.finding_id = ${FindingID}::uuid`]),
      ...(Kind === undefined ? [] : [sql`f.kind = ${Kind}`]),
      ...(Owner === undefined ? [] : [sql`f.owner is not distinct from ${Owner}::uuid`]),
    ],
    ' and ',
  )
  const page = paginate({
    by: sql`f.place`,
    cast: 'bigint',
    id: sql`f.finding_id::text`,
    descending: true,
    Cursor: input.Cursor,
    Limit: input.Limit,
  })
  const [found, [count]] = await Promise.all([
    db.query<FindingRow & { placeBy: number; placeId: string }>(
      sql`select ${COLUMNS}, ${page.place} from ${FROM} where ${where} and ${page.after} ${page.order}`,
    ),
    db.query<{ total: number }>(sql`select count(*) as total from findings f where ${where}`),
  ])
  const { Rows, NextCursor } = page.answer<FindingRow>(found)
  return { Rows: Rows.map(findingOf), NextCursor, Total: count?.total ?? 0 }
}

const stateIs = (filter: string) =>
  filter === 'current' ? sql`f.state in ('open', 'accepted', 'done')` : sql`f.state = ${filter}`

/** One finding of a home. Errors: NOT_FOUND. */
export async function findingById(
  db: Db,
  tenant: string,
  HomeID: string,
  FindingID: string,
): Promise<FindingRow> {
  const [row] = await db.query<FindingRow>(sql`select ${COLUMNS} from ${FROM}
    where f.tenant = ${tenant} and f.home_id = ${HomeID} and f.finding_id = ${FindingID}::uuid`)
  if (!row) throw new GatewayError('NOT_FOUND', `Finding ${FindingID} does not exist`)
  return row
}

type Call = typeof findings.getFindingEvidence
type Proof = ResultsOf<Call>

/** §GetFindingEvidence: as of the last detection of the finding, or of its completion. */
export const getFindingEvidence: Handler<Call> = async ({ HomeID, FindingID }, { db, actor }) => {
  const finding = findingOf(await findingById(db, actor.tenant, HomeID, FindingID))
  const [kept] = await db.query<{ evidence: Pick<Proof, 'Unit' | 'Days'>; bill: Proof['Bill'] }>(sql`
    select evidence, bill from findings where tenant = ${actor.tenant} and finding_id = ${FindingID}::uuid`)
  const claims = await db.query<{ MeterID: string; name: string | null; from: number; kWh: number[] }>(sql`
    select c.meter_id as "MeterID", p.peripheral_name as name, c.from_day as from, c.kwh as "kWh" from finding_claims c
    left join peripherals p on p.tenant = ${actor.tenant} and p.peripheral_uid = split_part(c.meter_id, '.', 1)
    where c.finding_id = ${FindingID}::uuid order by 1`)
  return {
    Finding: finding,
    Unit: kept?.evidence.Unit ?? 'kWh',
    Days: kept?.evidence.Days ?? [],
    Claims: claims.map(({ MeterID, name, from, kWh }) => ({
      MeterID,
      Name: name,
      Days: kWh.map((one, i) => ({ Date: formatDay(from + i), kWh: one })),
    })),
    Bill: kept?.bill ?? null,
  }
}

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
