import { balanceOf, type Terms } from '../../../../contract/energy/balance.ts'
import { monthOfDay } from '../../../../contract/time/periods.ts'
import { partOf, type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql, raw } from '../../../kernel/db.ts'
import type { BalanceMembers } from '../meters/home-flows.ts'
import type { Member } from '../meters/meters.ts'
import { firstDays, COUNTS, QUALITY_OF_CODE, type HomeDay, knownBefore, sumBefore } from './home-days.ts'
import { parseDoubles } from './parse-arrays.ts'

/** A day of zeros, without a known interval. */
const zeroDay = (quarters: number): HomeDay => ({
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
      const name = QUALITY_OF_CODE[quality[i] as string]
      if (name) (one[name][i] as number) += count
    }
  }
  for (const { day } of rows) {
    const one = found.get(day) as HomeDay
    for (const name of COUNTS) one[name] = runningSum(one[name])
  }
}

/** Running sums of counts; an empty array if all are zero. */
function runningSum(counts: Int32Array): Int32Array {
  let sum = 0
  const sums = counts.map((count) => (sum += count))
  return sum === 0 ? new Int32Array(0) : sums
}

/** Days of a home by part (`partOf`) and day number. */
export type DaysByPart = Map<number, Map<number, HomeDay>>

/** Days with the same membership epoch and the same number of intervals. */
interface AlikeDays {
  days: readonly number[]
  quarters: number
  zone: string
}

/**
 * Computes the balance of a home for some days. A 15-minute interval of a term is known if it is known for every meter that had begun and
 * was not removed yet; consumption is known only where every term is.
 *
 * returns  every part; days without any known interval are absent
 */
export async function balanceDays(
  tx: Db,
  { terms, loads }: BalanceMembers,
  alike: AlikeDays,
): Promise<DaysByPart> {
  const parts: DaysByPart = new Map()
  const counted = new Map<Term | 'loads', Counted>()
  for (const name of [...TERMS, 'loads'] as const) {
    const members = name === 'loads' ? loads : terms[name]
    if (members.length) counted.set(name, await countedBy(tx, members, alike))
  }
  for (const term of TERMS) {
    const found = counted.get(term)?.found
    if (found) parts.set(partOf(term), found)
  }
  const [used, bought] = [new Map<number, HomeDay>(), new Map<number, HomeDay>()]
  for (const day of alike.days) {
    const of = balanceDay(counted, day, alike.quarters)
    if (of.used) used.set(day, of.used)
    if (of.bought) bought.set(day, of.bought)
  }
  const isMeasured = counted.has('import')
  const loaded = counted.get('loads')?.found
  // Without an import meter, consumption is the sum of the loads, as in a home without a balance.
  parts.set(partOf('consumption'), isMeasured ? used : (loaded ?? new Map()))
  if (!isMeasured) parts.set(partOf('import'), bought)
  return parts
}

/** Energy that the meters of one term counted. */
interface Counted {
  found: Map<number, HomeDay>
  /** Number of meters that should know each interval of the day. */
  dueOn(day: number): Int32Array
}

async function countedBy(
  tx: Db,
  members: readonly Member[],
  { days, quarters, zone }: AlikeDays,
): Promise<Counted> {
  const found = new Map<number, HomeDay>()
  await sumDays(
    tx,
    members.map(({ meterId }) => meterId),
    days,
    quarters,
    found,
  )
  const first = await firstDays(tx, members, monthOfDay(days[0] as number), zone)
  const removed = members.filter((one) => one.removed).map(({ meterId }) => meterId)
  const remaining = removed.length
    ? await tx.query<{ meterId: number; day: number; intervals: number }>(sql`
        select meter_id as "meterId", day, length(quality) as intervals from meter_days
        where meter_id = any(${numberArray(removed)}::int[]) and day = any(${days as number[]}::int[])`)
    : []
  return {
    found,
    dueOn(day) {
      const due = new Int32Array(quarters)
      const add = (until: number) => {
        for (let i = 0; i < until; i++) (due[i] as number) += 1
      }
      for (const one of members)
        if (!one.removed && (first.get(one.meterId) ?? Infinity) <= day) add(quarters)
      for (const one of remaining) if (one.day === day) add(Math.min(quarters, one.intervals))
      return due
    },
  }
}

/** One day of a home: consumption if its import is measured, otherwise purchased energy. */
function balanceDay(
  counted: ReadonlyMap<Term | 'loads', Counted>,
  day: number,
  quarters: number,
): { used?: HomeDay; bought?: HomeDay } {
  const terms: Terms = {}
  let loads: Float64Array | undefined
  const days: HomeDay[] = []
  for (const [name, { found, dueOn }] of counted) {
    // The loads are not part of a balance that has an import meter.
    if (name === 'loads' && counted.has('import')) continue
    const one = found.get(day) ?? zeroDay(quarters)
    const due = dueOn(day)
    // A meter that has not begun did not exist. Import is different: without it there is no balance, so the interval is unknown.
    if (name !== 'import' && name !== 'loads' && due.every((count) => count === 0)) continue
    const kWh = new Float64Array(quarters)
    for (let i = 0; i < quarters; i++) {
      const known = knownBefore(one, i + 1) - knownBefore(one, i)
      kWh[i] =
        known > 0 && known >= (due[i] as number)
          ? sumBefore(one.kWh, i + 1) - sumBefore(one.kWh, i)
          : isOver(name, due, i)
            ? 0
            : NaN
    }
    if (name === 'loads') loads = kWh
    else terms[name] = kWh
    days.push(one)
  }
  const { consumption, bought } = balanceOf(terms, loads, quarters)
  if (counted.has('import')) {
    const used = dayOf(consumption, days)
    return used ? { used } : {}
  }
  const of = dayOf(bought, days)
  return of ? { bought: asEstimated(of) } : {}
}

/** Whether the meters of a term have all been removed: the term adds 0. Import has no such rule, because no balance exists without it. */
const isOver = (name: Term | 'loads', due: Int32Array, i: number): boolean =>
  name !== 'import' && name !== 'loads' && due[i] === 0

/** Energy per interval with the quality counts of all its sources; undefined if nothing is known. */
function dayOf(kWh: Float64Array, days: readonly HomeDay[]): HomeDay | undefined {
  if (kWh.every((one) => Number.isNaN(one))) return undefined
  const day = zeroDay(kWh.length)
  let sum = 0
  for (let i = 0; i < kWh.length; i++) {
    const isKnown = !Number.isNaN(kWh[i])
    if (isKnown) sum += kWh[i] as number
    day.kWh[i] = sum
    for (const name of COUNTS)
      if (isKnown || name === 'resets')
        for (const one of days)
          (day[name][i] as number) += sumBefore(one[name], i + 1) - sumBefore(one[name], i)
  }
  for (const name of COUNTS) day[name] = runningSum(day[name])
  return day
}

/** Marks all known intervals as estimated: energy that no meter measured is an estimate, however well the other terms are known. */
function asEstimated(day: HomeDay): HomeDay {
  const quarters = day.kWh.length
  const emptyDays = new Int32Array(0)
  const estimated = Int32Array.from({ length: quarters }, (_, i) => knownBefore(day, i + 1))
  return { ...day, measured: emptyDays, between: emptyDays, corrected: emptyDays, estimated }
}
