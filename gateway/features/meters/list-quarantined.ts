import type { meterCorrections, QuarantinedReading } from '../../../contract/meters/correction-calls.ts'
import type { Handler } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { numberArray } from '../../store/array-literal.ts'
import { type Sql, empty, raw, sql } from '../../kernel/db.ts'
import { paginate } from '../../store/page.ts'
import { proposeForMeters } from './counting-proposals.ts'
import type { Rollup } from './ports.ts'

type Row = QuarantinedReading & { placeBy: number; placeId: number }

/** §ListQuarantinedReading: newest first, paginated by key. The first page includes proposals. */
export const listQuarantinedReading =
  (rollup: Rollup): Handler<typeof meterCorrections.listQuarantinedReading> =>
  async ({ HomeID, PeripheralUID, Cursor, Limit }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    const meters = await db.query<{ meterId: number }>(sql`select meter_id as "meterId" from meters
      where tenant = ${actor.tenant} and home_id = ${HomeID}
      ${PeripheralUID === undefined ? empty : sql`and peripheral_uid = ${PeripheralUID}`}`)
    const ids = meters.map(({ meterId }) => meterId)
    await rollup.ensureFresh(db, ids)
    const page = paginate({
      by: sql`q.timestamp`,
      cast: 'bigint',
      id: sql`q.meter_id`,
      idCast: 'bigint',
      descending: true,
      Cursor,
      Limit,
    })
    const open = sql`q.meter_id = any(${numberArray(ids)}::int[]) and q.decision is null`
    const found = await db.query<Row>(
      withReadingsBefore(sql`select q.meter_id, q.timestamp, q.value, q.reason, ${page.place}
        from quarantined_readings q where ${open} and ${page.after} ${page.order}`),
    )
    const [count] = await db.query<{ total: number }>(
      sql`select count(*) as total from quarantined_readings q where ${open}`,
    )
    const Total = count?.total ?? 0
    const isFirst = Cursor === undefined
    return {
      ...page.answer<QuarantinedReading>(found),
      Total,
      Proposals: isFirst && Total > 0 ? await proposeForMeters(db, ids) : [],
    }
  }

/** Condition that a quarantined reading (w) is among the stored readings and does not count. */
const IS_LEFT_OUT = raw(
  `w.reason in ('jump', 'glitch', 'dip', 'clock') and w.decision is distinct from 'accepted'`,
)

/**
 * Rows of a page with the last counting reading before each. Readings that do not count are skipped one by one only before the
 * earliest row of each meter; later rows continue from the reading just before, so that a long run is read once.
 */
export const withReadingsBefore = (page: Sql): Sql => sql`
  with page as materialized (${page}),
  spans as (select meter_id, min(timestamp) as first, max(timestamp) as last from page group by 1),
  nearest as (
    select s.meter_id, s.first as timestamp, b.timestamp as at, b.kwh, false as goes_on
    from spans s left join lateral (select r.timestamp, r.accumulate_power as kwh from readings r
      where r.meter_id = s.meter_id and r.timestamp < s.first and not exists (select from quarantined_readings w
        where w.meter_id = r.meter_id and w.timestamp = r.timestamp and ${IS_LEFT_OUT})
      order by r.timestamp desc limit 1) b on true
    union all
    select q.meter_id, q.timestamp, n.timestamp, n.kwh, w.meter_id is not null
    from spans s join quarantined_readings q on q.meter_id = s.meter_id and q.timestamp > s.first and q.timestamp <= s.last
    left join lateral (select r.timestamp, r.accumulate_power as kwh from readings r
      where r.meter_id = q.meter_id and r.timestamp < q.timestamp order by r.timestamp desc limit 1) n on true
    left join quarantined_readings w on w.meter_id = q.meter_id and w.timestamp = n.timestamp and ${IS_LEFT_OUT}
  ), runs as (
    select *, count(*) filter (where not goes_on) over (partition by meter_id order by timestamp) as run from nearest
  ), befores as (
    select meter_id, timestamp, first_value(at) over (w) as at, first_value(kwh) over (w) as kwh
    from runs window w as (partition by meter_id, run order by timestamp)
  )
  select m.peripheral_uid as "PeripheralUID", m.peripheral_name as "PeripheralName", p.timestamp as "Timestamp",
    p.value as "Value", p.reason as "Reason", p."placeBy", p."placeId",
    case when p.reason = 'conflict' then (select r.accumulate_power from readings r
      where r.meter_id = p.meter_id and r.timestamp = p.timestamp) end as "Stored",
    case when b.at is not null then jsonb_build_object('Timestamp', b.at, 'kWh', b.kwh) end as "Before"
  from page p join meters m using (meter_id) left join befores b on b.meter_id = p.meter_id and b.timestamp = p.timestamp
  order by p."placeBy" desc, p."placeId" desc`
