import { dayOf, firstDayOf } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import { daysWithMoves, datedMembers } from '../meters/dated-members.ts'
import { type DayClock, type DayPlan, plansWithin } from './day-plans.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import type { Member } from '../meters/members.ts'
import type { Meter } from '../meters/meters.ts'

/**
 * Finds the day of each meter's first reading, before which nothing is missing; days before the month `since` are reported as its first
 * day. Most meters are older than that, so the query omits them. If no reading of a meter counts yet, or older ones wait to be rolled up,
 * its first stored reading is used.
 */
export async function firstDays(
  db: Db,
  meters: readonly Pick<Meter, 'meterId'>[],
  since: number,
  zone: string,
): Promise<Map<number, number>> {
  const ids = new Set(meters.flatMap(({ meterId }) => meterId ?? []))
  const days = new Map([...ids].map((id) => [id, firstDayOf(since)]))
  if (!ids.size) return days
  const rows = await db.query<{
    id: number
    day: number | null
    month: number | null
    stored: number | null
  }>(sql`
    select m.id, f.month, (select min(d.day) from meter_days d
      where d.meter_id = m.id and d.day between f.first and f.first + 30) as day,
      case when (f.month is null and exists (select from quarantined_readings q where q.meter_id = m.id and q.decision is null
          and q.reason in ('jump', 'glitch')))
          or exists (select from meter_dirty w where w.meter_id = m.id and w.from_timestamp <= w.through_timestamp
            and (f.month is null or w.from_timestamp < f.first * 86400000::bigint))
        then (select r.timestamp from readings r where r.meter_id = m.id order by r.timestamp limit 1) end as stored
    from unnest(${numberArray([...ids])}::int[]) as m (id)
    left join lateral (select month, make_date(month / 12, month % 12 + 1, 1) - date '1970-01-01' as first
      from meter_months t where t.meter_id = m.id order by month limit 1) f on true
    where f.month is null or f.month >= ${since}::int`)
  for (const { id, day, month, stored } of rows)
    if (month === null) {
      if (stored === null) days.delete(id)
      else days.set(id, dayOf(stored, zone))
    } else {
      const counted = day ?? firstDayOf(month)
      days.set(id, stored === null ? counted : Math.min(counted, dayOf(stored, zone)))
    }
  return days
}

/** Number of ended intervals of each slot that the meters of a line should have reported, from the day of their first reading. */
export function createExpectation(
  lines: MeterGroups,
  plans: readonly DayPlan[],
  clock: DayClock,
  slots: number,
  first: ReadonlyMap<number, number>,
) {
  const due = lines.keys.map(() => new Int32Array(slots))
  const isOne = lines.epochs.length === 1
  const cut = isOne ? new Set<number>() : daysWithMoves(lines.epochs, clock)
  const whole = cut.size === 0 ? plans : plans.filter(({ day }) => !cut.has(day))
  addDue(due, datedMembers(lines, clock), whole, first)
  const others = plans.filter(({ day }) => cut.has(day))
  if (others.length > 0)
    for (const epoch of lines.epochs) addDue(due, epoch.members, plansWithin(epoch, others, clock), first)
  return (line: number): Int32Array => due[line] as Int32Array
}

/** Adds the intervals that the members should have reported on some days. */
function addDue(
  due: readonly Int32Array[],
  members: readonly Member[],
  plans: readonly DayPlan[],
  first: ReadonlyMap<number, number>,
): void {
  const [earliest, last] = [plans[0]?.day, plans.at(-1)?.day]
  if (earliest === undefined || last === undefined) return
  const known = new Map<string, ReadonlyMap<number, number>>()
  for (const { meterId, line, removed, days } of members) {
    const day = first.get(meterId)
    if (removed || day === undefined) continue
    const from = Math.max(day, earliest, days?.[0] ?? earliest)
    const end = Math.min(last + 1, days?.[1] ?? Infinity)
    if (from >= end) continue
    const key = `${from} ${end}`
    const lengths = known.get(key) ?? lengthsWithin(from, end, plans)
    known.set(key, lengths)
    const sums = due[line] as Int32Array
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
