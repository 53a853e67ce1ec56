import { monthOfDay, firstDayOf } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, empty, join, raw, type Sql, sql } from '../../../kernel/db.ts'
import { EARLIEST, LATEST, type Member, tableOf } from '../meters/meters.ts'
import { DAY_SORTS, daySortOf } from '../rollup/day-sums.ts'
import type { DayPlan, Window } from './day-plans.ts'

/** Days of a month that are divided alike into the same slots. */
export interface DayClass {
  days: number[]
  windows: readonly Window[]
  /** Boundaries between parts within the day, without its start and end. */
  cuts: number[]
  quarters: number
}

/** Groups the days of one month by how they are divided. */
export function classesOf(plans: readonly DayPlan[]): DayClass[] {
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

/** Whether the whole day belongs to one slot. */
export const isWhole = ({ windows, quarters }: DayClass): boolean =>
  windows.length === 1 && windows[0]?.from === 0 && windows[0].to === quarters

/** Days and sorts of days of a month, each with the class that it is added to, or subtracted from if the sign is -1. */
interface Overlay {
  sorts: { sort: number; class: number }[]
  days: { day: number; class: number; sign: number }[]
}

/**
 * Expresses a month as the sums of its sorts of days. Each sort is assigned to the class of most of its days; the other days are subtracted
 * there and added to their own class.
 *
 * returns  undefined if that requires reading as much as the days themselves
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
    const mostFrequentIndex = counts.indexOf(Math.max(...counts))
    if (counts[mostFrequentIndex] === 0) continue
    overlay.sorts.push({ sort, class: mostFrequentIndex })
    for (const day of days) {
      const own = classOf.get(day)
      if (own === mostFrequentIndex) continue
      others += 1
      overlay.days.push({ day, class: mostFrequentIndex, sign: -1 })
      if (own !== undefined) overlay.days.push({ day, class: own, sign: 1 })
    }
  }
  return others + DAY_SORTS < classOf.size ? overlay : undefined
}

/** Energy of a line's days of one class; `atCuts` is the energy from the start of the days to each cut. */
interface ClassRow {
  line: number
  class: number
  kwh: number
  atCuts: number[]
  measured: number
  between: number
  estimated: number
  corrected: number
  ahead: number
  past: number
  resets: number
}

/** Number of a line's days of one class that have this quality and these resets. */
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

/** Data of a month's days of some lines. */
export interface Block {
  rows: ClassRow[]
  qualities: QualityRow[]
}

/**
 * Reads the energy of the members on a month's days, by line and class.
 *
 * isStored  whether the database has the sums of its sorts of days; never for members that are parts on some days only
 */
export async function readBlock(
  db: Db,
  { members, exact }: { members: readonly Member[]; exact: boolean },
  ids: number[],
  classes: readonly DayClass[],
  last: DayPlan,
  isStored: boolean,
): Promise<Block> {
  const inParts = exact && !classes.every(isWhole)
  const running = last.ended < last.quarters
  const overlay = isStored && !running && !inParts ? overlayOf(classes) : undefined
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
  // `offset 0` extracts the requested columns from the wide row first, so that join and sum move little data.
  const dated = members.some((member) => member.days !== undefined)
  const from = (columns: Sql, condition = empty) => sql`
    from ((select d.meter_id, x.class, x.sign, ${dated ? raw('x.day as on_day, ') : empty}${columns} from meter_days d
      join ${tableOfParts('day, sign', days, [days.map(({ day }) => day), days.map(({ sign }) => sign)])}
        on x.day = d.day
      where d.meter_id = any(${numberArray(ids)}::int[])
        and d.day between ${Math.min(LATEST, ...days.map(({ day }) => day))}::int
          and ${Math.max(EARLIEST, ...days.map(({ day }) => day))}::int offset 0)${condition}) d
    join ${tableOf(members)} on g.meter_id = d.meter_id
      ${dated ? raw('and d.on_day >= g.from_day and d.on_day < g.to_day') : empty}`
  const atCutsOf = (row: string) =>
    cutNames.map((name) =>
      raw(`coalesce(${row}.cumulative[least(x.${name}, cardinality(${row}.cumulative))], 0) as ${name}`),
    )
  const ofDay = join([
    raw('d.kwh, d.measured, d.between, d.estimated, d.corrected, d.missing, d.resets'),
    ...atCutsOf('d'),
    running
      ? sql`case when x.day = ${last.day}::int then length(translate(substr(d.quality, ${last.ended}::int + 1), '-q', '')) else 0 end as ahead`
      : raw('0 as ahead'),
  ])
  const ofSorts =
    overlay &&
    sql` union all (select k.meter_id, x.class, 1, ${join([
      raw('k.kwh, k.measured, k.between, k.estimated, k.corrected, k.missing, k.resets'),
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
      sum(d.sign * d.measured) as measured, sum(d.sign * d.between) as between, sum(d.sign * d.estimated) as estimated,
      sum(d.sign * d.corrected) as corrected, sum(d.ahead) as ahead,
      coalesce(sum(d.sign * (d.measured + d.between + d.estimated + d.corrected + d.missing)) filter (where g.removed = 1), 0) as past,
      sum(d.sign * d.resets) as resets
    ${from(ofDay, ofSorts)} group by 1, 2`)
  if (!inParts) return { rows, qualities: [] }
  const qualities = await db.query<QualityRow>(sql`
    select g.line, d.class, d.day, g.removed, d.quality, d.resets, count(*) as count
    ${from(sql`case when x.day = ${running ? last.day : -1}::int then x.day end as day, d.quality, d.reset_quarters as resets`)}
    group by 1, 2, 3, 4, 5, 6`)
  return { rows, qualities }
}
