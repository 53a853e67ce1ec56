import { startOfDay } from '../../../../contract/rules/energy/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { HomeClock } from './meters.ts'

const MINUTE = 60_000
/** A day counts from so many different hours on. */
const LEAST_HOURS = 18

/**
 * The mean temperature outdoors by day, °C, of the devices of a home that measure it.
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
  const series = await db.query<{ id: number }>(sql`select series_id as id from sample_series
    where tenant = ${tenant} and home_id = ${HomeID} and field = 'OutdoorTemperature'`)
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
