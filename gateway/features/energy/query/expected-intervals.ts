import { firstDayOf } from '../../../../contract/rules/energy/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { DayPlan } from './day-plans.ts'
import type { Epoch, Lines } from './lines.ts'
import type { Meter } from './meters.ts'

/**
 * The day of each meter's first reading, before which nothing is missing; one before the month `since` is as good as another.
 * Most meters are older than what is asked for, and are not even told.
 */
export async function firstDays(
  db: Db,
  meters: readonly Pick<Meter, 'meterId'>[],
  since: number,
): Promise<Map<number, number>> {
  const ids = new Set(meters.flatMap(({ meterId }) => meterId ?? []))
  const days = new Map([...ids].map((id) => [id, firstDayOf(since)]))
  if (!ids.size) return days
  const rows = await db.query<{ id: number; day: number | null; month: number | null }>(sql`
    select m.id, f.month, (select min(d.day) from meter_days d
      where d.meter_id = m.id and d.day between f.first and f.first + 30) as day
    from unnest(${numberArray([...ids])}::int[]) as m (id)
    left join lateral (select month, make_date(month / 12, month % 12 + 1, 1) - date '1970-01-01' as first
      from meter_months t where t.meter_id = m.id order by month limit 1) f on true
    where f.month is null or f.month >= ${since}::int`)
  for (const { id, day, month } of rows)
    if (month === null) days.delete(id)
    else days.set(id, day ?? firstDayOf(month))
  return days
}

/** How many ended intervals of each slot the devices of a line should have told of, from the day of their first. */
export function createExpectation(
  { epochs, keys }: Lines,
  plansOf: (epoch: Epoch) => readonly DayPlan[],
  slots: number,
  first: ReadonlyMap<number, number>,
) {
  const due = keys.map(() => new Int32Array(slots))
  for (const epoch of epochs) {
    const plans = plansOf(epoch)
    const earliest = plans[0]?.day ?? 0
    const since = new Map<number, ReadonlyMap<number, number>>()
    for (const { meterId, line, removed } of epoch.members) {
      const day = first.get(meterId)
      if (removed || day === undefined) continue
      const from = Math.max(day, earliest)
      const lengths = since.get(from) ?? lengthsSince(from, plans)
      since.set(from, lengths)
      const sums = due[line] as Int32Array
      for (const [slot, length] of lengths) (sums[slot] as number) += length
    }
  }
  return (line: number): Int32Array => due[line] as Int32Array
}

/** Ended intervals in the days from one on, of each slot that has any. */
function lengthsSince(first: number, plans: readonly DayPlan[]): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>()
  for (const { day, ended, windows } of plans)
    if (day >= first)
      for (const { slot, from, to } of windows)
        lengths.set(slot, (lengths.get(slot) ?? 0) + Math.max(0, Math.min(to, ended) - from))
  return lengths
}
