import type { MeterProposal } from '../../../contract/meters/correction-calls.ts'
import { proposeCounting } from './propose-counting.ts'
import { numberArray } from '../../store/array-literal.ts'
import { type Db, raw, sql } from '../../kernel/db.ts'

/** Time before a jump in which a fall of the counter is searched for, ms. */
const FALL_WITHIN_MS = 35 * 86_400_000
/** Condition that a reading (r) counts. */
const COUNTS = raw(`not exists (select from quarantined_readings w where w.meter_id = r.meter_id
  and w.timestamp = r.timestamp and w.reason in ('jump', 'glitch', 'dip', 'clock') and w.decision is distinct from 'accepted')`)
/** Minimum time of a step for its power, ms; the same as in judge-readings.ts. */
const MIN_STEP_MS = 60_000

interface Row {
  uid: string
  name: string | null
  firstAt: number
  first: number
  lastAt: number
  last: number
  count: number
  beforeAt: number
  before: number
  firstKw: number
  nextKw: number | null
  fallAt: number | null
  fall: number | null
  lowAt: number | null
  low: number | null
}

/** Proposals that explain the latest jump of these meters, one per meter, with the energy that would count. */
export async function proposeForMeters(db: Db, meterIds: readonly number[]): Promise<MeterProposal[]> {
  const rows = await db.query<Row>(sql`
    with newest as (
      select q.meter_id, max(q.timestamp) as timestamp from quarantined_readings q
      where q.meter_id = any(${numberArray(meterIds)}::int[]) and q.decision is null and q.reason = 'jump' group by 1
    ), counted as (
      select n.meter_id, n.timestamp as newest, b.timestamp as at, b.kwh from newest n
      cross join lateral (select r.timestamp, r.accumulate_power as kwh from readings r
        where r.meter_id = n.meter_id and r.timestamp < n.timestamp and ${COUNTS} order by r.timestamp desc limit 1) b
      where not exists (select from readings r where r.meter_id = n.meter_id and r.timestamp > n.timestamp and ${COUNTS})
    ), steps as (
      select c.meter_id, q.timestamp, q.value, lag(q.timestamp) over (w) as after,
        (q.value - coalesce(lag(q.value) over (w), c.kwh)) * 3600000
          / greatest(${MIN_STEP_MS}::float8, q.timestamp - coalesce(lag(q.timestamp) over (w), c.at)) as kw
      from counted c join quarantined_readings q on q.meter_id = c.meter_id and q.timestamp > c.at
        and q.decision is null and q.reason = 'jump'
      window w as (partition by c.meter_id order by q.timestamp)
    ), runs as (
      select meter_id, count(*)::int as count, min(timestamp) as first_at, max(timestamp) as last_at,
        (array_agg(value order by timestamp))[1] as first, (array_agg(value order by timestamp desc))[1] as last,
        max(kw) filter (where after is null) as first_kw, max(kw) filter (where after is not null) as next_kw
      from steps group by 1
    )
    select m.peripheral_uid as uid, m.peripheral_name as name, r.first_at as "firstAt", r.first, r.last_at as "lastAt", r.last,
      r.count, c.at as "beforeAt", c.kwh as before, r.first_kw as "firstKw", r.next_kw as "nextKw",
      f.timestamp as "fallAt", f.kwh as fall, l.timestamp as "lowAt", l.kwh as low
    from runs r join counted c using (meter_id) join meters m using (meter_id)
    left join lateral (select r.timestamp, r.accumulate_power as kwh from readings r
      where r.meter_id = c.meter_id and r.timestamp < c.at and r.timestamp >= c.at - ${FALL_WITHIN_MS}::bigint
        and r.accumulate_power > c.kwh and ${COUNTS} order by r.timestamp desc limit 1) f on true
    left join lateral (select r.timestamp, r.accumulate_power as kwh from readings r
      where r.meter_id = c.meter_id and r.timestamp > f.timestamp and ${COUNTS} order by r.timestamp limit 1) l on true
    order by 1`)
  return rows.flatMap((row): MeterProposal[] => {
    const fall =
      row.fallAt === null || row.fall === null || row.lowAt === null || row.low === null
        ? undefined
        : { from: { timestamp: row.fallAt, kwh: row.fall }, to: { timestamp: row.lowAt, kwh: row.low } }
    const proposal = proposeCounting({
      before: { timestamp: row.beforeAt, kwh: row.before },
      first: { timestamp: row.firstAt, kwh: row.first },
      last: { timestamp: row.lastAt, kwh: row.last },
      count: row.count,
      firstKw: row.firstKw,
      nextKw: row.nextKw ?? 0,
      fall,
    })
    if (!proposal) return []
    const shared = {
      PeripheralUID: row.uid,
      PeripheralName: row.name,
      Since: row.firstAt,
      Count: row.count,
      First: { Timestamp: row.firstAt, Value: row.first },
    }
    if (proposal.Kind === 'limit')
      return [
        {
          ...shared,
          ...proposal,
          kWh: row.last - row.before,
          Kw: Math.max(row.firstKw, row.nextKw ?? 0),
          Replacements: [],
        },
      ]
    // Part of the energy between fall and return has been counted already.
    const counted = fall ? row.before - fall.to.kwh : 0
    const kWh = row.last - (fall?.from.kwh ?? row.last) - counted
    return [{ ...shared, ...proposal, kWh, Kw: null, LimitKw: null }]
  })
}
