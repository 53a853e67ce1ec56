import {
  type FindingKind,
  BILL_KINDS,
  EXPIRE_DAYS,
  FAULT_KINDS,
  type FindingState,
} from '../../../../contract/findings/finding-life.ts'
import type { Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { InsightPorts } from '../logic/ports.ts'
import { formatDay, quartersOfDay } from '../../../../contract/time/periods.ts'
import { sumOf } from '../logic/robust-statistics.ts'
import { numberArray } from '../../../store/sql.ts'
import { computeHeadline, type OpenFinding } from './headline.ts'
import { ALL_KINDS } from './kinds/all-kinds.ts'
import { type HomeSnapshot, createHomeSnapshot, claimedDays, findingKey } from './kinds/home-snapshot.ts'
import { claimedBillOf, type PricedFinding, priceFinding } from './price.ts'

interface LiveRow {
  id: string
  kind: string
  RoomID: number | null
  MeterID: string | null
  state: FindingState
  until: number | null
}

/** Days after which a completed finding no longer blocks a new one: of kinds that are not measured, and of others. */
const DONE_DAYS = 62
const MEASURED_DAYS = 120

/**
 * Stores detected findings: inserts new ones, updates known ones, ends those no longer detected. Leaves completed
 * ones as they were.
 *
 * failedKinds   kinds that could not be examined: their findings do not expire
 * returns  the open findings
 */
async function saveFindings(
  tx: Db,
  snapshot: HomeSnapshot,
  found: readonly PricedFinding[],
  failedKinds: readonly FindingKind[],
): Promise<OpenFinding[]> {
  const { tenant, home, end } = snapshot
  const day = end - 1
  // Locks the rows against concurrent changes by people.
  const live = await tx.query<LiveRow>(sql`
    select finding_id as id, kind, room_id as "RoomID", meter_id as "MeterID", state, until from findings
    where tenant = ${tenant} and home_id = ${home.HomeID} and is_live order by finding_id for no key update`)
  const known = new Map(live.map((row) => [findingKey(row.kind, row), row]))
  const open: OpenFinding[] = []
  for (const one of found) {
    const row = known.get(findingKey(one.kind, one.place))
    if (row?.state === 'done') continue
    if (!row) {
      const FindingID = await add(tx, snapshot, one)
      if (FindingID) open.push({ FindingID, found: one })
      continue
    }
    const isBack = row.state === 'dismissed' && row.until !== null && row.until <= end
    await renew(tx, snapshot, row.id, one, isBack)
    if (row.state === 'open' || isBack) open.push({ FindingID: row.id, found: one })
  }
  await tx.query(sql`
    update findings set state = 'expired', reason = null, is_live = false, version = version + 1
    where tenant = ${tenant} and home_id = ${home.HomeID} and is_live and last_seen <= ${day - EXPIRE_DAYS}::int
      and kind <> 'measure' and not kind = any(${[...failedKinds]}::text[])
      and (state in ('open', 'accepted') or state = 'dismissed' and until <= ${end}::int)`)
  await tx.query(sql`
    update findings set is_live = false
    where tenant = ${tenant} and home_id = ${home.HomeID} and is_live and state = 'done'
      and done_on <= ${day}::int - case when kind = any(${[...BILL_KINDS, ...FAULT_KINDS]}::text[]) then ${DONE_DAYS}::int
        else ${MEASURED_DAYS}::int end`)
  return open
}

const evidenceOf = ({ evidence: { unit, days } }: PricedFinding): string =>
  JSON.stringify({
    Unit: unit,
    Days: days.map(({ day, value, usual, low, high }) => ({
      Date: formatDay(day),
      Value: value,
      Usual: usual,
      Low: low,
      High: high,
    })),
  })

async function add(tx: Db, snapshot: HomeSnapshot, one: PricedFinding): Promise<string | undefined> {
  const { tenant, home, end } = snapshot
  const [row] = await tx.query<{ id: string }>(sql`
    insert into findings (tenant, home_id, kind, room_id, meter_id, from_day, through_day, kwh, amount, low, high, confidence, why,
      evidence, bill, memory, first_seen, last_seen)
    values (${tenant}, ${home.HomeID}, ${one.kind}, ${one.place.RoomID}, ${one.place.MeterID}, ${one.from}, ${one.end - 1},
      ${one.saved}, ${one.amount}, ${one.low}, ${one.high}, ${one.confidence}, ${JSON.stringify(one.why)}::jsonb,
      ${evidenceOf(one)}::jsonb, ${one.bill && JSON.stringify(one.bill)}::jsonb,
      ${one.memory ? JSON.stringify(one.memory) : null}::jsonb, ${end - 1}, ${end - 1})
    returning finding_id as id`)
  if (row) await storeClaims(tx, snapshot, row.id, one)
  return row?.id
}

async function renew(
  tx: Db,
  snapshot: HomeSnapshot,
  id: string,
  one: PricedFinding,
  isBack: boolean,
): Promise<void> {
  await tx.query(sql`
    update findings set from_day = ${one.from}, through_day = ${one.end - 1}, kwh = ${one.saved}, amount = ${one.amount},
      low = ${one.low}, high = ${one.high}, confidence = ${one.confidence}, why = ${JSON.stringify(one.why)}::jsonb,
      evidence = ${evidenceOf(one)}::jsonb, bill = ${one.bill && JSON.stringify(one.bill)}::jsonb, last_seen = ${snapshot.end - 1},
      memory = coalesce(memory, ${one.memory ? JSON.stringify(one.memory) : null}::jsonb)
    where finding_id = ${id}::uuid`)
  if (isBack)
    await tx.query(sql`
      update findings set state = 'open', reason = null, until = null, version = version + 1 where finding_id = ${id}::uuid`)
  await storeClaims(tx, snapshot, id, one)
}

async function storeClaims(
  tx: Db,
  snapshot: HomeSnapshot,
  id: string,
  { claims }: PricedFinding,
): Promise<void> {
  await tx.query(sql`delete from finding_claims where finding_id = ${id}::uuid`)
  for (const { meter, kWh } of claims) {
    let at = 0
    const byDay = claimedDays(snapshot).map((day) => {
      const length = quartersOfDay(day, snapshot.home.zone)
      return sumOf(kWh.subarray(at, (at += length)))
    })
    await tx.query(sql`
      insert into finding_claims (finding_id, meter_id, from_day, kwh)
      values (${id}::uuid, ${meter}, ${snapshot.from}, ${numberArray(byDay)}::float8[])
      on conflict (finding_id, meter_id) do nothing`)
  }
}

/** Maximum CPU time per home and day, ms; the remaining kinds are examined later. */
const MAX_CPU_MS = 20_000

interface FindOptions {
  db: Db
  log: Pick<Log, 'warn'>
  ports: InsightPorts
  now: number
  /** Kinds to look for; all by default. */
  kinds?: typeof ALL_KINDS
}

/**
 * Detects all kinds of findings in a home up to a day, and stores them with the headline. Idempotent for the same
 * days. Does nothing while another gateway examines the home.
 *
 * tx       transaction that stores the results
 * day      the last finished day, as `dayOf` numbers days
 * returns  `busy` if another gateway examines the home; `partly` if some kinds could not be examined: the home stays due
 */
export async function detectFindings(
  tx: Db,
  { db, log, ports, now, kinds = ALL_KINDS }: FindOptions,
  tenant: string,
  home: HomeClock,
  day: number,
): Promise<'done' | 'partly' | 'busy'> {
  const [lock] = await tx.query<{ taken: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('findings'), hashtext(${`${tenant}/${home.HomeID}`})) as taken`)
  if (!lock?.taken) return 'busy'
  // The connection is idle during the computation.
  await tx.query(sql`set local idle_in_transaction_session_timeout = '15min'`)
  // Later changes make the home due again.
  await tx.query(sql`delete from insight_due where tenant = ${tenant} and home_id = ${home.HomeID}`)
  const snapshot = await createHomeSnapshot({ db, ports, tenant, home, end: day + 1, now })
  const { findings, failedKinds } = await findAll(snapshot, log, kinds)
  const partly = failedKinds.length > 0
  const open = await saveFindings(tx, snapshot, findings, failedKinds)
  const headline = await computeHeadline(snapshot, open)
  await tx.query(sql`
    insert into home_savings (tenant, home_id, day, computed_at, saving, partly)
    values (${tenant}, ${home.HomeID}, ${day}, ${now}, ${JSON.stringify(headline)}::jsonb, ${partly})
    on conflict (tenant, home_id) do update set day = excluded.day, computed_at = excluded.computed_at,
      saving = excluded.saving, partly = excluded.partly`)
  if (partly)
    await tx.query(sql`
      insert into insight_due (tenant, home_id, reason) values (${tenant}, ${home.HomeID}, 'partly')`)
  return partly ? 'partly' : 'done'
}

async function findAll(
  snapshot: HomeSnapshot,
  log: Pick<Log, 'warn'>,
  kinds: typeof ALL_KINDS,
): Promise<{ findings: PricedFinding[]; failedKinds: FindingKind[] }> {
  const bill = claimedBillOf(snapshot)
  const found: PricedFinding[] = []
  const failedKinds: FindingKind[] = []
  const startedAt = process.cpuUsage()
  for (const [kind, find] of kinds) {
    const { user, system } = process.cpuUsage(startedAt)
    if ((user + system) / 1000 > MAX_CPU_MS) {
      failedKinds.push(kind)
      continue
    }
    try {
      for (const one of await find(snapshot)) {
        const priced = await priceFinding(snapshot, bill, one)
        if (priced) found.push(priced)
      }
    } catch (err) {
      // An error in one kind does not affect the others.
      log.warn({ err, kind, home: snapshot.home.HomeID }, 'finding check failed')
      failedKinds.push(kind)
    }
  }
  return { findings: found, failedKinds }
}
