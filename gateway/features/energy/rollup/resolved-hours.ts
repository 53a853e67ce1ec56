import { HOUR_MS, QUARTERS_OF_HOUR } from '../../../domain/energy/resolved-hours.ts'
import { startOfDay } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/**
 * Number of meters that resolve each hour of some days: an hour is resolved if one of its intervals was measured, or if it contains a
 * correction of at most one hour.
 *
 * days     day numbers (`dayOf`)
 * returns  by day, one count for each hour; days without a resolved hour are absent
 */
export async function readResolvedHours(
  db: Db,
  meterIds: readonly number[],
  days: readonly number[],
  zone: string,
): Promise<Map<number, number[]>> {
  if (days.length === 0 || meterIds.length === 0) return new Map()
  const rows = await db.query<{ day: number; hour: number; meters: number }>(sql`
    with days as (
      select * from unnest(${numberArray(days)}::int[], ${numberArray(days.map((day) => startOfDay(day, zone)))}::bigint[],
        ${numberArray(days.map((day) => startOfDay(day + 1, zone)))}::bigint[]) as d (day, start, next)
    ), resolved as (
      select m.meter_id, m.day, h.hour from days d
      join meter_days m on m.meter_id = any(${numberArray(meterIds)}::int[]) and m.day = d.day
      cross join generate_series(0, (length(m.quality) - 1) / ${QUARTERS_OF_HOUR}::int) as h (hour)
      where position('m' in substr(m.quality, h.hour * ${QUARTERS_OF_HOUR}::int + 1, ${QUARTERS_OF_HOUR}::int)) > 0
      union
      select c.meter_id, d.day, h.hour::int from days d
      join meter_corrections c on c.meter_id = any(${numberArray(meterIds)}::int[]) and c.undone_at is null
        and c.from_timestamp >= d.start and c.from_timestamp < d.next
      cross join generate_series((c.from_timestamp - d.start) / ${HOUR_MS}::bigint,
        (c.to_timestamp - 1 - d.start) / ${HOUR_MS}::bigint) as h (hour)
      where c.kind = 'interval' and c.to_timestamp - c.from_timestamp <= ${HOUR_MS}::bigint
    )
    select day, hour, count(*)::int as meters from resolved group by 1, 2`)
  const found = new Map<number, number[]>()
  for (const { day, hour, meters } of rows) {
    const hours = found.get(day) ?? []
    hours[hour] = meters
    found.set(day, hours)
  }
  return found
}

/** Key of a day of a meter. */
export const dayKeyOf = (meterId: number, day: number): string => `${meterId}/${day}`

/** Hours of some days of meters that contain a correction of at most one hour, by `dayKeyOf`; days without one are absent. */
export async function readCorrectedHours(
  db: Db,
  days: readonly { meterId: number; day: number }[],
  zone: string,
): Promise<Map<string, ReadonlySet<number>>> {
  if (days.length === 0) return new Map()
  const rows = await db.query<{ meterId: number; day: number; hours: number[] }>(sql`
    select d.meter_id as "meterId", d.day, array_agg(distinct h.hour::int) as hours
    from unnest(${numberArray(days.map(({ meterId }) => meterId))}::int[], ${numberArray(days.map(({ day }) => day))}::int[],
      ${numberArray(days.map(({ day }) => startOfDay(day, zone)))}::bigint[],
      ${numberArray(days.map(({ day }) => startOfDay(day + 1, zone)))}::bigint[]) as d (meter_id, day, start, next)
    join meter_corrections c on c.meter_id = d.meter_id and c.undone_at is null and c.from_timestamp >= d.start
      and c.from_timestamp < d.next
    cross join generate_series((c.from_timestamp - d.start) / ${HOUR_MS}::bigint,
      (c.to_timestamp - 1 - d.start) / ${HOUR_MS}::bigint) as h (hour)
    where c.kind = 'interval' and c.to_timestamp - c.from_timestamp <= ${HOUR_MS}::bigint
    group by 1, 2`)
  return new Map(rows.map(({ meterId, day, hours }) => [dayKeyOf(meterId, day), new Set(hours)]))
}

/** Whether any interval of an hour was measured, by the quality letters of the day. */
export const isMeasuredHour = (quality: string, hour: number): boolean =>
  quality.slice(hour * QUARTERS_OF_HOUR, (hour + 1) * QUARTERS_OF_HOUR).includes('m')
