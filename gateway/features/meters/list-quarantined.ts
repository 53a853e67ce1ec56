import type {
  meterCorrections,
  QuarantinedReading,
  MeterProposal,
} from '../../../contract/meters/correction-calls.ts'
import type { Handler } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { numberArray } from '../../store/sql.ts'
import { type Sql, empty, raw, sql, type Db } from '../../kernel/db.ts'
import { paginate } from '../../store/page.ts'
import type { Sample } from '../../../contract/meters/intervals.ts'
import { CEILING_KW } from '../../../contract/meters/validate-readings.ts'
import type { Rollup } from './ports.ts'

/** Minimum number of readings, and minimum time in ms, after which a jump is lasting. */
const LASTING = { readings: 3, ms: 3_600_000 } as const
/** Maximum ratio of the first step to the following ones at which the power has risen; a larger one means another level of the counter. */
const TIMES_NEXT = 2
/** Factor by which a proposed limit exceeds the observed power. */
const MARGIN = 1.2

/** A run of readings quarantined as jumps that has not ended. */
interface JumpRun {
  /** The last reading that counts, before the run. */
  before: Sample
  first: Sample
  last: Sample
  count: number
  /** Power of the step to the first reading, and the highest of the steps within the run, in kW. */
  firstKw: number
  nextKw: number
  /** Last reading before the counter fell, and the first after it; undefined if it did not fall recently. */
  fall?: { from: Sample; to: Sample } | undefined
}

type CountingProposal =
  | { Kind: 'limit'; LimitKw: number }
  | { Kind: 'replacements'; Replacements: { At: number; OldKwh: number; NewKwh: number }[] }

/** Proposal that makes a lasting jump count once a person accepts it; undefined if nothing explains the jump. */
function proposeCounting(run: JumpRun): CountingProposal | undefined {
  const { before, first, last, count, firstKw, nextKw, fall } = run
  if (count < LASTING.readings || last.timestamp - first.timestamp < LASTING.ms) return undefined
  if (firstKw <= TIMES_NEXT * nextKw) {
    const LimitKw = roundUp(MARGIN * Math.max(firstKw, nextKw))
    return LimitKw <= CEILING_KW ? { Kind: 'limit', LimitKw } : undefined
  }
  if (!fall || first.kwh < fall.from.kwh) return undefined
  // The energy counted between fall and return is part of the counter's movement until it returned.
  const counted = before.kwh - fall.to.kwh
  return {
    Kind: 'replacements',
    Replacements: [
      { At: fall.to.timestamp, OldKwh: fall.from.kwh, NewKwh: fall.to.kwh },
      {
        At: first.timestamp,
        OldKwh: before.kwh,
        NewKwh: Math.min(first.kwh, fall.from.kwh + counted),
      },
    ],
  }
}

/** Rounds up to two significant digits. */
function roundUp(kw: number): number {
  const step = 10 ** (Math.floor(Math.log10(kw)) - 1)
  return Math.round(Math.ceil(kw / step) * step * 1e6) / 1e6
}

/** Time before a jump in which a fall of the counter is searched for, ms. */
const FALL_WITHIN_MS = 35 * 86_400_000
/** Condition that a reading (r) counts. */
const COUNTS = raw(`not exists (select from quarantined_readings w where w.meter_id = r.meter_id
  and w.timestamp = r.timestamp and w.reason in ('jump', 'glitch', 'dip', 'clock') and w.decision is distinct from 'accepted')`)
/** Minimum time of a step for its power, ms; the same as in judge-readings.ts. */
const MIN_STEP_MS = 60_000

interface ProposalRow {
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
async function proposeForMeters(db: Db, meterIds: readonly number[]): Promise<MeterProposal[]> {
  const rows = await db.query<ProposalRow>(sql`
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
      isDescending: true,
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
      ...page.toPage<QuarantinedReading>(found),
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
