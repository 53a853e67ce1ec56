import { numberArray } from '../../../store/array-literal.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { COUNTS, type HomeDay } from './home-days.ts'
import { parseDoubles } from './parse-arrays.ts'

/** A day of zeros, without a known interval. */
export const zeroDay = (quarters: number): HomeDay => ({
  kWh: new Float64Array(quarters),
  measured: new Int32Array(quarters),
  between: new Int32Array(quarters),
  estimated: new Int32Array(quarters),
  corrected: new Int32Array(quarters),
  resets: new Int32Array(quarters),
})

/** Adds up the rows of some meters on days with the same number of intervals. */
export async function sumDays(
  tx: Db,
  ids: readonly number[],
  days: readonly number[],
  quarters: number,
  found: Map<number, HomeDay>,
): Promise<void> {
  // A row that ends before its day does contains all energy of the day.
  const sums = raw(
    Array.from({ length: quarters }, (_, i) => `sum(coalesce(d.cumulative[${i + 1}], d.kwh))`).join(', '),
  )
  const from = sql`from meter_days d where d.meter_id = any(${numberArray(ids)}::int[])
    and d.day between ${days[0]}::int and ${days.at(-1)}::int and d.day = any(${days as number[]}::int[])`
  const rows = await tx.query<{ day: number; kWh: Buffer }>(
    sql`select d.day, array_send(array[${sums}]) as "kWh" ${from} group by 1`,
  )
  const qualities = await tx.query<{ day: number; quality: string; resets: number[]; count: number }>(sql`
    select d.day, d.quality, d.reset_quarters as resets, count(*) as count ${from} group by 1, 2, 3`)
  for (const { day, kWh } of rows) found.set(day, { ...zeroDay(quarters), kWh: parseDoubles(kWh) })
  for (const { day, quality, resets, count } of qualities) {
    const one = found.get(day) as HomeDay
    for (const at of resets) (one.resets[at] as number) += count
    for (let i = 0; i < quality.length; i++) {
      const name = LETTERS[quality[i] as string]
      if (name) (one[name][i] as number) += count
    }
  }
  for (const { day } of rows) {
    const one = found.get(day) as HomeDay
    for (const name of COUNTS) one[name] = runningSum(one[name])
  }
}

const LETTERS: Record<string, 'measured' | 'between' | 'estimated' | 'corrected'> = {
  m: 'measured',
  b: 'between',
  e: 'estimated',
  c: 'corrected',
}

/** Running sums of counts; an empty array if all are zero. */
export function runningSum(counts: Int32Array): Int32Array {
  let sum = 0
  const sums = counts.map((count) => (sum += count))
  return sum === 0 ? new Int32Array(0) : sums
}
