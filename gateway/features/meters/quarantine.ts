import { type Db, sql } from '../../kernel/db.ts'
import { numberArray } from '../../store/sql.ts'

/** Maximum number of undecided readings per meter, so that a broken hub cannot fill the disk. */
const MAX_OPEN = 1_000

/** A reported counter value that is not stored among the readings. */
interface QuarantinedReading {
  meterId: number
  /** Epoch ms. */
  timestamp: number
  kwh: number
}

/**
 * Quarantines readings for a user's decision: a second value with the same timestamp, or a value that no meter can have.
 *
 * returns  meters with a new quarantined reading
 */
export async function quarantineReading(
  db: Db,
  readings: readonly QuarantinedReading[],
  reason: 'conflict' | 'invalid',
): Promise<number[]> {
  if (readings.length === 0) return []
  const meterIds = numberArray(readings.map(({ meterId }) => meterId))
  const added = await db.query<{ meterId: number }>(sql`
    with meters as materialized (
      select meter_id, (select count(*) from (select from quarantined_readings q
        where q.meter_id = m.meter_id and q.decision is null limit ${MAX_OPEN}::int) as open) as open
      from (select distinct unnest(${meterIds}::int[]) as meter_id) as m)
    insert into quarantined_readings (meter_id, timestamp, value, reason)
    select meter_id, timestamp, value, ${reason}
    from unnest(${meterIds}::int[], ${numberArray(readings.map(({ timestamp }) => timestamp))}::bigint[],
      ${numberArray(readings.map(({ kwh }) => kwh))}::float8[]) as r (meter_id, timestamp, value)
    join meters using (meter_id) where open < ${MAX_OPEN}::int
    order by 1, 2
    on conflict do nothing returning meter_id as "meterId"`)
  return [...new Set(added.map(({ meterId }) => meterId))]
}
