import { firstDayOf, monthOfDay, dayOf } from '../../../../contract/time/periods.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import {
  COUNTS,
  epochOf,
  type HomeDay,
  type HomeKey,
  knownBefore,
  readHomeMonths,
  sumBefore,
  readHomeDays,
} from '../rollup/home-days.ts'
import type { MembershipPeriod, MeterGroups } from '../meters/meter-groups.ts'
import { type Member, tableOf, EARLIEST, LATEST } from '../meters/meters.ts'
import { type DayClock, type DayPlan, QUARTERS_PER_DAY, plansWithin } from './day-plans.ts'
import { createSums, type SumCache, type EnergySums, sumWindows } from './sums.ts'

/** Days within which meters change their place: no membership period contains them as a whole. */
export function daysWithChanges(epochs: readonly MembershipPeriod[], clock: DayClock): ReadonlySet<number> {
  const days = new Set<number>()
  for (const { from } of epochs) {
    if (from === -Infinity) continue
    const day = dayOf(from, clock.zone)
    if (clock.startOf(day) !== from) days.add(day)
  }
  return days
}

/** Cache: the lines stay the same object from call to call until a meter is moved. */
const known = new WeakMap<MeterGroups, { zone: string; members: readonly Member[] }>()

/** Members with the range of days on which each is a part for the whole day; without `days` if it always is. */
export function datedMembers(lines: MeterGroups, clock: DayClock): readonly Member[] {
  const [only] = lines.epochs
  if (only && lines.epochs.length === 1) return only.members
  const found = known.get(lines)
  if (found?.zone === clock.zone) return found.members
  const parts = new Map<string, (Member & { days: [number, number] })[]>()
  for (const { from, to, members } of lines.epochs) {
    const first = from === -Infinity ? EARLIEST : dayOf(from - 1, clock.zone) + 1
    const end = to === Infinity ? LATEST : dayOf(to, clock.zone)
    if (first >= end) continue
    for (const member of members) {
      const key = `${member.meterId} ${member.line} ${member.weight}`
      const of = parts.get(key) ?? []
      parts.set(key, of)
      const last = of.at(-1)
      if (last && last.days[1] === first) last.days[1] = end
      else of.push({ ...member, days: [first, end] })
    }
  }
  const members = [...parts.values()].flat().map(({ days, ...member }): Member => {
    const isAlways = days[0] === EARLIEST && days[1] === LATEST
    return isAlways ? member : { ...member, days }
  })
  known.set(lines, { zone: clock.zone, members })
  return members
}

/** A flow of a home as a whole: its meters in one line, with the home's key. */
export interface HomeScope {
  home: MeterGroups
  key: HomeKey
}

/** Energy of each line on these days, by slot. */
export async function sumEpochs(
  db: Db,
  cache: SumCache,
  lines: MeterGroups,
  plans: readonly DayPlan[],
  { slots, exact, clock }: { slots: number; exact: boolean; clock: DayClock },
): Promise<EnergySums[]> {
  const sum = (members: readonly Member[], of: readonly DayPlan[], parts: boolean) =>
    sumWindows(db, cache, { members, lines: lines.keys.length, slots, plans: of, exact: parts })
  const [first] = lines.epochs
  if (first && lines.epochs.length === 1) return sum(first.members, plans, exact)
  const moveDays = daysWithChanges(lines.epochs, clock)
  const all = await sum(
    datedMembers(lines, clock),
    plans.filter(({ day }) => !moveDays.has(day)),
    exact,
  )
  // A day on which meters change their place is computed part by part.
  const others = plans.filter(({ day }) => moveDays.has(day))
  if (others.length > 0)
    for (const epoch of lines.epochs) {
      const within = plansWithin(epoch, others, clock)
      if (within.length === 0) continue
      const parts = await sum(epoch.members, within, true)
      for (const [i, one] of all.entries()) add(one, parts[i] as EnergySums)
    }
  return all
}

function add(a: EnergySums, b: EnergySums): EnergySums {
  for (const name of Object.keys(a) as (keyof EnergySums)[])
    for (let i = 0; i < a[name].length; i++) (a[name][i] as number) += b[name][i] as number
  return a
}

/** Energy of the home as a whole, read from its stored days. */
export async function sumHome(
  db: Db,
  cache: SumCache,
  { key, home }: HomeScope,
  plans: readonly DayPlan[],
  slots: number,
  clock: DayClock,
): Promise<EnergySums> {
  const sums = createSums(slots)
  const needed = plans.filter(({ windows }) => windows.length)
  const [first, last] = [needed[0], needed.at(-1)]
  if (!first || !last) return sums
  const isStored = ({ day }: DayPlan) => epochOf(home.epochs, clock.startOf(day), clock.startOf(day + 1))
  const stored = needed.filter(isStored)
  addHomeDays(sums, stored, await readHomeDays(db, key, first.day, last.day + 1, home.part))
  const removed = removedOf(home)
  if (removed) {
    const [of] = await sumEpochs(db, cache, removed, stored, { slots, exact: true, clock })
    if (of) sums.past.set(of.past)
  }
  // Days on which a meter changed its place are not stored.
  const others = needed.filter((one) => !isStored(one))
  if (others.length) {
    const [of] = await sumEpochs(db, cache, home, others, { slots, exact: true, clock })
    if (of) add(sums, of)
  }
  return sums
}

/** Adds the parts of days to the sums, without `past` of removed meters. */
function addHomeDays(sums: EnergySums, plans: readonly DayPlan[], days: ReadonlyMap<number, HomeDay>): void {
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

/** Lines restricted to removed meters; undefined if there are none. */
function removedOf(lines: MeterGroups): MeterGroups | undefined {
  const epochs = lines.epochs.map((epoch) => ({
    ...epoch,
    members: epoch.members.filter(({ removed }) => removed),
  }))
  return epochs.some(({ members }) => members.length) ? { ...lines, epochs } : undefined
}

/** Stored months of the home, without `past` of removed meters and `aheadRows`. */
export async function readStoredMonths(
  db: Db,
  key: HomeKey,
  months: readonly number[],
  part?: number,
): Promise<EnergySums> {
  const sums = createSums(months.length)
  for (const { month, ...row } of await readHomeMonths(db, key, months, part))
    for (const [name, value] of Object.entries(row) as [keyof typeof row, number][])
      sums[name][months.indexOf(month)] = value
  return sums
}

/** Whole months of the home. */
export async function sumHomeMonths(
  db: Db,
  { key, home }: HomeScope,
  months: readonly number[],
  clock: DayClock,
): Promise<EnergySums> {
  const sums = await readStoredMonths(db, key, months, home.part)
  const removed = removedOf(home)
  if (removed) {
    const [of] = await sumMonths(db, removed, months, clock)
    if (of) sums.past.set(of.past)
  }
  const { today, endedOf, quartersOf } = clock
  const running = months.indexOf(monthOfDay(today))
  const day = running < 0 ? undefined : (await readHomeDays(db, key, today, today + 1, home.part)).get(today)
  if (day)
    sums.ahead[running] =
      knownBefore(day, QUARTERS_PER_DAY * 2) - knownBefore(day, endedOf(today, quartersOf(today)))
  return sums
}

/** Membership period that contains the whole month; undefined if meters change their place within it. */
export const epochOfMonth = (
  epochs: readonly MembershipPeriod[],
  month: number,
  clock: DayClock,
): MembershipPeriod | undefined =>
  epochOf(epochs, clock.startOf(firstDayOf(month)), clock.startOf(firstDayOf(month + 1)))

/** Whole stored months of each line; months within which meters change their place are left at 0. */
export async function sumMonths(
  db: Db,
  { keys, epochs }: MeterGroups,
  months: readonly number[],
  clock: DayClock,
): Promise<EnergySums[]> {
  const sums = keys.map(() => createSums(months.length))
  const byEpoch = groupBy(months, (month) => epochOfMonth(epochs, month, clock))
  for (const [epoch, of] of byEpoch)
    if (epoch?.members.length) await addMonths(db, sums, epoch, of, months, clock)
  return sums
}

/** Adds some months of one membership period to the sums. */
async function addMonths(
  db: Db,
  sums: readonly EnergySums[],
  { members }: MembershipPeriod,
  of: readonly number[],
  months: readonly number[],
  { today, endedOf, quartersOf }: DayClock,
): Promise<void> {
  const from = sql`from ${tableOf(members)}`
  const rows = await db.query<Record<Exclude<keyof EnergySums, 'ahead'> | 'line' | 'month', number>>(sql`
    select g.line, t.month, sum(g.weight * t.kwh) as kwh, sum(t.measured) as measured, sum(t.between) as between, sum(t.estimated) as estimated,
      sum(t.corrected) as corrected, sum(t.resets) as resets,
      coalesce(sum(t.measured + t.between + t.estimated + t.corrected + t.missing) filter (where g.removed = 1), 0) as past
    ${from} join meter_months t on t.meter_id = g.meter_id and t.month = any(${of as number[]}::int[])
    group by 1, 2`)
  for (const { line, month, ...row } of rows)
    for (const [i, one] of months.entries())
      if (one === month)
        for (const [name, value] of Object.entries(row) as [keyof typeof row, number][])
          (sums[line] as EnergySums)[name][i] = value
  const running = months.indexOf(monthOfDay(today))
  if (running < 0 || !of.includes(months[running] as number)) return
  const aheadRows = await db.query<{ line: number; ahead: number }>(sql`
    select g.line, sum(greatest(0, cardinality(d.cumulative) - ${endedOf(today, quartersOf(today))}::int)) as ahead
    ${from} join meter_days d on d.meter_id = g.meter_id and d.day = ${today}::int group by 1`)
  for (const row of aheadRows) (sums[row.line] as EnergySums).ahead[running] = row.ahead
}
