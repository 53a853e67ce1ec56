import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { firstDayOf, monthOfDay } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { classesOf, type DayClass, isWhole, type Block, readBlock } from './read-block.ts'
import type { DayPlan, Slot } from './day-plans.ts'
import { storedMonths } from '../rollup/day-sums.ts'
import { QUALITY_OF_CODE } from '../rollup/home-days.ts'
import type { Member } from '../meters/meters.ts'

/** Energy of the members of a line, by slot. */
export interface EnergySums {
  kwh: Float64Array
  measured: Int32Array
  between: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  /** Known intervals that have not ended yet. */
  ahead: Int32Array
  /** Intervals of removed meters from their first to their last of a day, known or not. */
  past: Int32Array
  resets: Int32Array
}

export const createSums = (slots: number): EnergySums => ({
  kwh: new Float64Array(slots),
  measured: new Int32Array(slots),
  between: new Int32Array(slots),
  estimated: new Int32Array(slots),
  corrected: new Int32Array(slots),
  ahead: new Int32Array(slots),
  past: new Int32Array(slots),
  resets: new Int32Array(slots),
})

/** Number of known intervals at an index of the sums. */
export const knownIn = ({ measured, between, estimated, corrected }: EnergySums, at: number): number =>
  (measured[at] as number) + (between[at] as number) + (estimated[at] as number) + (corrected[at] as number)

/** Adds up the sums of some slots by period. */
export function foldSums(sums: EnergySums, slots: readonly Slot[], periods: number): EnergySums {
  const folded = createSums(periods)
  for (const name of Object.keys(folded) as (keyof EnergySums)[])
    for (const { period, index } of slots) (folded[name][period] as number) += sums[name][index] as number
  return folded
}

/** Maximum size of the cache in numbers: a year of a thousand meters in five bands takes 250,000. */
const MAX_CACHED_NUMBERS = 2_000_000

/** Cached sums, valid until a day of their month is recomputed. */
export type SumCache = LRUCache<string, Block>
export const createSumCache = (): SumCache =>
  new LRUCache({
    maxSize: MAX_CACHED_NUMBERS,
    sizeCalculation: ({ rows, qualities }) =>
      1 + rows.reduce((sum, row) => sum + 9 + row.atCuts.length, 0) + 20 * qualities.length,
  })

export interface SumOptions {
  members: readonly Member[]
  lines: number
  slots: number
  plans: readonly DayPlan[]
  /**
   * Whether the quality of each part is needed; otherwise that of a day is counted in its first part, which suffices if a day belongs to
   * one period.
   */
  exact: boolean
}

/**
 * Adds up the energy of each line's members in each slot. The database sums whole classes of days, and a month's sums are cached until a
 * day of its meters changes, which also rewrites the meters' months. For past months the database stores sums of similar days
 * (day-sums.ts); other days are overlaid as differences.
 *
 * db       a transaction with a consistent snapshot
 * returns  the sums of each line
 */
export async function sumWindows(db: Db, cache: SumCache, options: SumOptions): Promise<EnergySums[]> {
  const { members, lines, slots, plans } = options
  const all = Array.from({ length: lines }, () => createSums(slots))
  const months = new Map<number, DayPlan[]>()
  for (const one of plans) {
    if (!one.windows.length) continue
    const month = monthOfDay(one.day)
    const days = months.get(month)
    if (days) days.push(one)
    else months.set(month, [one])
  }
  if (!months.size || !members.length) return all
  const ids = [...new Set(members.map(({ meterId }) => meterId))]
  const stamps = await readStamps(db, ids, [...months.keys()])
  const blocks = [...months].flatMap(([month, days]) => {
    const stamp = stamps.get(month)
    // No meter has a day in this month.
    if (stamp === undefined) return []
    const classes = classesOf(days)
    const last = days.at(-1) as DayPlan
    const shape = hash([
      options.exact,
      classes.map((one) => [one.days, one.cuts, isWhole(one)]),
      runningOf(last),
    ])
    return partsOfMonth(members, month).map((part) => ({
      month,
      classes,
      last,
      part,
      key: `${part.hash}/${month}/${stamp}/${shape}`,
    }))
  })
  const unknown = blocks.flatMap(({ month, key, part }) => (part.isDated || cache.has(key) ? [] : [month]))
  const kept = unknown.length ? await storedMonths(db, ids, unknown) : new Set<number>()
  for (const { month, classes, last, key, part } of blocks) {
    let block = cache.get(key)
    if (!block) {
      const of = [...new Set(part.members.map(({ meterId }) => meterId))]
      block = await readBlock(
        db,
        { members: part.members, exact: options.exact },
        of,
        classes,
        last,
        kept.has(month) && !part.isDated,
      )
      cache.set(key, block)
    }
    addBlock(all, block, classes, last, options)
  }
  return all
}

/** Members whose sums are read together. */
interface Part {
  members: readonly Member[]
  /** Whether they are parts on some days of the month only. */
  isDated: boolean
  hash: string
}

/** Cache: the members are the same object from call to call. */
const parts = new WeakMap<readonly Member[], Map<number, readonly Part[]>>()

/** Divides members into those that are parts during the whole month, and those that are on some of its days, if any. */
function partsOfMonth(members: readonly Member[], month: number): readonly Part[] {
  const months = parts.get(members) ?? new Map<number, readonly Part[]>()
  parts.set(members, months)
  // Without moves all months are alike.
  const known = months.get(ANY_MONTH) ?? months.get(month)
  if (known) return known
  if (members.every(({ days }) => days === undefined)) {
    const all = [{ members, isDated: false, hash: hash(members) }]
    months.set(ANY_MONTH, all)
    return all
  }
  const [first, next] = [firstDayOf(month), firstDayOf(month + 1)]
  const [whole, partialMembers]: [Member[], Member[]] = [[], []]
  for (const { days, ...member } of members) {
    if (days === undefined || (days[0] <= first && days[1] >= next)) whole.push(member)
    else if (days[0] < next && days[1] > first)
      partialMembers.push({ ...member, days: [Math.max(first, days[0]), Math.min(next, days[1])] })
  }
  const found = [
    { members: whole, isDated: false, hash: hash(whole) },
    { members: partialMembers, isDated: true, hash: hash(partialMembers) },
  ].filter((part) => part.members.length > 0)
  months.set(month, found)
  return found
}
const ANY_MONTH = -1

const hash = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64')

/** A running day affects what counts as ended; past days do not. */
const runningOf = ({ day, ended, quarters }: DayPlan) => (ended < quarters ? [day, ended] : [])

/**
 * Change stamp of each month with days of these meters: every write of a day also writes the row of its month, and `xmin` changes with it.
 */
async function readStamps(db: Db, ids: number[], months: number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ month: number; stamp: string }>(sql`
    select month, count(*) || ':' || sum(xmin::text::bigint) as stamp from meter_months
    where meter_id = any(${numberArray(ids)}::int[]) and month = any(${months}::int[]) group by month`)
  return new Map(rows.map(({ month, stamp }) => [month, stamp]))
}

function addBlock(
  all: readonly EnergySums[],
  { rows, qualities }: Block,
  classes: readonly DayClass[],
  last: DayPlan,
  { exact }: SumOptions,
): void {
  const inParts = (one: DayClass) => exact && !isWhole(one)
  for (const row of rows) {
    const one = classes[row.class] as DayClass
    const { windows, cuts, quarters } = one
    const sums = all[row.line] as EnergySums
    const until = (cut: number) =>
      cut <= 0 ? 0 : cut >= quarters ? row.kwh : (row.atCuts[cuts.indexOf(cut)] as number)
    for (const { slot, from, to } of windows) (sums.kwh[slot] as number) += until(to) - until(from)
    if (inParts(one)) continue
    const slot = windows[0]?.slot as number
    for (const name of ['measured', 'between', 'estimated', 'corrected', 'ahead', 'past', 'resets'] as const)
      (sums[name][slot] as number) += row[name]
  }
  for (const { line, class: index, day, removed, quality, resets, count } of qualities) {
    const one = classes[index] as DayClass
    if (!inParts(one)) continue
    const sums = all[line] as EnergySums
    const ended = day === last.day ? last.ended : quality.length
    for (const { slot, from, to } of one.windows) {
      ;(sums.resets[slot] as number) += count * resets.filter((at) => from <= at && at < to).length
      for (let i = from; i < to && i < quality.length; i++) {
        if (removed) (sums.past[slot] as number) += count
        const name = QUALITY_OF_CODE[quality[i] as string]
        if (!name) continue
        ;(sums[name][slot] as number) += count
        if (i >= ended) (sums.ahead[slot] as number) += count
      }
    }
  }
}
