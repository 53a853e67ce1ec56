import { type Db, sql } from '../../kernel/db.ts'

/** Number of devices per step. */
const DEVICES = 200
/** Number of rows per delete, so that locks are short. */
const BATCH = 1_000

/**
 * Limits the rows per device in `device_events`, for example of a door sensor with a loose contact: the latest remain.
 *
 * maxEvents     maximum number of events per device
 * returns  checks the next devices in turn and returns the number of deleted rows; a full batch if one of them has more
 */
export function createEventCap(db: Db, maxEvents: number): () => Promise<number> {
  /** Last device that was checked. */
  let last = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }

  return async () => {
    const looked = await db.query<{
      tenant: string
      uid: string
      from: number | null
      seq: number | null
    }>(sql`
      select d.tenant, d.peripheral_uid as uid, gone.timestamp as from, gone.seq
      from peripherals d left join lateral (select e.timestamp, e.seq from device_events e
        where e.tenant = d.tenant and e.peripheral_uid = d.peripheral_uid
        order by e.timestamp desc, e.seq desc offset ${maxEvents}::int limit 1) as gone on true
      where (d.tenant, d.peripheral_uid) > (${last.tenant}::uuid, ${last.uid}::text)
      order by d.tenant, d.peripheral_uid limit ${DEVICES}::int`)
    let deleted = BATCH
    for (const { tenant, uid, from, seq } of looked) {
      if (from !== null)
        deleted -= (
          await db.query(sql`delete from device_events where (tenant, peripheral_uid, timestamp, seq) in (
            select tenant, peripheral_uid, timestamp, seq from device_events
            where tenant = ${tenant} and peripheral_uid = ${uid}
              and (timestamp, seq) <= (${from}::bigint, ${seq}::bigint)
            order by timestamp, seq limit ${deleted}::int) returning 1 as one`)
        ).length
      // The rest of this device's events comes first next time.
      if (deleted === 0) return BATCH
      last = { tenant, uid }
    }
    if (looked.length < DEVICES) last = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }
    return BATCH - deleted
  }
}
