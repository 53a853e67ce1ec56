import { firstDayOf, monthOfDay } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { readRetentionFloors } from './energy-floors.ts'

/** Number of sorts of days: Monday to Friday, Saturday, Sunday. Most tariffs treat the days of a sort alike. */
export const DAY_SORTS = 3
/** Sort of a day; 1970-01-01 was a Thursday. */
export const daySortOf = (day: number): number => [2, 0, 0, 0, 0, 0, 1][(((day + 4) % 7) + 7) % 7] as number

/** Condition for a month `m` of a meter whose sums are missing or outdated. */
const NOT_STORED =
  raw(`not exists(select from meter_day_sums k where k.meter_id = m.meter_id and k.month = m.month
  and k.stamp = m.xmin::text::bigint and k.month_kwh = m.kwh)`)

/** Selects the months for which the sums of every meter with days are stored. */
export async function storedMonths(
  db: Db,
  ids: readonly number[],
  months: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ month: number }>(sql`
    select distinct m.month from meter_months m where m.month = any(${months as number[]}::int[])
      and m.meter_id = any(${numberArray(ids)}::int[]) and ${NOT_STORED}`)
  const others = new Set(rows.map(({ month }) => month))
  return new Set(months.filter((month) => !others.has(month)))
}

/** Number of meters whose sums of one month are computed by one statement. */
const METERS_AT_ONCE = 100
/** Days after the end of a month in which late readings still change it. */
const LATELY = 2

/** Computes missing and outdated sums of past months in batches; deletes those of months whose days have expired. */
export async function storeDaySums(db: Db, now: number, closed: () => boolean): Promise<void> {
  const lastClosedMonth = monthOfDay(Math.floor(now / 86_400_000) - LATELY)
  const { days } = await readRetentionFloors(db)
  const first = monthOfDay(Math.max(days, 0))
  await db.query(sql`delete from meter_day_sums where month < ${first}::int`)
  const months = await db.query<{ month: number }>(sql`
    select distinct m.month from meter_months m where m.month < ${lastClosedMonth}::int and m.month >= ${first}::int
      and ${NOT_STORED} order by 1 desc`)
  for (const { month } of months)
    for (let after = 0; !closed();) {
      const meters = await db.query<{ id: number }>(sql`
        select m.meter_id as id from meter_months m where m.month = ${month}::int and m.meter_id > ${after}::int
          and ${NOT_STORED} order by 1 limit ${METERS_AT_ONCE}::int`)
      if (meters.length === 0) break
      const ids = meters.map(({ id }) => id)
      await makeSums(db, ids, month)
      after = ids.at(-1) as number
    }
}

// A row that ends before its day does contains all energy of the day.
const CUMULATIVE = raw(
  `array[${Array.from({ length: 96 }, (_, i) => `sum(coalesce(d.cumulative[${i + 1}], d.kwh))`).join(', ')}]`,
)

/** Replaces all sums of the meters' month in one transaction, so that they have one stamp. */
const makeSums = (db: Db, ids: readonly number[], month: number) =>
  db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('meter_day_sums'), ${month}::int)`)
    // The lock makes a transaction that deletes a month wait; it then deletes the sums as well.
    await tx.query(sql`select from meter_months where month = ${month}::int
      and meter_id = any(${numberArray(ids)}::int[]) order by meter_id for key share`)
    await tx.query(sql`
      delete from meter_day_sums where month = ${month}::int and meter_id = any(${numberArray(ids)}::int[])`)
    await tx.query(sql`
      insert into meter_day_sums (meter_id, month, sort, stamp, month_kwh, kwh, measured, between, estimated, corrected,
        missing, resets, cumulative)
      select m.meter_id, m.month, case (d.day + 4) % 7 when 0 then 2 when 6 then 1 else 0 end, m.xmin::text::bigint, m.kwh,
        sum(d.kwh), sum(d.measured), sum(d.between), sum(d.estimated), sum(d.corrected), sum(d.missing), sum(d.resets), ${CUMULATIVE}
      from meter_months m join meter_days d on d.meter_id = m.meter_id
        and d.day >= ${firstDayOf(month)}::int and d.day < ${firstDayOf(month + 1)}::int
      where m.month = ${month}::int and m.meter_id = any(${numberArray(ids)}::int[])
      group by 1, 2, 3, 4, 5`)
  })
