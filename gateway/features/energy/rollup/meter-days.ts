import type { Intervals, Quality } from '../../../../contract/meters/intervals.ts'
import { firstDayOf, monthOfDay, QUARTER_MS, startOfDay, dayOf } from '../../../../contract/time/periods.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { readRetentionFloors } from './energy-floors.ts'

/** One row of meter_days. */
export interface MeterDay {
  meterId: number
  day: number
  cumulative: number[]
  quality: string
  resetQuarters: number[]
  rawCumulative: number[] | null
  rawQuality: string | null
}

/** Days of a meter, `to` exclusive. */
interface DayRange {
  meterId: number
  from: number
  to: number
}

/** Largest day number that the column can store. */
export const LAST_DAY = 2_147_483_647

/** Reads the stored days of the ranges, by meter and day. */
export function loadDays(tx: Db, ranges: readonly DayRange[]): Promise<MeterDay[]> {
  return tx.query<MeterDay>(sql`
    select d.meter_id as "meterId", d.day, d.cumulative, d.quality, d.reset_quarters as "resetQuarters",
      d.raw_cumulative as "rawCumulative", d.raw_quality as "rawQuality"
    from unnest(${numberArray(ranges.map(({ meterId }) => meterId))}::int[],
      ${numberArray(ranges.map(({ from }) => from))}::int[], ${numberArray(ranges.map(({ to }) => to))}::int[])
      as w (meter_id, "from", "to")
    join lateral (select * from meter_days d where d.meter_id = w.meter_id and d.day >= w."from" and d.day < w."to") d on true
    order by 1, 2`)
}

/** First 15-minute interval of a day and of the next one, counted from 1970. */
export const quartersIn = (day: number, zone: string): { from: number; to: number } => ({
  from: startOfDay(day, zone) / QUARTER_MS,
  to: startOfDay(day + 1, zone) / QUARTER_MS,
})

/** Copies the intervals of a stored day, without corrections, to their place; those outside of the target are ignored. */
export function unpackDay(row: MeterDay, zone: string, into: Intervals): void {
  const { from } = quartersIn(row.day, zone)
  const cumulative = row.rawCumulative ?? row.cumulative
  const quality = row.rawQuality ?? row.quality
  for (let i = 0; i < cumulative.length; i++) {
    const at = from + i - into.first
    if (at < 0 || at >= into.kwh.length) continue
    into.kwh[at] = (cumulative[i] as number) - (i === 0 ? 0 : (cumulative[i - 1] as number))
    into.quality[at] = quality[i] as Quality
  }
  for (const reset of row.resetQuarters) into.resets.push(from + reset)
}

/**
 * Row of a day, from intervals that cover all of it.
 *
 * returns  undefined if nothing of the day is known
 */
export function packDay(
  meterId: number,
  day: number,
  zone: string,
  raw: Intervals,
  corrected: Intervals,
): MeterDay | undefined {
  const { from, to } = quartersIn(day, zone)
  const part = ({ kwh, quality, first }: Intervals) => {
    const letters = quality.slice(from - first, to - first)
    const length = letters.findLastIndex((letter) => letter !== '-') + 1
    let sum = 0
    const cumulative = Array.from(kwh.subarray(from - first, from - first + length), (one) => (sum += one))
    return { cumulative, quality: letters.slice(0, length).join('') }
  }
  const now = part(corrected)
  if (now.quality === '') return undefined
  const wasCorrected = now.quality.includes('c')
  const before = wasCorrected ? part(raw) : undefined
  return {
    meterId,
    day,
    ...now,
    resetQuarters: raw.resets.filter((at) => at >= from && at < to).map((at) => at - from),
    rawCumulative: before?.cumulative ?? null,
    rawQuality: before?.quality ?? null,
  }
}

/** Intervals without any known energy. */
export const unknown = (from: number, to: number): Intervals => ({
  first: from,
  kwh: new Float64Array(to - from),
  quality: Array.from({ length: to - from }, () => '-'),
  resets: [],
})

/** Writes days, deletes days that are no longer known, and recomputes the sums of their months. */
export async function storeDays(
  tx: Db,
  days: readonly MeterDay[],
  deletedDays: readonly { meterId: number; day: number }[],
): Promise<void> {
  if (deletedDays.length > 0)
    await tx.query(sql`
      delete from meter_days d using unnest(${numberArray(deletedDays.map(({ meterId }) => meterId))}::int[],
        ${numberArray(deletedDays.map(({ day }) => day))}::int[]) as w (meter_id, day)
      where d.meter_id = w.meter_id and d.day = w.day`)
  if (days.length > 0)
    await tx.query(sql`
      insert into meter_days (meter_id, day, kwh, measured, between, estimated, corrected, missing, resets, cumulative,
        quality, reset_quarters, raw_cumulative, raw_quality)
      select meter_id, day, kwh, (length(quality) - length(replace(quality, 'm', ''))),
        (length(quality) - length(replace(quality, 'b', ''))), (length(quality) - length(replace(quality, 'e', ''))), (length(quality) - length(replace(quality, 'c', ''))),
        (length(quality) - length(translate(quality, '-q', ''))), resets, cumulative::float8[], quality, reset_quarters::smallint[],
        raw_cumulative::float8[], raw_quality
      from unnest(${numberArray(days.map(({ meterId }) => meterId))}::int[],
        ${numberArray(days.map(({ day }) => day))}::int[],
        ${numberArray(days.map(({ cumulative }) => cumulative.at(-1)))}::float8[],
        ${numberArray(days.map(({ resetQuarters }) => resetQuarters.length))}::smallint[],
        ${idArray(days.map(({ cumulative }) => numberArray(cumulative)))}::text[],
        ${idArray(days.map(({ quality }) => quality))}::text[],
        ${idArray(days.map(({ resetQuarters }) => numberArray(resetQuarters)))}::text[],
        ${days.map(({ rawCumulative }) => rawCumulative && numberArray(rawCumulative))}::text[],
        ${days.map(({ rawQuality }) => rawQuality)}::text[])
        as d (meter_id, day, kwh, resets, cumulative, quality, reset_quarters, raw_cumulative, raw_quality)
      on conflict (meter_id, day) do update set kwh = excluded.kwh, measured = excluded.measured,
        between = excluded.between, estimated = excluded.estimated, corrected = excluded.corrected, missing = excluded.missing, resets = excluded.resets,
        cumulative = excluded.cumulative, quality = excluded.quality, reset_quarters = excluded.reset_quarters,
        raw_cumulative = excluded.raw_cumulative, raw_quality = excluded.raw_quality`)
  await sumMonths(tx, [...days, ...deletedDays])
}

async function sumMonths(tx: Db, days: readonly { meterId: number; day: number }[]): Promise<void> {
  const months = new Map<string, { meterId: number; month: number }>()
  for (const { meterId, day } of days) {
    const month = monthOfDay(day)
    months.set(`${meterId}/${month}`, { meterId, month })
  }
  if (months.size === 0) return
  const touchedMonths = [...months.values()]
  await tx.query(sql`
    with touched as (
      select * from unnest(${numberArray(touchedMonths.map(({ meterId }) => meterId))}::int[],
        ${numberArray(touchedMonths.map(({ month }) => month))}::int[],
        ${numberArray(touchedMonths.map(({ month }) => firstDayOf(month)))}::int[],
        ${numberArray(touchedMonths.map(({ month }) => firstDayOf(month + 1)))}::int[]) as t (meter_id, month, first, next)
    ), sums as (
      select t.meter_id, t.month, s.* from touched t cross join lateral (
        select sum(kwh) as kwh, sum(measured) as measured, sum(d.between) as between, sum(estimated) as estimated, sum(corrected) as corrected,
          sum(missing) as missing, sum(resets) as resets
        from meter_days d where d.meter_id = t.meter_id and d.day >= t.first and d.day < t.next) s
    ), emptied as (
      delete from meter_months m using sums s where m.meter_id = s.meter_id and m.month = s.month and s.kwh is null
    )
    insert into meter_months (meter_id, month, kwh, measured, between, estimated, corrected, missing, resets)
    select meter_id, month, kwh, measured, sums.between, estimated, corrected, missing, resets from sums where kwh is not null
    on conflict (meter_id, month) do update set kwh = excluded.kwh, measured = excluded.measured,
      between = excluded.between, estimated = excluded.estimated, corrected = excluded.corrected, missing = excluded.missing, resets = excluded.resets`)
}

/** The time zone in which a meter's days should be divided, and the one in which they are. */
export interface MeterClock {
  meterId: number
  /** IANA zone of its home. */
  zone: string
  /** Null before the first day. */
  packed: string | null
}

/**
 * Divides a meter's intervals into days again after its home's time zone changed, even if the readings have expired. Also records the zone
 * for a meter's first day.
 */
export async function repack(tx: Db, { meterId, zone, packed }: MeterClock): Promise<void> {
  if (zone === packed) return
  await tx.query(sql`insert into meter_clocks (meter_id, time_zone) values (${meterId}, ${zone})
    on conflict (meter_id) do update set time_zone = excluded.time_zone`)
  if (packed === null) return
  const rows = await loadDays(tx, [{ meterId, from: -LAST_DAY, to: LAST_DAY }])
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return
  const [begin, end] = [quartersIn(first.day, packed).from, quartersIn(last.day, packed).to]
  const [firstDay, lastDay] = [dayOf(begin * QUARTER_MS, zone), dayOf(end * QUARTER_MS, zone)]
  const [from, to] = [quartersIn(firstDay, zone).from, quartersIn(lastDay, zone).to]
  const raw = unknown(from, to)
  for (const row of rows) unpackDay(row, packed, raw)
  const corrected: Intervals = { ...raw, kwh: raw.kwh.slice(), quality: raw.quality.slice() }
  for (const { day, cumulative, quality } of rows) {
    const offset = quartersIn(day, packed).from - from
    for (let i = 0; i < cumulative.length; i++)
      if (quality[i] === 'c') {
        corrected.kwh[offset + i] = (cumulative[i] as number) - (i === 0 ? 0 : (cumulative[i - 1] as number))
        corrected.quality[offset + i] = quality[i] as Quality
      }
  }
  await tx.query(sql`delete from meter_days where meter_id = ${meterId}`)
  await tx.query(
    sql`delete from meter_months where meter_id = ${meterId} and month >= ${monthOfDay(first.day)}::int`,
  )
  const days = []
  const floors = await readRetentionFloors(tx)
  for (let day = Math.max(firstDay, floors.days); day <= lastDay; day++) {
    const packedDay = packDay(meterId, day, zone, raw, corrected)
    if (packedDay) days.push(packedDay)
  }
  await storeDays(tx, days, [])
}
