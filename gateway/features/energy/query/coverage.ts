import type { Coverage } from '../../../../contract/energy/meter-data-calls.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type Member, tableOf } from '../meters/meters.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import { firstDays } from '../rollup/home-days.ts'
import { daysWithChanges, datedMembers } from './sum-lines.ts'
import { type DayClock, type DayPlan, plansWithin, type Slot } from './day-plans.ts'
import type { QueryPlan } from './plan.ts'
import { type EnergySums, knownIn } from './sums.ts'

/** Ended intervals of a group, by slot. */
export interface DueIntervals {
  /** Number of intervals that its meters should have reported, from the day of their first reading. */
  expected: Int32Array
  /** Number of intervals with a quarantined reading that awaits a decision. */
  quarantined: Int32Array
}

/** Coverage of the periods of a group: how its known intervals are known, and how many of the expected ones are missing. */
export function coverageOf(sum: EnergySums, due: DueIntervals, slots: readonly Slot[]): Coverage[] {
  const periods = sum.kwh.length
  const [expected, quarantined] = [new Int32Array(periods), new Int32Array(periods)]
  for (const { period, index } of slots) {
    ;(expected[period] as number) += due.expected[index] as number
    ;(quarantined[period] as number) += due.quarantined[index] as number
  }
  return Array.from({ length: periods }, (_, period) => {
    const all = (expected[period] as number) + (sum.past[period] as number) + (sum.ahead[period] as number)
    const missing = Math.max(0, all - knownIn(sum, period))
    return {
      Measured: sum.measured[period] as number,
      Between: sum.between[period] as number,
      Estimated: sum.estimated[period] as number,
      Corrected: sum.corrected[period] as number,
      Missing: missing,
      Withheld: Math.min(missing, quarantined[period] as number),
    }
  })
}

/** Reads the due intervals of each group. */
export async function readDueIntervals(
  db: Db,
  groups: MeterGroups,
  { days, slots, clock, months }: QueryPlan,
): Promise<DueIntervals[]> {
  const first = await firstDays(db, groups.meters, months[0] as number, clock.zone)
  const expected = expectedIntervals(groups, days, clock, slots.length, first)
  const quarantined = await readQuarantinedIntervals(db, groups, days, slots.length, clock)
  return groups.keys.map((_, line) => ({
    expected: expected[line] as Int32Array,
    quarantined: quarantined[line] as Int32Array,
  }))
}

/**
 * Number of ended intervals of each group and slot that its meters should have reported.
 *
 * first  day of each meter's first reading
 */
export function expectedIntervals(
  groups: MeterGroups,
  plans: readonly DayPlan[],
  clock: DayClock,
  slots: number,
  first: ReadonlyMap<number, number>,
): Int32Array[] {
  const expected = groups.keys.map(() => new Int32Array(slots))
  const moveDays = groups.epochs.length === 1 ? new Set<number>() : daysWithChanges(groups.epochs, clock)
  const whole = moveDays.size === 0 ? plans : plans.filter(({ day }) => !moveDays.has(day))
  addExpected(expected, datedMembers(groups, clock), whole, first)
  const others = plans.filter(({ day }) => moveDays.has(day))
  if (others.length > 0)
    for (const epoch of groups.epochs)
      addExpected(expected, epoch.members, plansWithin(epoch, others, clock), first)
  return expected
}

/** Adds the intervals that the members should have reported on some days. */
function addExpected(
  expected: readonly Int32Array[],
  members: readonly Member[],
  plans: readonly DayPlan[],
  first: ReadonlyMap<number, number>,
): void {
  const [earliest, last] = [plans[0]?.day, plans.at(-1)?.day]
  if (earliest === undefined || last === undefined) return
  const cache = new Map<string, ReadonlyMap<number, number>>()
  for (const { meterId, line, removed, days } of members) {
    const day = first.get(meterId)
    if (removed || day === undefined) continue
    const from = Math.max(day, earliest, days?.[0] ?? earliest)
    const end = Math.min(last + 1, days?.[1] ?? Infinity)
    if (from >= end) continue
    const key = `${from} ${end}`
    const lengths = cache.get(key) ?? lengthsWithin(from, end, plans)
    cache.set(key, lengths)
    const sums = expected[line] as Int32Array
    for (const [slot, length] of lengths) (sums[slot] as number) += length
  }
}

/** Number of ended intervals of each slot, between two days (`end` exclusive). */
function lengthsWithin(from: number, end: number, plans: readonly DayPlan[]): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>()
  for (const { day, ended, windows } of plans)
    if (day >= from && day < end)
      for (const window of windows)
        lengths.set(
          window.slot,
          (lengths.get(window.slot) ?? 0) + Math.max(0, Math.min(window.to, ended) - window.from),
        )
  return lengths
}

/**
 * Number of ended intervals of each group and slot with a quarantined reading that awaits a decision. Corrected intervals do not count; a
 * meter without any accepted reading does. A reading belongs to the interval that it ends.
 */
async function readQuarantinedIntervals(
  db: Db,
  { epochs, keys, meters }: MeterGroups,
  plans: readonly DayPlan[],
  slots: number,
  clock: DayClock,
): Promise<Int32Array[]> {
  const quarantined = keys.map(() => new Int32Array(slots))
  const undecided = await readUndecidedMeters(db, meters)
  if (undecided.size === 0) return quarantined
  for (const epoch of epochs) {
    const members = epoch.members.filter(({ meterId }) => undecided.has(meterId))
    const parts = members.length > 0 ? partsOf(plansWithin(epoch, plans, clock), clock) : []
    const last = parts.at(-1)
    if (!parts[0] || !last) continue
    const rows = await db.query<{ line: number; part: number; count: number }>(sql`
      select g.line, q.part, sum(q.count) as count from ${tableOf(members)}
      join (
        select meter_id, width_bucket(timestamp - 1, ${numberArray(parts.map(({ from }) => from))}::bigint[]) - 1 as part,
          count(distinct (timestamp + ${QUARTER_MS - 1}::bigint) / ${QUARTER_MS}::bigint) as count
        from quarantined_readings q
        where meter_id = any(${numberArray([...new Set(members.map(({ meterId }) => meterId))])}::int[])
          and timestamp > ${parts[0].from}::bigint and timestamp <= ${last.to}::bigint
          and decision is null and reason in ('jump', 'glitch')
          and not exists (select from meter_corrections c where c.meter_id = q.meter_id and c.undone_at is null
            and c.kind = 'interval' and c.from_timestamp < q.timestamp and c.to_timestamp >= q.timestamp)
        group by 1, 2) q on q.meter_id = g.meter_id
      group by 1, 2`)
    for (const { line, part, count } of rows) {
      const slot = parts[part]?.slot ?? NO_SLOT
      if (slot !== NO_SLOT)
        (quarantined[line] as Int32Array)[slot] = (quarantined[line]?.[slot] ?? 0) + Number(count)
    }
  }
  return quarantined
}

/** Meters with a reading that awaits a decision. Usually there are none, and no further query is needed. */
async function readUndecidedMeters(db: Db, meters: MeterGroups['meters']): Promise<ReadonlySet<number>> {
  const all = meters.flatMap(({ meterId }) => meterId ?? [])
  const rows = await db.query<{ id: number }>(sql`
    select distinct meter_id as id from quarantined_readings
    where meter_id = any(${numberArray(all)}::int[]) and decision is null and reason in ('jump', 'glitch')`)
  return new Set(rows.map(({ id }) => id))
}

const NO_SLOT = -1

/** Ended time as consecutive parts of one slot each, ascending, in epoch ms. */
function partsOf(plans: readonly DayPlan[], clock: DayClock): { from: number; to: number; slot: number }[] {
  const parts: { from: number; to: number; slot: number }[] = []
  for (const { day, ended, windows } of plans) {
    const start = clock.startOf(day)
    for (const window of windows) {
      const [from, to] = [window.from, Math.min(window.to, ended)].map((at) => start + at * QUARTER_MS) as [
        number,
        number,
      ]
      if (from >= to) continue
      const before = parts.at(-1)
      if (before && before.to < from) parts.push({ from: before.to, to: from, slot: NO_SLOT })
      if (before?.slot === window.slot && before.to === from) before.to = to
      else parts.push({ from, to, slot: window.slot })
    }
  }
  return parts
}
