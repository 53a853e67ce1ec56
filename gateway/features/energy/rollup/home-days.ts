import { type Db, sql } from '../../../kernel/db.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'
import { dayOf, firstDayOf } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import type { Meter } from '../meters/meters.ts'

/** Key of a home. */
export interface HomeKey {
  tenant: string
  HomeID: string
}

/**
 * A day of a home as a whole, as running sums from the start of the day to the end of each interval: kWh, the number of known intervals of
 * its meters by quality, and the number of intervals with a counter reset; an empty array means zeros.
 */
export interface HomeDay {
  kWh: Float64Array
  measured: Int32Array
  between: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  resets: Int32Array
}

/** Fields of a home's day that count intervals. */
export const COUNTS = ['measured', 'between', 'estimated', 'corrected', 'resets'] as const

/** Quality by its code in the stored qualities of a day. */
export const QUALITY_OF_CODE: Record<string, 'measured' | 'between' | 'estimated' | 'corrected'> = {
  m: 'measured',
  b: 'between',
  e: 'estimated',
  c: 'corrected',
}

/** Running sum before an interval; intervals after the end add nothing. */
export const sumBefore = (sums: Float64Array | Int32Array, interval: number): number =>
  interval <= 0 || sums.length === 0 ? 0 : (sums[Math.min(interval, sums.length) - 1] as number)

/** Number of known intervals before an interval. */
export const knownBefore = (day: HomeDay, interval: number): number =>
  sumBefore(day.measured, interval) +
  sumBefore(day.between, interval) +
  sumBefore(day.estimated, interval) +
  sumBefore(day.corrected, interval)

/** Energy of whole months of a home with quality counts; months without any are absent. */
export async function readHomeMonths(
  db: Db,
  { tenant, HomeID }: HomeKey,
  months: readonly number[],
  part = 0,
): Promise<(Record<'kwh' | (typeof COUNTS)[number], number> & { month: number })[]> {
  return db.query(sql`select month, kwh, measured, m.between, estimated, corrected, resets from home_months m
    where tenant = ${tenant} and home_id = ${HomeID} and part = ${part}::int and month = any(${months as number[]}::int[])`)
}

/**
 * Membership period that contains the whole day; undefined if meters change their place within it: such a day is not stored.
 *
 * start, next  start of the day and of the following one, epoch ms
 */
export const epochOf = (
  epochs: readonly MembershipPeriod[],
  start: number,
  next: number,
): MembershipPeriod | undefined => epochs.find(({ from, to }) => from <= start && next <= to)

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
