import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type DayClock, type DayPlan, plansWithin } from './day-plans.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import { tableOf } from '../meters/members.ts'

/**
 * Number of ended intervals of each line and slot with a quarantined reading that awaits a decision. Corrected intervals do not count; a
 * meter without any accepted reading does. A reading belongs to the interval that it ends.
 */
export async function quarantinedIntervals(
  db: Db,
  { epochs, keys, meters }: MeterGroups,
  plans: readonly DayPlan[],
  slots: number,
  clock: DayClock,
): Promise<Int32Array[]> {
  const quarantined = keys.map(() => new Int32Array(slots))
  const waiting = await metersWaiting(db, meters)
  if (waiting.size === 0) return quarantined
  for (const epoch of epochs) {
    const members = epoch.members.filter(({ meterId }) => waiting.has(meterId))
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
      const slot = parts[part]?.slot ?? NONE
      if (slot !== NONE)
        (quarantined[line] as Int32Array)[slot] = (quarantined[line]?.[slot] ?? 0) + Number(count)
    }
  }
  return quarantined
}

/** Meters with a reading that awaits a decision. Usually there are none, and no further query is needed. */
async function metersWaiting(db: Db, meters: MeterGroups['meters']): Promise<ReadonlySet<number>> {
  const all = meters.flatMap(({ meterId }) => meterId ?? [])
  const rows = await db.query<{ id: number }>(sql`
    select distinct meter_id as id from quarantined_readings
    where meter_id = any(${numberArray(all)}::int[]) and decision is null and reason in ('jump', 'glitch')`)
  return new Set(rows.map(({ id }) => id))
}

const NONE = -1

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
      if (before && before.to < from) parts.push({ from: before.to, to: from, slot: NONE })
      if (before?.slot === window.slot && before.to === from) before.to = to
      else parts.push({ from, to, slot: window.slot })
    }
  }
  return parts
}
