import {
  type ImportedMeter,
  MAX_IMPORTED_METERS,
  MAX_NAMED_ROWS,
  type MeterImport,
  type MeterImportCheck,
  PLAUSIBLE_RATIO,
  type RowOverLimit,
} from '../../../contract/meters/import-calls.ts'
import { deviceOfMeter } from '../../../contract/devices/kinds/meter-id.ts'
import { defaultRoleOf, type MeterRole } from '../../../contract/devices/meter-roles.ts'
import { type DatedValue, valueOn } from '../../../contract/meters/meter-facts.ts'
import { MIN_SPAN_MS } from '../../../contract/meters/validate-readings.ts'
import { DAY_MS, dayOf, QUARTER_MS, quartersOfDay, startOfDay } from '../../../contract/time/periods.ts'
import { factsOfHome } from '../../domain/meters/meter-facts.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { type Db, raw, type Sql, sql } from '../../kernel/db.ts'
import { numberArray } from '../../store/sql.ts'
import type { ImportPorts } from './ports.ts'

const HOUR_MS = 3_600_000
/** Number of days that a monthly cost is computed for. */
const DAYS_OF_MONTH = 30
/** Roles of meters whose energy is bought at the home's tariff. */
const BUYERS: readonly MeterRole[] = ['load', 'gridImport', 'storageCharge', 'check']
/** Letters of `meter_days.quality` for energy that was neither measured nor entered (contract/meters/intervals.ts). */
const UNKNOWN_LETTERS = 'eq-'
/** Minimum stored energy of a compared day, kWh; less is rounding. */
const MIN_STORED_KWH = 1e-6
/** Maximum length of a day, ms. */
const LONGEST_DAY_MS = DAY_MS + HOUR_MS

type Draft = Pick<MeterImport, 'MeterImportID' | 'Kind'>

/** Energy of rows, and the time over which they measure it. */
interface Energy {
  kwh: number
  /** Epoch ms. */
  from: number
  /** Total length of the rows, ms. */
  ms: number
}

/** New rows of a meter; the conflicting ones, without energy, if none is new. */
export interface DraftMeter extends Energy {
  meterId: number
  uid: string
  hasNew: boolean
  /** End of the last row, epoch ms. */
  through: number
  /** Timestamp of the last row, epoch ms. */
  last: number
  /** Extent of all valid rows, including identical ones, epoch ms. */
  earliest: number
  latest: number
}

/** Comparison of a meter's rows with the stored energy of the same time. */
interface Comparison {
  ratio: number
  overlaps: number
}

const isNew = sql`verdict is null`

/** Energy of the valid rows: of an interval, or since the previous row of a counter. */
function spansOfDraft({ MeterImportID, Kind }: Draft): Sql {
  const rows = sql`meter_import_rows
    where meter_import_id = ${MeterImportID} and (${isNew} or verdict in ('same', 'conflict'))`
  return Kind === 'interval'
    ? sql`select meter_id, verdict, timestamp, timestamp as begins, timestamp + quarters * ${QUARTER_MS}::bigint as ends,
        value as kwh from ${rows}`
    : sql`select meter_id, verdict, timestamp, coalesce(lag(timestamp) over earlier, timestamp) as begins, timestamp as ends,
        greatest(0, coalesce(value - lag(value) over earlier, 0)) as kwh
      from ${rows} window earlier as (partition by meter_id order by timestamp)`
}

/** Reads the meters of a validated draft that have new or conflicting rows, by ID. */
export function readDraftMeters(db: Db, draft: Draft): Promise<DraftMeter[]> {
  const ofRows = (value: Sql) =>
    sql`coalesce(${value} filter (where ${isNew}), ${value} filter (where verdict = 'conflict'))`
  return db.query<DraftMeter>(sql`
    select s.meter_id as "meterId", m.peripheral_uid as uid, bool_or(${isNew}) as "hasNew",
      coalesce(sum(s.kwh) filter (where ${isNew}), 0) as kwh,
      coalesce(sum(s.ends - s.begins) filter (where ${isNew}), 0)::float8 as ms,
      ${ofRows(sql`min(s.begins)`)} as from, ${ofRows(sql`max(s.ends)`)} as through, ${ofRows(sql`max(s.timestamp)`)} as last,
      min(s.begins) as earliest, max(s.ends) as latest
    from (${spansOfDraft(draft)}) s join meters m using (meter_id) group by 1, 2
    having bool_or(verdict is distinct from 'same') order by 2`)
}

/** Energy of the new rows as it would be stored: that of a counter since the previous row or stored reading, whichever is later. */
function newSpans({ MeterImportID, Kind }: Draft): Sql {
  const rows = sql`meter_import_rows where meter_import_id = ${MeterImportID} and ${isNew}`
  if (Kind === 'interval')
    return sql`select line, meter_id, timestamp, timestamp as begins, value as kwh, value * 4 / quarters as kw from ${rows}`
  const counts = sql`(select 1 from quarantined_readings q where q.meter_id = s.meter_id and q.timestamp = s.timestamp
    and q.reason in ('jump', 'glitch', 'dip', 'clock') and q.decision is distinct from 'accepted') is null`
  return sql`
    select line, meter_id, timestamp, begins, kwh,
      kwh * ${HOUR_MS}::float8 / greatest(${MIN_SPAN_MS}::bigint, timestamp - begins) as kw
    from (
      select line, meter_id, timestamp, lag(timestamp) over earlier as begins,
        greatest(0, value - lag(value) over earlier) as kwh
      from (
        select line, meter_id, timestamp, value from ${rows}
        union all
        select null, s.meter_id, s.timestamp, s.accumulate_power
        from (select meter_id, min(timestamp) as first, max(timestamp) as last from ${rows} group by meter_id) w
        join meter_last using (meter_id)
        cross join lateral (
          (select s.* from readings s where s.meter_id = w.meter_id and s.timestamp < w.first and ${counts}
            order by s.timestamp desc limit 1)
          union all
          (select s.* from readings s where s.meter_id = w.meter_id and s.timestamp between w.first and w.last
            and ${counts})
        ) s
      ) series window earlier as (partition by meter_id order by timestamp)
    ) spans where line is not null and begins is not null`
}

/** New rows of a meter with its highest power, in kW. */
interface Peak extends Energy {
  meterId: number
  kw: number
}

/** Limits of a meter by local day, in kW. */
type LimitsOf = (meterId: number) => readonly DatedValue<number>[]

/**
 * Reads the highest power of each meter, and the rows above the limit of their meter on their day.
 *
 * count  number of all these rows
 */
async function readPeaks(
  db: Db,
  draft: Draft,
  meters: readonly DraftMeter[],
  { limitsOf, zone }: { limitsOf: LimitsOf; zone: string },
): Promise<{ peaks: Peak[]; rows: RowOverLimit[]; count: number }> {
  const limits = meters.flatMap(({ meterId }) => {
    const startsOf = limitsOf(meterId)
    return startsOf.map(({ from, value }, i) => ({
      meterId,
      value,
      from: i === 0 ? 0 : startOfDay(from, zone),
      to: startsOf[i + 1] ? startOfDay((startsOf[i + 1] as DatedValue<number>).from, zone) : Infinity,
    }))
  })
  const [found] = await db.query<{ peaks: Peak[]; rows: RowOverLimit[]; count: number }>(sql`
    with spans as materialized (${newSpans(draft)}),
    limits as materialized (select * from unnest(${numberArray(limits.map(({ meterId }) => meterId))}::int[],
      ${numberArray(limits.map(({ from }) => from))}::bigint[],
      ${numberArray(limits.map(({ to }) => (to === Infinity ? undefined : to)))}::bigint[],
      ${numberArray(limits.map(({ value }) => value))}::float8[]) as l (meter_id, begins, ends, kw)),
    above as materialized (
      select s.line, s.meter_id, s.timestamp, s.kw, l.kw as limit_kw from spans s join limits l on l.meter_id = s.meter_id
      where s.timestamp >= l.begins and (l.ends is null or s.timestamp < l.ends) and s.kw > l.kw)
    select (select coalesce(json_agg(p), '[]') from (
        select meter_id as "meterId", max(kw) as kw, sum(kwh) as kwh, min(begins) as from, sum(timestamp - begins)::float8 as ms
        from spans group by meter_id) p) as peaks,
      (select coalesce(json_agg(r), '[]') from (
        select line as "Row", peripheral_uid as "PeripheralUID", timestamp as "Timestamp", kw as "kW", limit_kw as "LimitKw"
        from above join meters using (meter_id) order by line limit ${MAX_NAMED_ROWS}::int) r) as rows,
      (select count(*) from above) as count`)
  return found as NonNullable<typeof found>
}

/** Local day of a time, as `dayOf` numbers days. */
const localDay = (timestamp: Sql, zone: string): Sql =>
  sql`((to_timestamp((${timestamp})::float8 / 1000) at time zone ${zone})::date - date '1970-01-01')`

/**
 * Compares the valid rows of a draft with the stored energy of their meters, which must be rolled up and must not contain the draft:
 * by local day, or over a longer row or stored correction, as the energy within it is not known by day.
 *
 * returns  by meter; meters without a comparison are absent
 */
async function compareWithStored(
  db: Db,
  draft: Draft,
  meters: readonly DraftMeter[],
  zone: string,
): Promise<Map<number, Comparison>> {
  const ids = numberArray(meters.map(({ meterId }) => meterId))
  const [first, last] = [minOf(meters, 'earliest'), maxOf(meters, 'latest')]
  const days = sql`meter_id = any(${ids}::int[])
    and day between ${dayOf(first, zone) - 1}::int and ${dayOf(last, zone) + 1}::int`
  const stored = await db.query(sql`select 1 from meter_days where ${days} limit 1`)
  if (stored.length === 0) return new Map()
  // Most days of a file are one run of rows, which is compared as a whole: two lookups a day instead of two a row.
  const rows = await db.query<Comparison & { meterId: number }>(sql`
    with spans as materialized (
      select meter_id, ${localDay(sql`begins`, zone)} as day, begins, ends, kwh
      from (${spansOfDraft(draft)}) s where ends > begins
    ), runs as materialized (
      select meter_id, day, min(begins) as begins, max(ends) as ends, sum(kwh) as kwh,
        sum(ends - begins) = max(ends) - min(begins) as "isRun" from spans group by meter_id, day
    ), days as materialized (
      select meter_id, day, cumulative, quality, starts, coalesce(sum(kwh) over earlier, 0) as kwh,
        coalesce(sum(known) over earlier, 0) as known
      from (select meter_id, day, cumulative, quality, cumulative[cardinality(cumulative)] as kwh,
          length(translate(quality, ${UNKNOWN_LETTERS}, '')) as known,
          extract(epoch from (date '1970-01-01' + day)::timestamp at time zone ${zone})::float8 * 1000 / ${QUARTER_MS} as starts
        from meter_days where ${days}) d
      window earlier as (partition by meter_id order by day rows between unbounded preceding and 1 preceding)
    ), compared as materialized (
      select s.meter_id, s.day, s.kwh, "isRun" and ${isKnown} as "isKnown", ${storedKwh} as stored from runs s ${daysOf(zone)}
    ), measured as (
      select meter_id, day, kwh, stored from compared where "isKnown"
      union all
      select meter_id, day, sum(kwh), sum(stored) from (
        select s.meter_id, s.day, s.kwh, ${storedKwh} as stored
        from (select * from compared where not "isKnown") c join spans s on s.meter_id = c.meter_id and s.day = c.day ${daysOf(zone)}
        where ${isKnown} offset 0) of_rows
      group by meter_id, day
    ), long as materialized (
      select meter_id, ${localDay(sql`from_timestamp`, zone)} as first_day, ${localDay(sql`to_timestamp - 1`, zone)} as last_day
      from meter_corrections where meter_id = any(${ids}::int[]) and undone_at is null and kind = 'interval'
        and to_timestamp - from_timestamp > ${LONGEST_DAY_MS}::bigint
        and from_timestamp < ${last}::bigint and to_timestamp > ${first}::bigint
    ), divided as (
      select m.meter_id, coalesce(min(l.first_day), m.day) as part, m.kwh, m.stored
      from measured m left join long l on l.meter_id = m.meter_id and m.day between l.first_day and l.last_day
      group by m.meter_id, m.day, m.kwh, m.stored
    ), parts as (
      select meter_id, sum(kwh) / sum(stored) as ratio from divided group by meter_id, part
      having sum(stored) > ${MIN_STORED_KWH}::float8
    )
    select meter_id as "meterId", percentile_cont(0.5) within group (order by ratio) as ratio, count(*) as overlaps
    from parts group by meter_id`)
  return new Map(rows.map(({ meterId, ...comparison }) => [meterId, comparison]))
}

/** Joins the stored days in which a span `s` begins (`a`) and ends (`z`). */
const daysOf = (zone: string): Sql =>
  sql`join days a on a.meter_id = s.meter_id and a.day = s.day
    left join days z on z.meter_id = s.meter_id and z.day = ${localDay(sql`s.ends - 1`, zone)}`

/** Position of a time within a stored day, in quarter-hours. */
const placeIn = (day: 'a' | 'z', time: 'begins' | 'ends'): Sql =>
  sql`(s.${raw(time)}::float8 / ${QUARTER_MS} - ${raw(day)}.starts)`

/** Energy of a stored day, and of the days before it, up to a time. */
function energyUntil(day: 'a' | 'z', time: 'begins' | 'ends'): Sql {
  const place = placeIn(day, time)
  const until = (quarters: Sql) =>
    sql`coalesce(${raw(`${day}.cumulative`)}[least((${quarters})::int, cardinality(${raw(`${day}.cumulative`)}))], 0)`
  const [before, after] = [until(sql`floor(${place})`), until(sql`ceil(${place})`)]
  return sql`(${raw(day)}.kwh + ${before} + (${place} - floor(${place})) * (${after} - ${before}))`
}

/** Stored energy of a span `s`. */
const storedKwh = sql`(${energyUntil('z', 'ends')} - ${energyUntil('a', 'begins')})`

/** Number of known intervals of a stored day, and of the days before it, up to a position in it. */
const knownUntil = (day: 'a' | 'z', place: Sql): Sql =>
  sql`(${raw(day)}.known + length(translate(left(${raw(day)}.quality, (${place})::int), ${UNKNOWN_LETTERS}, '')))`

/** Whether the stored energy of all intervals of a span `s` is known. */
const isKnown = sql`coalesce(${knownUntil('z', sql`ceil(${placeIn('z', 'ends')})`)} - ${knownUntil('a', sql`floor(${placeIn('a', 'begins')})`)}
  = ceil(s.ends::float8 / ${QUARTER_MS}) - floor(s.begins::float8 / ${QUARTER_MS}), false)`

const minOf = <K extends string>(rows: readonly Record<K, number>[], key: K): number =>
  rows.reduce((least, row) => Math.min(least, row[key]), Infinity)
const maxOf = <K extends string>(rows: readonly Record<K, number>[], key: K): number =>
  rows.reduce((most, row) => Math.max(most, row[key]), -Infinity)

type Figures = Pick<MeterImportCheck, 'Meters' | 'OverLimit' | 'OverLimitCount'> & {
  /** Whether the energy of a meter differs from what is stored. */
  isUnlike: boolean
}

/**
 * Reads the figures of the meters of a validated draft, and the rows above their limit. The meters must be rolled up, without the draft.
 */
export async function readFigures(
  ports: ImportPorts,
  context: SignedIn,
  { draft, meters, zone }: { draft: MeterImport; meters: readonly DraftMeter[]; zone: string },
): Promise<Figures> {
  if (meters.length === 0) return { Meters: [], OverLimit: [], OverLimitCount: 0, isUnlike: false }
  const { db } = context
  const limitsOf = await ports.readLimitsBetween(
    db,
    meters.map(({ meterId }) => meterId),
    { first: dayOf(minOf(meters, 'from'), zone), last: dayOf(maxOf(meters, 'last'), zone) },
  )
  // Rows that were just added have no statistics: the planner would expect one or two and choose a nested loop.
  await db.query(sql`set local enable_nestloop = off`)
  const comparisons = await compareWithStored(db, draft, meters, zone)
  const { peaks, rows, count } = await readPeaks(db, draft, meters, { limitsOf, zone })
  await db.query(sql`set local enable_nestloop to default`)
  const peakOf = new Map(peaks.map((peak) => [peak.meterId, peak]))
  const costOf = await readCosts(ports, context, draft.HomeID, zone)
  const Meters = meters.slice(0, MAX_IMPORTED_METERS).map((meter): ImportedMeter => {
    const peak = peakOf.get(meter.meterId)
    const comparison = comparisons.get(meter.meterId)
    // A single counter value is compared with the stored reading before it.
    const { kwh, from, ms } = meter.ms > 0 || !peak ? meter : peak
    const perDay = meter.through > from ? (kwh * DAY_MS) / (meter.through - from) : 0
    const lastDay = dayOf(meter.last, zone)
    return {
      PeripheralUID: meter.uid,
      kWh: kwh,
      From: from,
      Through: meter.through,
      PerDay: perDay,
      MeanKw: ms > 0 ? (kwh * HOUR_MS) / ms : null,
      MaxKw: peak?.kw ?? null,
      LimitKw: valueOn(limitsOf(meter.meterId), lastDay) as number,
      Ratio: comparison?.ratio ?? null,
      Overlaps: comparison?.overlaps ?? 0,
      CostPerMonth: costOf(meter.uid, lastDay, perDay),
    }
  })
  const isUnlike = [...comparisons.values()].some(
    ({ ratio }) => ratio < PLAUSIBLE_RATIO.min || ratio > PLAUSIBLE_RATIO.max,
  )
  return { Meters, OverLimit: rows, OverLimitCount: count, isUnlike }
}

/**
 * Prepares the cost of a meter's energy in 30 days at the present prices of its home, as if it were used evenly and alone.
 *
 * returns  energy charge in NT$; null without a price today, and for energy that is not bought
 */
async function readCosts(
  ports: ImportPorts,
  { db, actor, clock }: SignedIn,
  HomeID: string,
  zone: string,
): Promise<(uid: string, day: number, perDay: number) => number | null> {
  const billing = await ports.readBilling(db, actor.tenant, { HomeID, zone })
  const today = dayOf(clock.now(), zone)
  let FromDay = today - DAYS_OF_MONTH + 1
  while (FromDay <= today && !billing.versionOn(FromDay)) FromDay++
  const days = today - FromDay + 1
  if (days === 0) return () => null
  const facts = await factsOfHome(db, actor.tenant, HomeID)
  const period = { FromDay, EndDay: today + 1, Months: days / DAYS_OF_MONTH }
  return (uid, day, perDay) => {
    const role = facts.on(uid, 'role', day) ?? defaultRoleOf(uid)
    if (deviceOfMeter(uid).isReturn || !BUYERS.includes(role)) return null
    const profile = Array.from({ length: days }, (_, i) => {
      const quarters = quartersOfDay(FromDay + i, zone)
      return [FromDay + i, { kWh: new Float64Array(quarters).fill(perDay / quarters) }] as const
    })
    const bill = billing.billOf(period, new Map(profile))
    return bill && (bill.Energy * DAYS_OF_MONTH) / days
  }
}
