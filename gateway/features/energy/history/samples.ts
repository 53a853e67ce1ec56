import { type Db, raw, sql } from '../../../store/db.ts'

/** Samples deleted by one statement: so few that nobody waits for it. */
const AT_ONCE = 10_000
const MINUTE = 60_000

/**
 * Deletes the samples of devices whose home is gone. Can be stopped and started anywhere, and run by several gateways at
 * a time.
 */
export async function deleteDroppedSamples(db: Db): Promise<void> {
  for (;;) {
    const [dropped] = await db.query<{ id: number }>(sql`select series_id as id from dropped_series limit 1`)
    if (!dropped) return
    const deleted = await db.query(sql`
      delete from device_samples where series_id = ${dropped.id} and minute in
        (select minute from device_samples where series_id = ${dropped.id} order by minute limit ${AT_ONCE}::int)
      returning 1`)
    if (deleted.length === 0) await db.query(sql`delete from dropped_series where series_id = ${dropped.id}`)
  }
}

/**
 * Deletes samples that were kept long enough: whole months, which costs nothing however many they are, and little by
 * little what is older than the months. Samples therefore stay up to a month longer than asked.
 *
 * before  epoch ms
 */
export async function deleteOldSamples(db: Db, before: number): Promise<void> {
  const oldest = Math.floor(before / MINUTE)
  // The bound of a month's partition reads: FOR VALUES FROM (29453760) TO (29498400).
  const months = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'device_samples'::regclass
      and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\((\\d+)\\)')::bigint <= ${oldest}::bigint`)
  for (const { name } of months)
    await db.transaction(async (tx) => {
      // Dropping waits for whoever reads the table, and everybody else for it: rather another time than for long.
      await tx.query(sql`set local lock_timeout = '2s'`)
      await tx.query(sql`drop table if exists ${raw(name)}`)
    })
  for (;;) {
    const deleted = await db.query(sql`
      delete from device_samples_default where (series_id, minute) in
        (select series_id, minute from device_samples_default where minute < ${oldest}::int limit ${AT_ONCE}::int)
      returning 1`)
    if (deleted.length < AT_ONCE) return
  }
}
