import { type Db, raw, sql } from '../../../kernel/db.ts'

/** Readings deleted by one statement; small enough not to block other transactions noticeably. */
const AT_ONCE = 10_000
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
