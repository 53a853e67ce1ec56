import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'

/**
 * Notes the last reading of each of these meters, quarantined ones too, and that there is none; in the transaction that takes what is
 * dirty of them. As long as the reading is there that was the last, none of an earlier month is looked at.
 */
export const recordLastReadings = (tx: Db, meterIds: readonly number[]) =>
  tx.query(sql`
    with wanted as (
      select w.meter_id, k.timestamp from unnest(${numberArray(meterIds)}::int[]) as w (meter_id)
      left join meter_last k on k.meter_id = w.meter_id
    ), found as materialized (
      select r.* from wanted w cross join lateral (
        (select * from readings where meter_id = w.meter_id and timestamp >= w.timestamp order by timestamp desc limit 1)
        union all
        (select * from readings where meter_id = w.meter_id order by timestamp desc limit 1)
        limit 1) r
    ), noted as (
      insert into meter_last as l (meter_id, timestamp, accumulate_power, power, avg_electric_current)
      select meter_id, timestamp, accumulate_power, power, avg_electric_current from found
      on conflict (meter_id) do update set timestamp = excluded.timestamp, accumulate_power = excluded.accumulate_power,
        power = excluded.power, avg_electric_current = excluded.avg_electric_current
      where (l.timestamp, l.accumulate_power, l.power, l.avg_electric_current)
        is distinct from (excluded.timestamp, excluded.accumulate_power, excluded.power, excluded.avg_electric_current)
    )
    delete from meter_last l using wanted w
    where l.meter_id = w.meter_id and not exists (select from found f where f.meter_id = w.meter_id)`)
