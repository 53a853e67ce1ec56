import { dayOf, firstDayOf } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { Meter } from '../meters/meters.ts'

/**
 * Finds the day of each meter's first reading, before which nothing is missing; days before the month `since` are reported as its first
 * day. Most meters are older than that, so the query omits them. If no reading of a meter counts yet, or older ones wait to be rolled up,
 * its first stored reading is used.
 */
export async function firstDays(
  db: Db,
  meters: readonly Pick<Meter, 'meterId'>[],
  since: number,
  zone: string,
): Promise<Map<number, number>> {
  const ids = new Set(meters.flatMap(({ meterId }) => meterId ?? []))
  const days = new Map([...ids].map((id) => [id, firstDayOf(since)]))
  if (!ids.size) return days
  const rows = await db.query<{
    id: number
    day: number | null
    month: number | null
    stored: number | null
  }>(sql`
    select m.id, f.month, (select min(d.day) from meter_days d
      where d.meter_id = m.id and d.day between f.first and f.first + 30) as day,
      case when (f.month is null and exists (select from quarantined_readings q where q.meter_id = m.id and q.decision is null
          and q.reason in ('jump', 'glitch')))
          or exists (select from meter_dirty w where w.meter_id = m.id and w.from_timestamp <= w.through_timestamp
            and (f.month is null or w.from_timestamp < f.first * 86400000::bigint))
        then (select r.timestamp from readings r where r.meter_id = m.id order by r.timestamp limit 1) end as stored
    from unnest(${numberArray([...ids])}::int[]) as m (id)
    left join lateral (select month, make_date(month / 12, month % 12 + 1, 1) - date '1970-01-01' as first
      from meter_months t where t.meter_id = m.id order by month limit 1) f on true
    where f.month is null or f.month >= ${since}::int`)
  for (const { id, day, month, stored } of rows)
    if (month === null) {
      if (stored === null) days.delete(id)
      else days.set(id, dayOf(stored, zone))
    } else {
      const counted = day ?? firstDayOf(month)
      days.set(id, stored === null ? counted : Math.min(counted, dayOf(stored, zone)))
    }
  return days
}
