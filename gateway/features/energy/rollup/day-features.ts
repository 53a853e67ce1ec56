import { quantile } from '../../../../contract/energy/load-shape.ts'
import { FEATURE_DAYS } from '../../../domain/energy/resolved-hours.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { parseDoubles, parseFloats, parseIntegers } from './parse-arrays.ts'

/** Features of a day of a meter. */
export interface DayFeatures {
  /** Day number (`dayOf`). */
  day: number
  kWh: number
  /** Share of its intervals, 0 to 1, that were measured, corrected or lie between two readings. */
  known: number
  /** kW: the second lowest hour between 0:00 and 6:00; null if any of these hours is unknown or only part of a longer sum. */
  baseKw: number | null
  /** kW of 15 minutes: the maximum, and the 10th and 90th percentiles. */
  peakKw: number
  lowKw: number
  highKw: number
}

/** Version of the computation; incrementing it recomputes all stored features. */
const RULE = 1
/** Stamp of a day of a meter `d` and of the computation, from which its features result. */
const STAMP = sql`(d.xmin::text::bigint + (${RULE}::bigint << 32))`

/** Number of meter-days that are computed in one transaction. */
const AT_ONCE = 200
/** Retention in days: a week longer than features are read, so that an examination of an earlier day computes none again. */
const RETENTION_DAYS = FEATURE_DAYS + 7

/**
 * Features of the days of some meters; missing and outdated ones are computed first.
 *
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive
 * returns          by meter, days in order
 */
export async function ensureFeatures(
  db: Db,
  ids: readonly number[],
  fromDay: number,
  endDay: number,
): Promise<Map<number, DayFeatures[]>> {
  const stored = await readFeatures(db, ids, fromDay, endDay)
  if (stored.stale.length === 0) return stored.found
  for (let from = 0; from < stored.stale.length; from += AT_ONCE)
    await computeFeatures(db, stored.stale.slice(from, from + AT_ONCE))
  await db.query(sql`delete from meter_day_features where meter_id = any(${numberArray(ids)}::int[])
    and day < ${endDay - RETENTION_DAYS}::int`)
  // Read back what was stored, so that a later call returns the same. All other days have been read.
  const firstStaleDay = stored.stale.reduce((first, { day }) => Math.min(first, day), endDay)
  const computed = (await readFeatures(db, ids, firstStaleDay, endDay)).found
  for (const [id, days] of stored.found)
    stored.found.set(id, [...days.filter(({ day }) => day < firstStaleDay), ...(computed.get(id) ?? [])])
  return stored.found
}

/** Reads the valid stored features, and the days that lack them. */
async function readFeatures(
  db: Db,
  ids: readonly number[],
  fromDay: number,
  endDay: number,
): Promise<{ found: Map<number, DayFeatures[]>; stale: { meterId: number; day: number }[] }> {
  // For a hundred days of thousands of meters, one array per column takes a third of the time of rows.
  const sent = (column: string) => raw(`array_send(array_agg(${column}))`)
  const rows = await db.query<
    { meterId: number } & Record<
      'days' | 'current' | 'kWh' | 'known' | 'baseKw' | 'peakKw' | 'lowKw' | 'highKw',
      Buffer
    >
  >(sql`
    select meter_id as "meterId", ${sent('day')} as days, ${sent('current')} as current, ${sent('kwh')} as "kWh", ${sent('known')} as known,
      ${sent('base_kw')} as "baseKw", ${sent('peak_kw')} as "peakKw", ${sent('low_kw')} as "lowKw", ${sent('high_kw')} as "highKw"
    from (
      select d.meter_id, d.day, (f.stamp is not distinct from ${STAMP})::int as current, coalesce(f.kwh, 0) as kwh,
        coalesce(f.known, 0) as known, coalesce(f.base_kw, 'NaN') as base_kw, coalesce(f.peak_kw, 0) as peak_kw,
        coalesce(f.low_kw, 0) as low_kw, coalesce(f.high_kw, 0) as high_kw
      from meter_days d left join meter_day_features f on f.meter_id = d.meter_id and f.day = d.day
      where d.meter_id = any(${numberArray(ids)}::int[]) and d.day >= ${fromDay}::int and d.day < ${endDay}::int
      order by 1, 2) as days
    group by meter_id`)
  const stale: { meterId: number; day: number }[] = []
  const found = new Map<number, DayFeatures[]>()
  for (const { meterId, days: sentDays, current: sentCurrent, ...columns } of rows) {
    const [days, current] = [parseIntegers(sentDays), parseIntegers(sentCurrent)]
    const kWh = parseDoubles(columns.kWh)
    const [known, baseKw] = [parseFloats(columns.known), parseFloats(columns.baseKw)]
    const [peakKw, lowKw, highKw] = [columns.peakKw, columns.lowKw, columns.highKw].map(parseFloats) as Floats
    const of: DayFeatures[] = []
    for (let i = 0; i < days.length; i++) {
      const day = days[i] as number
      if (current[i] === 0) stale.push({ meterId, day })
      else
        of.push({
          day,
          kWh: kWh[i] as number,
          known: known[i] as number,
          baseKw: Number.isNaN(baseKw[i]) ? null : (baseKw[i] as number),
          peakKw: peakKw[i] as number,
          lowKw: lowKw[i] as number,
          highKw: highKw[i] as number,
        })
    }
    found.set(meterId, of)
  }
  return { found, stale }
}
type Floats = [Float32Array, Float32Array, Float32Array]

/** Computes the features of some days from their present rows; a day that was deleted in the meantime is skipped. */
const computeFeatures = (db: Db, days: readonly { meterId: number; day: number }[]): Promise<void> =>
  db.transaction(async (tx) => {
    const rows = await tx.query<{
      meterId: number
      day: number
      stamp: number
      cumulative: Buffer
      quality: string
    }>(sql`
      select d.meter_id as "meterId", d.day, ${STAMP} as stamp, array_send(d.cumulative) as cumulative, d.quality
      from unnest(${numberArray(days.map(({ meterId }) => meterId))}::int[],
        ${numberArray(days.map(({ day }) => day))}::int[]) as w (meter_id, day)
      join meter_days d on d.meter_id = w.meter_id and d.day = w.day order by 1, 2`)
    if (rows.length === 0) return
    const computed = rows.map(({ cumulative, quality, ...row }) => ({
      ...row,
      ...featuresIn(parseDoubles(cumulative), quality),
    }))
    const column = (of: (one: (typeof computed)[number]) => number) => numberArray(computed.map(of))
    await tx.query(sql`
      insert into meter_day_features (meter_id, day, kwh, known, base_kw, peak_kw, low_kw, high_kw, stamp)
      select * from unnest(${column(({ meterId }) => meterId)}::int[], ${column(({ day }) => day)}::int[],
        ${column(({ kWh }) => kWh)}::float8[], ${column(({ known }) => known)}::real[],
        ${computed.map(({ baseKw }) => baseKw)}::real[], ${column(({ peakKw }) => peakKw)}::real[],
        ${column(({ lowKw }) => lowKw)}::real[], ${column(({ highKw }) => highKw)}::real[],
        ${column(({ stamp }) => stamp)}::bigint[])
      on conflict (meter_id, day) do update set kwh = excluded.kwh, known = excluded.known, base_kw = excluded.base_kw,
        peak_kw = excluded.peak_kw, low_kw = excluded.low_kw, high_kw = excluded.high_kw, stamp = excluded.stamp`)
  })

/** Number of intervals of a day, of an hour, and of the night. */
const [DAY, HOUR, NIGHT] = [96, 4, 24]
const KNOWN_LETTERS = new Set(['m', 'b', 'c'])

/**
 * Computes the features of a day.
 *
 * cumulative  kWh from the start of the day to the end of each interval
 * quality     one quality code per interval
 */
export function featuresIn(cumulative: ArrayLike<number>, quality: string): Omit<DayFeatures, 'day'> {
  const known: number[] = []
  const hours: number[] = []
  let [hour, inHour, isMeasured] = [0, 0, false]
  for (let i = 0; i < quality.length; i++) {
    const kWh = (cumulative[i] as number) - (i > 0 ? (cumulative[i - 1] as number) : 0)
    if (KNOWN_LETTERS.has(quality[i] as string)) {
      known.push(kWh * HOUR)
      if (i < NIGHT) {
        hour += kWh
        inHour += 1
        isMeasured ||= quality[i] !== 'b'
      }
    }
    if (i < NIGHT && i % HOUR === HOUR - 1) {
      // A sum over a longer time that was distributed evenly says nothing about the night.
      if (inHour === HOUR && isMeasured) hours.push(hour)
      ;[hour, inHour, isMeasured] = [0, 0, false]
    }
  }
  return {
    kWh: quality.length ? (cumulative[quality.length - 1] as number) : 0,
    known: Math.min(1, known.length / DAY),
    baseKw: hours.length < NIGHT / HOUR ? null : (hours.toSorted((a, b) => a - b)[1] as number),
    peakKw: known.reduce((maximum, one) => Math.max(maximum, one), 0),
    lowKw: quantile(known, 0.1) ?? 0,
    highKw: quantile(known, 0.9) ?? 0,
  }
}
