import { startOfDay } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { HomeClock } from '../meters/meters.ts'

const MINUTE = 60_000
/** A day counts from so many different hours on. */
const LEAST_HOURS = 18

/**
 * The mean temperature outdoors by day, °C: of the sensor that the home takes for it, else of its devices that say they measure it.
 *
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * returns          only days of which a device told in most hours
 */
export async function outdoorOf(
  db: Db,
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
): Promise<Map<number, number>> {
  const series = await db.query<{ id: number }>(sql`
    select s.series_id as id from sample_series s
    left join outdoor_sensors o on o.tenant = s.tenant and o.home_id = s.home_id
    where s.tenant = ${tenant} and s.home_id = ${HomeID} and case when o.field is null then s.field = 'OutdoorTemperature'
      else s.peripheral_uid = o.peripheral_uid and s.field = o.field end`)
  if (series.length === 0) return new Map()
  const days = Array.from({ length: Math.max(0, endDay - fromDay) }, (_, i) => fromDay + i)
  const starts = days.map((day) => startOfDay(day, zone) / MINUTE)
  const ends = days.map((day) => startOfDay(day + 1, zone) / MINUTE)
  const rows = await db.query<{ day: number; celsius: number }>(sql`
    select d.day, avg(t.mean) as celsius
    from unnest(${numberArray(days)}::int[], ${numberArray(starts)}::int[], ${numberArray(ends)}::int[])
      as d (day, start, stop)
    cross join unnest(${numberArray(series.map(({ id }) => id))}::int[]) as m (id)
    cross join lateral (select avg(value) as mean, count(distinct minute / 60) as hours from device_samples
      where series_id = m.id and minute >= d.start and minute < d.stop) t
    where t.hours >= ${LEAST_HOURS}::int group by 1`)
  return new Map(rows.map(({ day, celsius }) => [day, celsius]))
}
