import { capabilityOf, deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import type { MeterImport } from '../../../contract/meters/import-calls.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, join, sql } from '../../kernel/db.ts'
import { MAX_POWER_KW } from '../../../contract/meters/validate-readings.ts'

/** Energy of a meter in one month, and the number of quarters of an hour for which it is known. */
export interface MeterMonth {
  meterId: number
  /** Months since year 0. */
  month: number
  kwh: number
  known: number
}

/** Maximum ratio of a month's mean power to that of the meter's highest month. */
const TIMES_ITS_LARGEST = 5
/** Minimum number of known quarters of an hour for a comparison: two days. */
const MIN_KNOWN_QUARTERS = 2 * 96
const ROUNDING = 1e-6

/**
 * Months that increase to an implausible energy, for example because Wh were read as kWh, or readings as energy used.
 *
 * maxKw   maximum mean power of a meter in a month (meter-limit.ts), kW
 * returns  with the limit in kWh, over as many quarters as are known
 */
export function implausibleMonths(
  before: readonly MeterMonth[],
  after: readonly MeterMonth[],
  mostKw: (meterId: number, month: number) => number = () => MAX_POWER_KW,
): (MeterMonth & { limit: number })[] {
  const kwOf = ({ kwh, known }: MeterMonth) => kwh / (known / 4)
  const key = ({ meterId, month }: MeterMonth) => `${meterId} ${month}`
  const [previous, largest] = [new Map<string, number>(), new Map<number, number>()]
  for (const one of before) {
    previous.set(key(one), one.kwh)
    if (one.known >= MIN_KNOWN_QUARTERS && one.kwh > 0)
      largest.set(one.meterId, Math.max(largest.get(one.meterId) ?? 0, kwOf(one)))
  }
  return after.flatMap((one) => {
    const maxKw = largest.get(one.meterId)
    const limitKw = Math.min(
      mostKw(one.meterId, one.month),
      maxKw === undefined ? Infinity : maxKw * TIMES_ITS_LARGEST,
    )
    const isGrown = one.kwh > (previous.get(key(one)) ?? 0) + ROUNDING
    return isGrown && kwOf(one) > limitKw ? [{ ...one, limit: (limitKw * one.known) / 4 }] : []
  })
}

/** Maximum number of validations if hubs keep sending readings with the same timestamps. */
const MAX_ATTEMPTS = 5
const METERS = deviceTypes.map(({ type }) => type).filter((type) => capabilityOf(type, 'meter'))

/**
 * Numbers under which the energy of a home's meters is stored, in order.
 *
 * errors  NOT_FOUND with the position of an id that is no meter of the home
 */
export async function meterNumbers(
  { db, actor }: SignedIn,
  homeId: string,
  uids: readonly string[],
): Promise<number[]> {
  const rows = await db.query<{ uid: string; meterId: number }>(sql`
    insert into meters as m (tenant, home_id, peripheral_uid)
    select p.tenant, p.home_id, w.uid from (select distinct unnest(${uids}::text[]) as uid) w
    join peripherals p on p.peripheral_uid = split_part(w.uid, '.', 1)
    where p.tenant = ${actor.tenant} and p.home_id = ${homeId}
      and (p.peripheral_type = any(${METERS}::text[]) or exists (select 1 from meters k
        where k.tenant = p.tenant and k.home_id = p.home_id and k.peripheral_uid = p.peripheral_uid))
    order by w.uid
    on conflict (tenant, home_id, peripheral_uid) do update set home_id = m.home_id
    returning peripheral_uid as uid, meter_id as "meterId"`)
  const numbers = new Map(rows.map(({ uid, meterId }) => [uid, meterId]))
  return uids.map((uid, index) => {
    const number = numbers.get(uid)
    if (number === undefined)
      throw new GatewayError('NOT_FOUND', `Meter ${uid} does not exist`, { [`Meters.${index}`]: 'notFound' })
    return number
  })
}

/**
 * Sets the verdict of draft rows that add nothing: a fault, `same` or `conflict`. New rows keep a null verdict, as writing to all of
 * them would take longer than the rest. A repeated row is `same` if its value is equal. An interval conflicts with readings in its
 * time and with earlier corrections.
 */
export async function validateImportRows(db: Db, { MeterImportID, Kind }: MeterImport): Promise<void> {
  const rows = sql`meter_import_rows where meter_import_id = ${MeterImportID} and verdict is null`
  // Just-added rows have no statistics: the planner would expect one or two and choose a nested loop.
  await db.query(sql`set local enable_nestloop = off`)
  if (Kind === 'counter') {
    // Known span and meters restrict the partitions that are read.
    const [span] = await db.query<{ from: number | null; through: number | null; meterIds: number[] }>(sql`
      select min(timestamp) as from, max(timestamp) as through, array_agg(distinct meter_id) as "meterIds" from ${rows}`)
    await db.query(sql`
      update meter_import_rows r set verdict = j.verdict from (
        select g.line, case
          when g.turn > 1 then case when g.value = g.first then 'same' else 'duplicate' end
          when s.accumulate_power = g.value then 'same'
          when s.accumulate_power is not null then 'conflict' end as verdict
        from (select line, meter_id, timestamp, value, row_number() over same as turn, first_value(value) over same as first
          from ${rows} window same as (partition by meter_id, timestamp order by line)) g
        left join (select meter_id, timestamp, accumulate_power from readings
          where meter_id = any(${span?.meterIds ?? []}::int[])
            and timestamp between ${span?.from ?? 0}::bigint and ${span?.through ?? 0}::bigint) s
          on s.meter_id = g.meter_id and s.timestamp = g.timestamp
      ) j where j.verdict is not null and r.meter_import_id = ${MeterImportID} and r.line = j.line`)
  } else
    await db.query(sql`
      update meter_import_rows r set verdict = j.verdict from (
        select g.line, case
          when g.turn > 1 then case when g.value = g.first and g.quarters = g.first_quarters then 'same' else 'duplicate' end
          when g.reached > g.timestamp then 'overlap'
          when exists (select 1 from meter_corrections c where c.meter_id = g.meter_id and c.undone_at is null
            and c.kind = 'interval' and c.from_timestamp = g.timestamp and c.to_timestamp = g.ends and c.kwh = g.value) then 'same'
          when exists (select 1 from meter_corrections c where c.meter_id = g.meter_id and c.undone_at is null
            and c.kind = 'interval' and c.from_timestamp < g.ends and c.to_timestamp > g.timestamp) then 'conflict'
          when exists (select 1 from readings s where s.meter_id = g.meter_id
            and s.timestamp > g.timestamp and s.timestamp <= g.ends) then 'conflict' end as verdict
        from (select *, timestamp + quarters * ${QUARTER_MS}::bigint as ends, row_number() over same as turn,
            first_value(value) over same as first, first_value(quarters) over same as first_quarters,
            max(timestamp + quarters * ${QUARTER_MS}::bigint) over (partition by meter_id order by timestamp, line
              rows between unbounded preceding and 1 preceding) as reached
          from ${rows} window same as (partition by meter_id, timestamp order by line)) g
      ) j where j.verdict is not null and r.meter_import_id = ${MeterImportID} and r.line = j.line`)
  await db.query(sql`set local enable_nestloop to default`)
}

/** Rows added per meter, for the journal and for recomputation. */
interface Added {
  meterId: number
  first: number
  last: number
  count: number
}

/**
 * Stores the new rows of a draft and marks their meters' days as changed; of the draft only these rows remain, for a later revert.
 *
 * returns  one entry per meter
 */
export async function applyImportRows(context: SignedIn, draft: MeterImport): Promise<Added[]> {
  const { db, actor, clock } = context
  const { MeterImportID, HomeID, Kind } = draft
  if (Kind === 'counter')
    // Readings that a hub has sent since validation stay, and are not part of the import.
    for (let attempt = 1; !(await addReadings(db, MeterImportID)); attempt++) {
      if (attempt >= MAX_ATTEMPTS)
        throw new GatewayError('UNAVAILABLE', 'Readings of the same moments keep coming')
      await validateImportRows(db, draft)
    }
  else
    await db.query(sql`
      insert into meter_corrections (correction_id, tenant, home_id, meter_id, kind, from_timestamp, to_timestamp, kwh, sharing,
        import_id, created_by, author_name, created_at)
      select gen_random_uuid()::text, ${actor.tenant}, ${HomeID}, r.meter_id, 'interval', r.timestamp,
        r.timestamp + r.quarters * ${QUARTER_MS}::bigint, r.value, 'even', ${MeterImportID}::text, ${actor.cognitoId},
        ${actor.name}, ${clock.now()}
      from meter_import_rows r where r.meter_import_id = ${MeterImportID} and r.verdict is null`)
  await db.query(
    sql`delete from meter_import_rows where meter_import_id = ${MeterImportID} and verdict is not null`,
  )
  return markDirty(db, MeterImportID)
}

/** Adds the new readings; false, and none is added, if one of them exists by now. */
async function addReadings(db: Db, id: string): Promise<boolean> {
  const rows = sql`meter_import_rows where meter_import_id = ${id} and verdict is null`
  const concurrentReading = new Error('A reading of the same moment came')
  try {
    return await db.transaction(async (tx) => {
      const [counted] = await tx.query<{ added: number; wanted: number }>(sql`
        with added as (
          insert into readings (meter_id, timestamp, accumulate_power)
          select meter_id, timestamp, value from ${rows} order by 1, 2 on conflict do nothing returning 1
        ) select (select count(*) from added) as added, (select count(*) from ${rows}) as wanted`)
      if (counted?.added !== counted?.wanted) throw concurrentReading
      return true
    })
  } catch (error) {
    if (error === concurrentReading) return false
    throw error
  }
}

/** Deletes what `applyImportRows` stored, regardless of later data. */
export async function revertImportRows(
  { db, actor, clock }: SignedIn,
  { MeterImportID, Kind }: MeterImport,
): Promise<void> {
  if (Kind === 'counter') {
    const ofImport = (table: 's' | 'q') => sql`r.meter_import_id = ${MeterImportID}
      and ${table === 's' ? sql`s.meter_id = r.meter_id and s.timestamp = r.timestamp` : sql`q.meter_id = r.meter_id and q.timestamp = r.timestamp`}`
    await db.query(
      sql`delete from readings s using meter_import_rows r where ${ofImport('s')} and s.accumulate_power = r.value`,
    )
    await db.query(sql`delete from quarantined_readings q using meter_import_rows r
      where ${ofImport('q')} and q.reason in ('jump', 'glitch', 'dip', 'clock')`)
  } else
    await db.query(sql`update meter_corrections set undone_at = ${clock.now()}, undone_by = ${actor.name}
      where tenant = ${actor.tenant} and import_id = ${MeterImportID}::text and undone_at is null`)
  await markDirty(db, MeterImportID)
  await db.query(sql`delete from meter_import_rows where meter_import_id = ${MeterImportID}`)
}

const markDirty = (db: Db, id: string): Promise<Added[]> =>
  db.query<Added>(sql`
    with spans as (
      select meter_id, min(timestamp) as first, max(timestamp) as last, max(timestamp + quarters * ${QUARTER_MS}::bigint) as ends,
        count(*) as count from meter_import_rows where meter_import_id = ${id} group by meter_id order by meter_id
    ), marked as (
      insert into meter_dirty (meter_id, from_timestamp, through_timestamp) select meter_id, first, ends from spans
    )
    select meter_id as "meterId", first, last, count from spans`)

/** Energy of these meters by month; a month without known energy is absent. */
export async function readMonths(db: Db, meterIds: readonly number[]): Promise<MeterMonth[]> {
  if (meterIds.length === 0) return []
  return db.query<MeterMonth>(sql`
    select meter_id as "meterId", month, kwh, measured + m.between + estimated + corrected as known from meter_months m
    where meter_id in (${join(meterIds)}) and measured + m.between + estimated + corrected > 0 order by meter_id, month`)
}
