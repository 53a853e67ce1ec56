import { type Db, sql } from '../../../kernel/db.ts'
import { dropMonths, deleteInBatches } from '../../../store/partitions.ts'

/** Samples deleted by one statement; small enough not to block other transactions noticeably. */
const AT_ONCE = 10_000
const MINUTE = 60_000

/** Deletes the samples of devices whose home was deleted. Can be interrupted at any point and run by several gateways at a time. */
export async function deleteOrphanedSamples(db: Db): Promise<void> {
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
 * Deletes expired samples: whole months by dropping their partitions, which is cheap, and older samples in batches. Samples are therefore
 * retained up to a month longer than configured.
 *
 * before  epoch ms
 */
export async function deleteOldSamples(db: Db, before: number): Promise<void> {
  const oldest = Math.floor(before / MINUTE)
  await dropMonths(db, 'device_samples', oldest)
  await deleteInBatches(
    db,
    AT_ONCE,
    sql`delete from device_samples_default where (series_id, minute) in
        (select series_id, minute from device_samples_default where minute < ${oldest}::int limit ${AT_ONCE}::int)
      returning 1`,
  )
}
