import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DaySpan } from '../../contract/rules/energy-totals.ts'
import { firstDayOf, monthOfDay } from '../../contract/rules/periods.ts'
import { numberArray } from '../store/array-literal.ts'
import { type Db, type Sql, empty, join, raw, sql } from '../store/db.ts'
import { DAY_SORTS, daySortOf, keptMonths } from './day-sums.ts'

/** A meter as part of a line of the answer. A meter may be part of several. */
export interface Member {
  meterId: number
  /** Which line. */
  line: number
  /** Added or taken away. */
  weight: 1 | -1
  /** Whether it is a device no more: then only what it left is missing where it left gaps. */
  removed: boolean
}

/** A part of a day whose energy goes into one sum. */
export interface Window extends DaySpan {
  slot: number
}

/** A day with its parts, in order; together they need not be the whole day. */
export interface DayPlan {
  day: number
  /** How many intervals of it have ended by now. */
  ended: number
  /** How many it has. */
  quarters: number
  windows: readonly Window[]
}

/** What the members of a line counted, by slot. */
export interface Sums {
  kwh: Float64Array
  measured: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  /** Known intervals that have not ended yet. */
  ahead: Int32Array
  /** Intervals of removed meters from their first to their last of a day, known or not. */
  past: Int32Array
  resets: Int32Array
}

/** All zero. */
export const createSums = (slots: number): Sums => ({
  kwh: new Float64Array(slots),
  measured: new Int32Array(slots),
  estimated: new Int32Array(slots),
  corrected: new Int32Array(slots),
  ahead: new Int32Array(slots),
  past: new Int32Array(slots),
  resets: new Int32Array(slots),
})

/** Days of a month whose parts are alike and go into the same slots. */
interface DayClass {
  days: number[]
  windows: readonly Window[]
  /** Ends of parts within the day; the day's own ends are none. */
  cuts: number[]
  quarters: number
}

/** A line's days of one class in one sum; `atCuts` is the energy from the days' beginnings to each cut. */
interface ClassRow {
  line: number
  class: number
  kwh: number
  atCuts: number[]
  measured: number
  estimated: number
  corrected: number
  ahead: number
  past: number
  resets: number
}

/** How many of a line's days of one class have this quality and these resets. */
interface QualityRow {
  line: number
  class: number
  day: number | null
  removed: number
  quality: string
  /** Intervals in which a counter fell. */
  resets: number[]
  count: number
}

interface Block {
  rows: ClassRow[]
  qualities: QualityRow[]
}

/** Numbers that are kept in memory: a year of a thousand meters in five bands takes a quarter of a million. */
const MOST_KEPT = 2_000_000

/** Sums that were read once and hold until a day of their month is reckoned anew. */
export type SumCache = LRUCache<string, Block>
export const createSumCache = (): SumCache =>
  new LRUCache({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ rows, qualities }) =>
      1 + rows.reduce((sum, row) => sum + 9 + row.atCuts.length, 0) + 20 * qualities.length,
  })

/** Members as a table `g (meter_id, line, weight, removed)`. */
export const tableOf = (members: readonly Member[]): Sql => sql`unnest(
  ${numberArray(members.map(({ meterId }) => meterId))}::int[], ${numberArray(members.map(({ line }) => line))}::int[],
  ${numberArray(members.map(({ weight }) => weight))}::float8[],
  ${numberArray(members.map(({ removed }) => Number(removed)))}::int[]) as g (meter_id, line, weight, removed)`

export interface SumOptions {
  members: readonly Member[]
  lines: number
  slots: number
  plans: readonly DayPlan[]
  /**
   * Whether the quality of each part is asked for; else that of a day goes to its first part, which will do where all
   * of a day is of one period.
   */
  exact: boolean
}

/**
 * Adds up the energy of each line's members in each slot. Days are summed in the database, a whole class of them at a time,
 * and a month's sums are remembered as long as its meters' months are not written anew, which every change of a day does. Of
 * months that are over the database keeps sums of days that are alike (day-sums.ts): what other days add or take is laid over.
 *
 * db       a transaction that sees one moment
 * returns  the sums of each line
 */
export async function sumWindows(db: Db, cache: SumCache, options: SumOptions): Promise<Sums[]> {
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
  const stamps = await stampsOf(db, ids, [...months.keys()])
  const who = hash(members)
  const blocks = [...months].flatMap(([month, days]) => {
    const stamp = stamps.get(month)
    // No meter has a day in it.
    if (stamp === undefined) return []
    const classes = classesOf(days)
    const last = days.at(-1) as DayPlan
    const shape = hash([
      options.exact,
      classes.map((one) => [one.days, one.cuts, isWhole(one)]),
      runningOf(last),
    ])
    return [{ month, classes, last, key: `${who}/${month}/${stamp}/${shape}` }]
  })
  const unknown = blocks.flatMap(({ month, key }) => (cache.has(key) ? [] : [month]))
  const kept = unknown.length ? await keptMonths(db, ids, unknown) : new Set<number>()
  for (const { month, classes, last, key } of blocks) {
    let block = cache.get(key)
    if (!block) cache.set(key, (block = await readBlock(db, options, ids, classes, last, kept.has(month))))
    addBlock(all, block, classes, last, options)
  }
  return all
}

const hash = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64')

/** A day that is not over changes what counts as ended; others do not. */
const runningOf = ({ day, ended, quarters }: DayPlan) => (ended < quarters ? [day, ended] : [])

/**
 * For each month with days of these meters, a number that changes when a day of it is written: the row of the month is
 * written with it, and its transaction's number only rises.
 */
async function stampsOf(db: Db, ids: number[], months: number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ month: number; stamp: string }>(sql`
    select month, count(*) || ':' || sum(xmin::text::bigint) as stamp from meter_months
    where meter_id = any(${numberArray(ids)}::int[]) and month = any(${months}::int[]) group by month`)
  return new Map(rows.map(({ month, stamp }) => [month, stamp]))
}

function classesOf(plans: readonly DayPlan[]): DayClass[] {
  const classes = new Map<string, DayClass>()
  for (const { day, windows, quarters } of plans) {
    const key = JSON.stringify([quarters, windows.map(({ slot, from, to }) => [slot, from, to])])
    const known = classes.get(key)
    if (known) known.days.push(day)
    else {
      const ends = new Set(windows.flatMap(({ from, to }) => [from, to]))
      const cuts = [...ends].filter((cut) => cut > 0 && cut < quarters).toSorted((a, b) => a - b)
      classes.set(key, { days: [day], windows, cuts, quarters })
    }
  }
  return [...classes.values()]
}

/** Whether all of the day goes into one slot. */
const isWhole = ({ windows, quarters }: DayClass): boolean =>
  windows.length === 1 && windows[0]?.from === 0 && windows[0].to === quarters

/** Days and sorts of days of a month with the class that each adds to, or with a sign of -1 is taken from. */
interface Overlay {
  sorts: { sort: number; class: number }[]
  days: { day: number; class: number; sign: number }[]
}

/**
 * A month as the sums of its sorts of days, each in the class that most of its days are in: what other days have is taken from
 * there and put where it belongs.
 *
 * returns  undefined where that is not less to read than the days
 */
function overlayOf(classes: readonly DayClass[]): Overlay | undefined {
  const classOf = new Map(classes.flatMap(({ days }, i) => days.map((day) => [day, i] as const)))
  const month = monthOfDay(classes[0]?.days[0] as number)
  const all: number[] = []
  for (let day = firstDayOf(month); day < firstDayOf(month + 1); day++) all.push(day)
  const overlay: Overlay = { sorts: [], days: [] }
  let others = 0
  for (let sort = 0; sort < DAY_SORTS; sort++) {
    const days = all.filter((day) => daySortOf(day) === sort)
    const counts = classes.map((_, i) => days.filter((day) => classOf.get(day) === i).length)
    const most = counts.indexOf(Math.max(...counts))
    if (counts[most] === 0) continue
    overlay.sorts.push({ sort, class: most })
    for (const day of days) {
      const own = classOf.get(day)
      if (own === most) continue
      others += 1
      overlay.days.push({ day, class: most, sign: -1 })
      if (own !== undefined) overlay.days.push({ day, class: own, sign: 1 })
    }
  }
  return others + DAY_SORTS < classOf.size ? overlay : undefined
}

/** A bound beyond every day. */
const LATEST = 2_000_000_000

async function readBlock(
  db: Db,
  { members, exact }: SumOptions,
  ids: number[],
  classes: readonly DayClass[],
  last: DayPlan,
  isKept: boolean,
): Promise<Block> {
  const inParts = exact && !classes.every(isWhole)
  const running = last.ended < last.quarters
  const overlay = isKept && !running && !inParts ? overlayOf(classes) : undefined
  const days =
    overlay?.days ?? classes.flatMap(({ days: of }, i) => of.map((day) => ({ day, class: i, sign: 1 })))
  const cuts = Math.max(...classes.map((one) => one.cuts.length))
  const cutNames = Array.from({ length: cuts }, (_, i) => `c${i}`)
  const tableOfParts = (name: string, parts: readonly { class: number }[], columns: readonly number[][]) =>
    sql`unnest(${join(
      [
        ...columns,
        parts.map((part) => part.class),
        ...cutNames.map((_, i) => parts.map((part) => classes[part.class]?.cuts[i] ?? 0)),
      ].map((column) => sql`${numberArray(column)}::int[]`),
    )}) as ${raw(`x (${[name, 'class', ...cutNames].join(', ')})`)}`
  // What is asked of a day is taken out of its long row at once (offset 0), so that joining and adding carry little.
  const from = (columns: Sql, kept = empty) => sql`
    from ((select d.meter_id, x.class, x.sign, ${columns} from meter_days d
      join ${tableOfParts('day, sign', days, [days.map(({ day }) => day), days.map(({ sign }) => sign)])}
        on x.day = d.day
      where d.meter_id = any(${numberArray(ids)}::int[])
        and d.day between ${Math.min(LATEST, ...days.map(({ day }) => day))}::int
          and ${Math.max(-LATEST, ...days.map(({ day }) => day))}::int offset 0)${kept}) d
    join ${tableOf(members)} on g.meter_id = d.meter_id`
  const atCutsOf = (row: string) =>
    cutNames.map((name) =>
      raw(`coalesce(${row}.cumulative[least(x.${name}, cardinality(${row}.cumulative))], 0) as ${name}`),
    )
  const ofDay = join([
    raw('d.kwh, d.measured, d.estimated, d.corrected, d.missing, d.resets'),
    ...atCutsOf('d'),
    running
      ? sql`case when x.day = ${last.day}::int then greatest(0, cardinality(d.cumulative) - ${last.ended}::int) else 0 end as ahead`
      : raw('0 as ahead'),
  ])
  const ofSorts =
    overlay &&
    sql` union all (select k.meter_id, x.class, 1, ${join([
      raw('k.kwh, k.measured, k.estimated, k.corrected, k.missing, k.resets'),
      ...atCutsOf('k'),
    ])}, 0 from meter_day_sums k
      join ${tableOfParts('sort', overlay.sorts, [overlay.sorts.map(({ sort }) => sort)])} on x.sort = k.sort
      where k.month = ${monthOfDay(last.day)}::int and k.meter_id = any(${numberArray(ids)}::int[]) offset 0)`
  const atCuts = raw(
    cuts
      ? `array[${cutNames.map((name) => `sum(g.weight * d.sign * d.${name})`).join(', ')}]`
      : `'{}'::float8[]`,
  )
  const rows = await db.query<ClassRow>(sql`
    select g.line, d.class, sum(g.weight * d.sign * d.kwh) as kwh, ${atCuts} as "atCuts",
      sum(d.sign * d.measured) as measured, sum(d.sign * d.estimated) as estimated,
      sum(d.sign * d.corrected) as corrected, sum(d.ahead) as ahead,
      coalesce(sum(d.sign * (d.measured + d.estimated + d.corrected + d.missing)) filter (where g.removed = 1), 0) as past,
      sum(d.sign * d.resets) as resets
    ${from(ofDay, ofSorts)} group by 1, 2`)
  if (!inParts) return { rows, qualities: [] }
  const qualities = await db.query<QualityRow>(sql`
    select g.line, d.class, d.day, g.removed, d.quality, d.resets, count(*) as count
    ${from(sql`case when x.day = ${running ? last.day : -1}::int then x.day end as day, d.quality, d.reset_quarters as resets`)}
    group by 1, 2, 3, 4, 5, 6`)
  return { rows, qualities }
}

function addBlock(
  all: readonly Sums[],
  { rows, qualities }: Block,
  classes: readonly DayClass[],
  last: DayPlan,
  { exact }: SumOptions,
): void {
  const inParts = (one: DayClass) => exact && !isWhole(one)
  for (const row of rows) {
    const one = classes[row.class] as DayClass
    const { windows, cuts, quarters } = one
    const sums = all[row.line] as Sums
    const until = (cut: number) =>
      cut <= 0 ? 0 : cut >= quarters ? row.kwh : (row.atCuts[cuts.indexOf(cut)] as number)
    for (const { slot, from, to } of windows) (sums.kwh[slot] as number) += until(to) - until(from)
    if (inParts(one)) continue
    const slot = windows[0]?.slot as number
    for (const name of ['measured', 'estimated', 'corrected', 'ahead', 'past', 'resets'] as const)
      (sums[name][slot] as number) += row[name]
  }
  for (const { line, class: index, day, removed, quality, resets, count } of qualities) {
    const one = classes[index] as DayClass
    if (!inParts(one)) continue
    const sums = all[line] as Sums
    const ended = day === last.day ? last.ended : quality.length
    for (const { slot, from, to } of one.windows) {
      ;(sums.resets[slot] as number) += count * resets.filter((at) => from <= at && at < to).length
      for (let i = from; i < to && i < quality.length; i++) {
        if (removed) (sums.past[slot] as number) += count
        const name = LETTERS[quality[i] as string]
        if (!name) continue
        ;(sums[name][slot] as number) += count
        if (i >= ended) (sums.ahead[slot] as number) += count
      }
    }
  }
}

const LETTERS: Record<string, 'measured' | 'estimated' | 'corrected'> = {
  m: 'measured',
  e: 'estimated',
  c: 'corrected',
}
