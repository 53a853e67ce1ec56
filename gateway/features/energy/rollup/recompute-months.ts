import { type Db, sql } from '../../../store/db.ts'
import { readRetentionFloors } from './energy-floors.ts'

/** Months of meters that are marked at a time: who asks for one of these meters computes no more of it than a month. */
const AT_ONCE = 50
const DAY = 86_400_000

/**
 * Has some months computed again that were made by older rules, the latest first; those of which no reading is kept stay as they are.
 * A month is marked dirty in the transaction that takes it, so any number of gateways may do so, and any may end at any time.
 */
export const recomputeMonths = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const { readings } = await readRetentionFloors(tx)
    // A month of a home's clock may begin and end a day before or after that of UTC.
    await tx.query(sql`
      with latest as (
        select meter_id, month from meter_remakes order by month desc, meter_id limit ${AT_ONCE}::int for update skip locked
      ), taken as (
        delete from meter_remakes r using latest l where r.meter_id = l.meter_id and r.month = l.month
        returning r.meter_id, make_date(r.month / 12, r.month % 12 + 1, 1) as first
      ), spans as (
        select meter_id, (first - date '1970-01-01' - 1) * ${DAY}::bigint as begins,
          ((first + interval '1 month')::date - date '1970-01-01' + 1) * ${DAY}::bigint as ends
        from taken
      )
      insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
      select s.meter_id, greatest(s.begins, ${readings}::bigint, r.timestamp), s.ends from spans s
      cross join lateral (select timestamp from readings where meter_id = s.meter_id order by timestamp limit 1) r
      where greatest(${readings}::bigint, r.timestamp) <= s.ends`)
  })
