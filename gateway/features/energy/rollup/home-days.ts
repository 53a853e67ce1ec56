import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, raw, sql } from '../../../store/db.ts'
import type { DayPlan } from '../query/day-plans.ts'
import type { Epoch } from '../query/lines.ts'
import type { Sums } from '../query/sums.ts'

/** A home by its keys. */
export interface HomeKey {
  tenant: string
  HomeID: string
}

/**
 * A day of a home as a whole. Everything runs on from the day's beginning to the end of each interval: kWh, and how many
 * intervals of its meters are known and how, and in how many a counter fell; empty where there is nothing.
 */
export interface HomeDay {
  kWh: Float64Array
  measured: Int32Array
  between: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  resets: Int32Array
}

/** What counts intervals in a day of a home. */
export const COUNTS = ['measured', 'between', 'estimated', 'corrected', 'resets'] as const

/**
 * The days of a home that are kept from a day up to another (exclusive), by day. They must have been added up before
 * (`settleHome`).
 *
 * part  of what goes through it (`partOf`)
 */
export async function readHomeDays(
  db: Db,
  { tenant, HomeID }: HomeKey,
  from: number,
  end: number,
  part = 0,
): Promise<Map<number, HomeDay>> {
  const cache = cacheOf(db)
  const keyOf = (day: number) => `${tenant}/${HomeID}/${part}/${day}`
  const known = new Map<number, KeptDay>()
  for (let day = from; day < end; day++) {
    const one = cache.get(keyOf(day))
    if (one) known.set(day, one)
  }
  // Only days that were written since are sent, and as bytes: a year of numbers in text would take longer to read than to find.
  const sent = (column: string) => raw(`case when k.day is null then array_send(d.${column}) end`)
  const rows = await db.query<
    { day: number; version: number } & Record<'kWh' | (typeof COUNTS)[number], Buffer | null>
  >(sql`
    select d.day, d.xmin::text::bigint as version, ${sent('cumulative')} as "kWh", ${sent('measured')} as measured,
      ${sent('between')} as between, ${sent('estimated')} as estimated, ${sent('corrected')} as corrected, ${sent('resets')} as resets
    from home_days d left join unnest(${numberArray([...known.keys()])}::int[],
      ${numberArray([...known.values()].map(({ version }) => version))}::bigint[]) as k (day, version)
      on k.day = d.day and k.version = d.xmin::text::bigint
    where d.tenant = ${tenant} and d.home_id = ${HomeID} and d.part = ${part}::int and d.day >= ${from}::int and d.day < ${end}::int`)
  return new Map(
    rows.map(({ day, version, kWh, measured, between, estimated, corrected, resets }) => {
      if (!kWh || !measured || !between || !estimated || !corrected || !resets)
        return [day, (known.get(day) as KeptDay).sums]
      const sums = {
        kWh: doublesOf(kWh),
        measured: integersOf(measured),
        between: integersOf(between),
        estimated: integersOf(estimated),
        corrected: integersOf(corrected),
        resets: integersOf(resets),
      }
      cache.set(keyOf(day), { version, sums })
      return [day, sums]
    }),
  )
}

/** A day as it was read: its row's number changes when it is written again. */
interface KeptDay {
  version: number
  sums: HomeDay
}

/** Days that are remembered: 1 to 2 kB each. */
const MOST_DAYS = 10_000
const caches = new WeakMap<pg.Pool, LRUCache<string, KeptDay>>()
function cacheOf({ pool }: Db): LRUCache<string, KeptDay> {
  const cache = caches.get(pool) ?? new LRUCache({ max: MOST_DAYS })
  caches.set(pool, cache)
  return cache
}

/** Five words come before the elements of an array of one dimension, three before those of an empty one. */
const HEADER = 20
/** Numbers of an array as `array_send` writes them: each after its length. */
export function doublesOf(sent: Buffer): Float64Array {
  const numbers = new Float64Array(Math.max(0, (sent.length - HEADER) / 12))
  for (let i = 0; i < numbers.length; i++) numbers[i] = sent.readDoubleBE(HEADER + i * 12 + 4)
  return numbers
}
function integersOf(sent: Buffer): Int32Array {
  const numbers = new Int32Array(Math.max(0, (sent.length - HEADER) / 8))
  for (let i = 0; i < numbers.length; i++) numbers[i] = sent.readInt32BE(HEADER + i * 8 + 4)
  return numbers
}

/** What a running sum comes to before an interval; after its end nothing more comes. */
export const sumBefore = (sums: Float64Array | Int32Array, interval: number): number =>
  interval <= 0 || sums.length === 0 ? 0 : (sums[Math.min(interval, sums.length) - 1] as number)

/** Adds up what the parts of days hold; what removed meters left out is not in it. */
export function addHomeDays(sums: Sums, plans: readonly DayPlan[], days: ReadonlyMap<number, HomeDay>): void {
  for (const { day, ended, windows } of plans) {
    const one = days.get(day)
    if (!one) continue
    for (const { slot, from, to } of windows) {
      ;(sums.kwh[slot] as number) += sumBefore(one.kWh, to) - sumBefore(one.kWh, from)
      for (const name of COUNTS)
        (sums[name][slot] as number) += sumBefore(one[name], to) - sumBefore(one[name], from)
      const begin = Math.max(from, ended)
      if (begin < to) (sums.ahead[slot] as number) += knownBefore(one, to) - knownBefore(one, begin)
    }
  }
}

/** How many intervals are known before one. */
export const knownBefore = (day: HomeDay, interval: number): number =>
  sumBefore(day.measured, interval) +
  sumBefore(day.between, interval) +
  sumBefore(day.estimated, interval) +
  sumBefore(day.corrected, interval)

/** The energy of whole months of a home, with how it is known; months without any are absent. */
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
 * The time in which a day lies as a whole; undefined where meters change their place within it: such a day is not kept.
 *
 * start, next  of the day, epoch ms
 */
export const epochOf = (epochs: readonly Epoch[], start: number, next: number): Epoch | undefined =>
  epochs.find(({ from, to }) => from <= start && next <= to)
