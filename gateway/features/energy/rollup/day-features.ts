import { quantile } from '../../../../contract/rules/energy/load-shape.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, raw, sql } from '../../../store/db.ts'
import { doublesOf } from './sent-arrays.ts'

/** What a day of a meter was like. */
export interface DayFeatures {
  meterId: number
  /** As `dayOf` numbers days. */
  day: number
  kWh: number
  /** 0..1 of its intervals that were measured, corrected or lie between two readings. */
  known: number
  /** kW: the second lowest hour from 0 to 6; null where an hour of them is not known. */
  baseKw: number | null
  /** kW of 15 minutes: the highest, and what a tenth and nine tenths stay below. */
  peakKw: number
  lowKw: number
  highKw: number
}

const COLUMNS = raw(
  'f.kwh as "kWh", f.known, f.base_kw as "baseKw", f.peak_kw as "peakKw", f.low_kw as "lowKw", f.high_kw as "highKw"',
)
/** Days of meters that are made in one transaction. */
const AT_ONCE = 200
/** Days after which they are forgotten: nothing looks further back. */
const KEPT = 120

/**
 * The features of the days of some meters, of which those that are missing or hold no more are made first.
 *
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * returns          by meter and day, in order
 */
export async function featuresOf(
  db: Db,
  ids: readonly number[],
  fromDay: number,
  endDay: number,
): Promise<DayFeatures[]> {
  // All are read once, those that hold no more among them: there are a hundred days of thousands of meters.
  const stored = await db.query<DayFeatures & { isCurrent: boolean }>(sql`
    select d.meter_id as "meterId", d.day, ${COLUMNS}, f.stamp is not distinct from d.xmin::text::bigint as "isCurrent"
    from meter_days d left join meter_day_features f on f.meter_id = d.meter_id and f.day = d.day
    where d.meter_id = any(${numberArray(ids)}::int[]) and d.day >= ${fromDay}::int and d.day < ${endDay}::int order by 1, 2`)
  const old = stored.filter(({ isCurrent }) => !isCurrent)
  if (old.length === 0) return stored
  const made = new Map<string, DayFeatures>()
  for (let from = 0; from < old.length; from += AT_ONCE)
    for (const one of await makeSome(db, old.slice(from, from + AT_ONCE))) made.set(keyOf(one), one)
  await db.query(sql`delete from meter_day_features where meter_id = any(${numberArray(ids)}::int[])
    and day < ${endDay - KEPT}::int`)
  // A day that was removed meanwhile is not there.
  return stored.flatMap((one) => (one.isCurrent ? one : (made.get(keyOf(one)) ?? [])))
}

const keyOf = ({ meterId, day }: Pick<DayFeatures, 'meterId' | 'day'>): string => `${meterId}/${day}`

/** Makes those of some days as they are now. */
const makeSome = (db: Db, days: readonly { meterId: number; day: number }[]): Promise<DayFeatures[]> =>
  db.transaction(async (tx) => {
    const rows = await tx.query<{
      meterId: number
      day: number
      stamp: number
      cumulative: Buffer
      quality: string
    }>(sql`
      select d.meter_id as "meterId", d.day, d.xmin::text::bigint as stamp, array_send(d.cumulative) as cumulative, d.quality
      from unnest(${numberArray(days.map(({ meterId }) => meterId))}::int[],
        ${numberArray(days.map(({ day }) => day))}::int[]) as w (meter_id, day)
      join meter_days d on d.meter_id = w.meter_id and d.day = w.day order by 1, 2`)
    if (rows.length === 0) return []
    const made = rows.map(({ cumulative, quality, ...row }) => ({
      ...row,
      ...featuresIn(doublesOf(cumulative), quality),
    }))
    const column = (of: (one: (typeof made)[number]) => number) => numberArray(made.map(of))
    // As they are stored: a second look finds the same.
    return tx.query<DayFeatures>(sql`
      insert into meter_day_features as f (meter_id, day, kwh, known, base_kw, peak_kw, low_kw, high_kw, stamp)
      select * from unnest(${column(({ meterId }) => meterId)}::int[], ${column(({ day }) => day)}::int[],
        ${column(({ kWh }) => kWh)}::float8[], ${column(({ known }) => known)}::real[],
        ${made.map(({ baseKw }) => baseKw)}::real[], ${column(({ peakKw }) => peakKw)}::real[],
        ${column(({ lowKw }) => lowKw)}::real[], ${column(({ highKw }) => highKw)}::real[],
        ${column(({ stamp }) => stamp)}::bigint[])
      on conflict (meter_id, day) do update set kwh = excluded.kwh, known = excluded.known, base_kw = excluded.base_kw,
        peak_kw = excluded.peak_kw, low_kw = excluded.low_kw, high_kw = excluded.high_kw, stamp = excluded.stamp
      returning f.meter_id as "meterId", f.day, ${COLUMNS}`)
  })

/** Intervals of a plain day, of an hour, and of the night. */
const [DAY, HOUR, NIGHT] = [96, 4, 24]
const KNOWN_LETTERS = new Set(['m', 'b', 'c'])

/**
 * What a day was like.
 *
 * cumulative  kWh from the day's beginning to the end of each interval
 * quality     a letter for each
 */
export function featuresIn(
  cumulative: ArrayLike<number>,
  quality: string,
): Omit<DayFeatures, 'meterId' | 'day'> {
  const known: number[] = []
  const hours: number[] = []
  let [hour, inHour] = [0, 0]
  for (let i = 0; i < quality.length; i++) {
    const kWh = (cumulative[i] as number) - (i > 0 ? (cumulative[i - 1] as number) : 0)
    if (KNOWN_LETTERS.has(quality[i] as string)) {
      known.push(kWh * HOUR)
      if (i < NIGHT) {
        hour += kWh
        inHour += 1
      }
    }
    if (i < NIGHT && i % HOUR === HOUR - 1) {
      if (inHour === HOUR) hours.push(hour)
      ;[hour, inHour] = [0, 0]
    }
  }
  return {
    kWh: quality.length ? (cumulative[quality.length - 1] as number) : 0,
    known: Math.min(1, known.length / DAY),
    baseKw: hours.length < NIGHT / HOUR ? null : (hours.toSorted((a, b) => a - b)[1] as number),
    peakKw: known.reduce((most, one) => Math.max(most, one), 0),
    lowKw: quantile(known, 0.1) ?? 0,
    highKw: quantile(known, 0.9) ?? 0,
  }
}
