import { firstDayOf, monthOfDay, DAY_MS } from '../../../../contract/time/periods.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { dropMonths, withShortLocks, deleteInBatches, monthsBefore } from '../../../store/partitions.ts'
import { rollUp } from './roll-up.ts'

/** Rows deleted by one statement; small enough not to block other transactions noticeably. */
const AT_ONCE = 10_000
/**
 * Drops whole months of expired readings after their energy was computed; the days computed from them are final from then on. The last
 * reading of each meter that counts is kept, as the next one's energy begins there.
 *
 * before  epoch ms; the month that contains it is kept
 */
export async function expireReadings(db: Db, before: number): Promise<void> {
  const floor = monthBefore(before) * DAY_MS
  await rollUp(db)
  await raiseFloor(db, 'readings', floor)
  for (const { name } of await monthsBefore(db, 'readings', floor))
    await withShortLocks(db, async (tx) => {
      await tx.query(sql`alter table readings detach partition ${raw(name)}`)
      await tx.query(sql`insert into readings select distinct on (meter_id) r.* from ${raw(name)} r
        where ${COUNTS} order by meter_id, timestamp desc on conflict do nothing`)
      await tx.query(sql`drop table ${raw(name)}`)
      // If a meter has been silent since, its last reading may have been a quarantined one that is now deleted.
      await tx.query(sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
        select meter_id, 1, 0 from meter_last where timestamp < ${floor}::bigint`)
    })
  // Determine the last reading of each meter once, not per reading: a meter may have a year of them here.
  await deleteInBatches(
    db,
    AT_ONCE,
    sql`with last as materialized (
        select r.meter_id, max(r.timestamp) as timestamp from readings_default r
        where r.timestamp < ${floor}::bigint and ${COUNTS} group by r.meter_id)
      delete from readings_default d where (d.meter_id, d.timestamp) in (
        select r.meter_id, r.timestamp from readings_default r join last on last.meter_id = r.meter_id
        where r.timestamp < last.timestamp limit ${AT_ONCE}::int) returning 1`,
  )
  await deleteInBatches(
    db,
    AT_ONCE,
    sql`delete from quarantined_readings where (meter_id, timestamp) in (
      select meter_id, timestamp from quarantined_readings where timestamp < ${floor}::bigint limit ${AT_ONCE}::int) returning 1`,
  )
}

/**
 * Drops whole months of expired 15-minute intervals; the monthly sums are always kept.
 *
 * before  epoch ms; the month that contains it is kept
 */
export async function expireDays(db: Db, before: number): Promise<void> {
  const floor = monthBefore(before)
  await rollUp(db)
  await raiseFloor(db, 'days', floor)
  await dropMonths(db, 'meter_days', floor)
  await deleteInBatches(
    db,
    AT_ONCE,
    sql`delete from meter_days_default where (meter_id, day) in (
      select meter_id, day from meter_days_default where day < ${floor}::int limit ${AT_ONCE}::int) returning 1`,
  )
  // Dropping partitions fires no triggers. Days of homes that still wait for a roll-up remain marked: a home's month is computed from its
  // meters' months.
  await db.query(sql`delete from home_days where day < ${floor}::int`)
}

/** Condition for a reading (r) that is not quarantined. */
const COUNTS = sql`not exists (select 1 from quarantined_readings q where q.meter_id = r.meter_id
  and q.timestamp = r.timestamp and q.reason in ('jump', 'glitch', 'dip', 'clock') and q.decision is distinct from 'accepted')`

/** First day of the month that contains a time, in UTC. */
const monthBefore = (before: number): number => firstDayOf(monthOfDay(Math.floor(before / DAY_MS)))

const raiseFloor = (db: Db, sort: 'readings' | 'days', floor: number) =>
  db.query(sql`insert into energy_floors as f (sort, floor) values (${sort}, ${floor})
    on conflict (sort) do update set floor = greatest(f.floor, excluded.floor)`)

/** Days deleted by one statement; their rows are large. */
const DAYS_AT_ONCE = 500

/**
 * Deletes the readings and the energy of meters whose home was deleted. Can be interrupted at any point and run by several gateways at a
 * time.
 */
export async function deleteDroppedReadings(db: Db): Promise<void> {
  for (;;) {
    const [dropped] = await db.query<{ id: number }>(sql`select meter_id as id from dropped_meters limit 1`)
    if (!dropped) return
    const deleted = await db.query(sql`
      delete from readings where meter_id = ${dropped.id} and timestamp in
        (select timestamp from readings where meter_id = ${dropped.id} order by timestamp limit ${AT_ONCE}::int)
      returning 1`)
    if (deleted.length > 0 || (await deleteRolledUp(db, dropped.id))) continue
    await db.query(sql`delete from dropped_meters where meter_id = ${dropped.id}`)
  }
}

/** Deletes a batch of the days, corrections and quarantined readings of a meter; returns whether there were any. */
async function deleteRolledUp(db: Db, meterId: number): Promise<boolean> {
  const days = await db.query(sql`
    delete from meter_days where meter_id = ${meterId} and day in
      (select day from meter_days where meter_id = ${meterId} order by day limit ${DAYS_AT_ONCE}::int)
    returning 1`)
  const corrections = await db.query(sql`
    delete from meter_corrections where correction_id in
      (select correction_id from meter_corrections where meter_id = ${meterId} limit ${AT_ONCE}::int)
    returning 1`)
  const quarantined = await db.query(sql`
    delete from quarantined_readings where meter_id = ${meterId} and timestamp in
      (select timestamp from quarantined_readings where meter_id = ${meterId} order by timestamp limit ${AT_ONCE}::int)
    returning 1`)
  if (days.length + corrections.length + quarantined.length > 0) return true
  for (const table of [
    'meter_months',
    'meter_remakes',
    'meter_dirty',
    'meter_clocks',
    'meter_last',
    'meter_day_features',
  ])
    await db.query(sql`delete from ${raw(table)} where meter_id = ${meterId}`)
  return false
}
