import type { findings, Finding } from '../../../../contract/findings/calls.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { type Db, join, sql, type Sql } from '../../../kernel/db.ts'
import { inHomes } from '../../../store/sql.ts'
import { paginate } from '../../../store/page.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import type { ReportedFinding } from '../../../../contract/reports/calls.ts'
import {
  BILL_KINDS,
  FAULT_KINDS,
  type FindingKind,
  TO_DO,
} from '../../../../contract/findings/finding-life.ts'
import { displayName } from '../../../../contract/kernel/text.ts'

/** Columns of a finding `f`, with the names of its place and owner. */
const COLUMNS = sql`f.finding_id as "FindingID", f.home_id as "HomeID", f.kind as "Kind",
  f.room_id as "RoomID", f.meter_id as "MeterID",
  coalesce(p.peripheral_name, case when f.meter_id is null then r.room_name end) as "PlaceName",
  f.from_day as "From", f.through_day as "Through", f.kwh as "kWh", f.amount as "Amount", f.low as "Low", f.high as "High",
  (s.saving -> 'counted' ->> f.finding_id::text)::float8 as "Counted",
  f.confidence as "Confidence", f.why as "Why", f.state as "State", f.owner as "Owner",
  case when o.cognito_id is not null then jsonb_build_object('FirstName', o.first_name, 'LastName', o.last_name,
    'nickname', o.nickname, 'Email', '') end as owner,
  f.due as "Due", f.reason as "Reason", f.until as "Until", f.done_on as "DoneOn", f.first_seen as "FirstSeen",
  f.last_seen as "LastSeen", f.verified as "Verified", f.version as "Version"`
const FROM = sql`findings f
  left join peripherals p on p.tenant = f.tenant and p.peripheral_uid = split_part(f.meter_id, '.', 1)
  left join rooms r on r.tenant = f.tenant and r.home_id = f.home_id and r.room_id = f.room_id
  left join home_savings s on s.tenant = f.tenant and s.home_id = f.home_id
  left join users o on o.tenant = f.tenant and o.cognito_id = f.owner`

type Days = 'From' | 'Through' | 'FirstSeen' | 'LastSeen'
type MaybeDays = 'Due' | 'Until' | 'DoneOn'
type Named = Parameters<typeof displayName>[0]
/** A row of COLUMNS; days as `dayOf` numbers them. */
export type FindingRow = Omit<
  Finding,
  Days | MaybeDays | 'Place' | 'Evidence' | 'ToDo' | 'OwnerName' | 'Counted'
> &
  Record<Days, number> &
  Record<MaybeDays, number | null> & {
    RoomID: number | null
    MeterID: string | null
    owner: Named | null
    Counted: number | null
  }

const dateOf = (day: number | null): string | null => (day === null ? null : formatDay(day))

/** A finding as calls return it. */
export const findingOf = ({
  RoomID,
  MeterID,
  From,
  Through,
  FirstSeen,
  LastSeen,
  owner,
  Counted,
  ...row
}: FindingRow): Finding => ({
  ...row,
  ...(Counted !== null && { Counted }),
  Place: { RoomID, MeterID },
  // The query leaves the email empty, so that it is never used as a name.
  OwnerName: (owner && displayName(owner)) || null,
  From: formatDay(From),
  Through: formatDay(Through),
  Evidence: `/insight/${row.HomeID}?finding=${row.FindingID}`,
  ToDo: [...TO_DO[row.Kind satisfies FindingKind]],
  Due: dateOf(row.Due),
  Until: dateOf(row.Until),
  DoneOn: dateOf(row.DoneOn),
  FirstSeen: formatDay(FirstSeen),
  LastSeen: formatDay(LastSeen),
})

/** §ListFinding: the largest amount first. */
export const listFinding: Handler<typeof findings.listFinding> = async (input, { db, actor, homes }) => {
  const { HomeID, Filter, Kind, Owner, FindingID } = input
  if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
  const where = join(
    [
      sql`f.tenant = ${actor.tenant}`,
      inHomes(HomeID === undefined ? homes() : [HomeID], sql`f.home_id`),
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
    isDescending: true,
    Cursor: input.Cursor,
    Limit: input.Limit,
  })
  const [found, [count]] = await Promise.all([
    db.query<FindingRow & { placeBy: number; placeId: string }>(
      sql`select ${COLUMNS}, ${page.place} from ${FROM} where ${where} and ${page.after} ${page.order}`,
    ),
    db.query<{ total: number }>(sql`select count(*) as total from findings f where ${where}`),
  ])
  const { Rows, NextCursor } = page.toPage<FindingRow>(found)
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
  const [evidence] = await db.query<{ evidence: Pick<Proof, 'Unit' | 'Days'>; bill: Proof['Bill'] }>(sql`
    select evidence, bill from findings where tenant = ${actor.tenant} and finding_id = ${FindingID}::uuid`)
  const claims = await db.query<{ MeterID: string; name: string | null; from: number; kWh: number[] }>(sql`
    select c.meter_id as "MeterID", p.peripheral_name as name, c.from_day as from, c.kwh as "kWh" from finding_claims c
    left join peripherals p on p.tenant = ${actor.tenant} and p.peripheral_uid = split_part(c.meter_id, '.', 1)
    where c.finding_id = ${FindingID}::uuid order by 1`)
  return {
    Finding: finding,
    Unit: evidence?.evidence.Unit ?? 'kWh',
    Days: evidence?.evidence.Days ?? [],
    Claims: claims.map(({ MeterID, name, from, kWh }) => ({
      MeterID,
      Name: name,
      Days: kWh.map((one, i) => ({ Date: formatDay(from + i), kWh: one })),
    })),
    Bill: evidence?.bill ?? null,
  }
}

/** The largest open findings with an amount, without low confidence and faults, in descending order. `scope` filters `f`. */
export async function readLargest(db: Db, scope: Sql, limit: number): Promise<Finding[]> {
  const rows = await db.query<FindingRow>(sql`
    select ${COLUMNS} from ${FROM} where ${scope} and f.state = 'open' and f.amount is not null and f.confidence <> 'low'
      and not f.kind = any(${[...FAULT_KINDS]}::text[])
    order by f.place desc, f.finding_id::text desc limit ${limit}::int`)
  return rows.map(findingOf)
}

/** Day on which a finding `f` began: its first bill, or else the first day with avoidable energy, at the latest the day it was found. */
const BEGAN_ON = sql`case when f.kind = any(${[...BILL_KINDS]}::text[]) then f.from_day
  else least(f.first_seen, (select min(c.from_day + n - 1) from finding_claims c
    cross join unnest(c.kwh) with ordinality as one_day (energy, n) where c.finding_id = f.finding_id and energy > 0)) end`

/**
 * The largest open findings of some homes that existed within some days, in the form that reports use.
 *
 * days  as `dayOf` numbers them, `end` exclusive
 */
export async function topFindings(
  db: Db,
  tenant: string,
  HomeIDs: readonly string[],
  { from, end }: { from: number; end: number },
  limit: number,
): Promise<ReportedFinding[]> {
  if (HomeIDs.length === 0) return []
  const found = await readLargest(
    db,
    sql`f.tenant = ${tenant} and f.home_id = any(${HomeIDs}::text[])
      and ${BEGAN_ON} < ${end}::int and f.last_seen >= ${from}::int`,
    limit,
  )
  return found.map(({ FindingID, HomeID, Kind, PlaceName, Amount }) => ({
    FindingID,
    HomeID,
    Kind,
    Place: PlaceName,
    Amount,
  }))
}
