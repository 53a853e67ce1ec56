import { dayOf, firstDayOf } from '../../../../contract/rules/energy/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { DayPlan } from './day-plans.ts'
import type { Epoch, Lines } from './lines.ts'

/**
 * The day of each meter's first reading, before which nothing is missing; one before the month `since` is as good as another.
 * Most meters are older than what is asked for, and are not even told. A meter of which nothing counts yet, because its readings are
 * quarantined, has begun with the first that is stored.
 */
export async function firstDays(
  db: Db,
  epochs: readonly Epoch[],
  since: number,
  zone: string,
): Promise<Map<number, number>> {
  const ids = new Set(epochs.flatMap(({ members }) => members.map(({ meterId }) => meterId)))
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
      case when f.month is null and exists (select from quarantined_readings q where q.meter_id = m.id and q.decision is null
          and q.reason in ('jump', 'glitch'))
        then (select r.timestamp from readings r where r.meter_id = m.id order by r.timestamp limit 1) end as stored
    from unnest(${numberArray([...ids])}::int[]) as m (id)
    left join lateral (select month, make_date(month / 12, month % 12 + 1, 1) - date '1970-01-01' as first
      from meter_months t where t.meter_id = m.id order by month limit 1) f on true
    where f.month is null or f.month >= ${since}::int`)
  for (const { id, day, month, stored } of rows)
    if (month === null) {
      if (stored === null) days.delete(id)
      else days.set(id, dayOf(stored, zone))
    } else days.set(id, day ?? firstDayOf(month))
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
    const since = new Map<number, Int32Array>()
    for (const { meterId, line, removed } of epoch.members) {
      const day = first.get(meterId)
      if (removed || day === undefined) continue
      const from = Math.max(day, earliest)
      const lengths = since.get(from) ?? lengthsSince(from, plans, slots)
      since.set(from, lengths)
      const sums = due[line] as Int32Array
      for (let i = 0; i < slots; i++) (sums[i] as number) += lengths[i] as number
    }
  }
  return (line: number): Int32Array => due[line] as Int32Array
}

/** Ended intervals of each slot in the days from one on. */
function lengthsSince(first: number, plans: readonly DayPlan[], slots: number): Int32Array {
  const lengths = new Int32Array(slots)
  for (const { day, ended, windows } of plans)
    if (day >= first)
      for (const { slot, from, to } of windows)
        (lengths[slot] as number) += Math.max(0, Math.min(to, ended) - from)
  return lengths
}
