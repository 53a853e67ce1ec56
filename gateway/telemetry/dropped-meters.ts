import { type Db, sql } from '../store/db.ts'

/** Readings deleted by one statement: so few that nobody waits for it. */
const AT_ONCE = 10_000

/**
 * Deletes the readings of meters that went with their home. Can be stopped and started anywhere, and run by several
 * gateways at a time.
 */
export async function deleteDroppedReadings(db: Db): Promise<void> {
  for (;;) {
    const [dropped] = await db.query<{ id: number }>(sql`select meter_id as id from dropped_meters limit 1`)
    if (!dropped) return
    const deleted = await db.query(sql`
      delete from readings where meter_id = ${dropped.id} and timestamp in
        (select timestamp from readings where meter_id = ${dropped.id} order by timestamp limit ${AT_ONCE}::int)
      returning 1`)
    if (deleted.length === 0) await db.query(sql`delete from dropped_meters where meter_id = ${dropped.id}`)
  }
}
