import { MAX_NAMED_ROWS, type MeterImport, type RowOverLimit } from '../../../contract/meters/import-calls.ts'
import type { DatedValue } from '../../../contract/meters/meter-facts.ts'
import { MIN_SPAN_MS } from '../../../contract/meters/validate-readings.ts'
import { DAY_MS, dayOf, offsetAt, QUARTER_MS, startOfDay } from '../../../contract/time/periods.ts'
import { type Db, raw, type Sql, sql } from '../../kernel/db.ts'
import { numberArray } from '../../store/sql.ts'

const HOUR_MS = 3_600_000
/** Letters of `meter_days.quality` for energy that was neither measured nor entered (contract/meters/intervals.ts). */
const UNKNOWN_LETTERS = 'eq-'
/** Minimum stored energy of a compared day, kWh; less is rounding. */
const MIN_STORED_KWH = 1e-6
/** Maximum length of a day, ms. */
const LONGEST_DAY_MS = DAY_MS + HOUR_MS

type Draft = Pick<MeterImport, 'MeterImportID' | 'Kind'>

/** Meter of a draft. Times are epoch ms, those of its new rows; of its conflicting rows if none is new. */
export interface DraftMeter {
  meterId: number
  uid: string
  hasNew: boolean
  /** Timestamps of the first and the last row, and end of the last one. */
  first: number
  last: number
  through: number
  /** Extent of all valid rows, including identical ones. */
  earliest: number
  latest: number
}

const isNew = sql`verdict is null`
const validRows = ({ MeterImportID }: Draft) => sql`meter_import_rows
  where meter_import_id = ${MeterImportID} and (${isNew} or verdict in ('same', 'conflict'))`
const intervalEnd = sql`timestamp + quarters * ${QUARTER_MS}::bigint`
const idsOf = (meters: readonly DraftMeter[]) => numberArray(meters.map(({ meterId }) => meterId))

/** Reads the meters of a validated draft that have new or conflicting rows, by ID. */
export function readDraftMeters(db: Db, draft: Draft): Promise<DraftMeter[]> {
  const ofRows = (value: Sql) =>
    sql`coalesce(${value} filter (where ${isNew}), ${value} filter (where verdict = 'conflict'))`
  const end = draft.Kind === 'interval' ? intervalEnd : sql`timestamp`
  return db.query<DraftMeter>(sql`
    select w.*, m.peripheral_uid as uid from (
      select meter_id as "meterId", bool_or(${isNew}) as "hasNew", ${ofRows(sql`min(timestamp)`)} as first,
        ${ofRows(sql`max(timestamp)`)} as last, ${ofRows(sql`max(${end})`)} as through,
        min(timestamp) as earliest, max(${end}) as latest
      from ${validRows(draft)} group by meter_id having bool_or(verdict is distinct from 'same')
    ) w join meters m on m.meter_id = w."meterId" order by m.peripheral_uid`)
}

/** Energy of the valid rows: of an interval, or since the previous row of a counter. */
const spansOfFile = (draft: Draft): Sql =>
  draft.Kind === 'interval'
    ? sql`select meter_id, verdict, timestamp as begins, ${intervalEnd} as ends, value as kwh from ${validRows(draft)}`
    : sql`select meter_id, verdict, coalesce(lag(timestamp) over earlier, timestamp) as begins, timestamp as ends,
        greatest(0, coalesce(value - lag(value) over earlier, 0)) as kwh
      from ${validRows(draft)} window earlier as (partition by meter_id order by timestamp)`

/** Energy of a meter's new rows, and the comparison of its valid rows with the stored energy of the same time. */
export interface DraftEnergy {
  kwh: number
  /** Beginning of the first new row, epoch ms; null if none is new. */
  from: number | null
  /** Total length of the new rows, ms. */
  ms: number
  /** Median of imported to stored energy, and number of compared parts; null if nothing could be compared. */
  ratio: number | null
  overlaps: number | null
}

/** Returns the local day of a column of epoch ms between `from` and `to`, as `dayOf` numbers days. */
function localDays(zone: string, from: number, to: number): (timestamp: Sql) => Sql {
  const offset = offsetAt(from, zone)
  let at = from
  while (at < to && offsetAt(at, zone) === offset) at += DAY_MS
  // Without a clock change, a division takes a quarter of the time of a conversion.
  if (at >= to && offsetAt(to, zone) === offset)
    return (timestamp) => sql`((${timestamp} + ${offset}::bigint) / ${DAY_MS}::bigint)::int`
  return (timestamp) =>
    sql`((to_timestamp((${timestamp})::float8 / 1000) at time zone ${zone})::date - date '1970-01-01')`
}

/**
 * Reads the energy of the rows by meter. The meters must be rolled up, without the draft. Rows are compared by local day, or over a longer
 * row or stored correction, as the energy within that is not known by day.
 */
export async function readDraftEnergy(
  db: Db,
  draft: Draft,
  meters: readonly DraftMeter[],
  zone: string,
): Promise<Map<number, DraftEnergy>> {
  const ids = idsOf(meters)
  const earliest = Math.min(...meters.map((meter) => meter.earliest))
  const latest = Math.max(...meters.map((meter) => meter.latest))
  const localDay = localDays(zone, earliest, latest)
  const daysOf = sql`join days a on a.meter_id = s.meter_id and a.day = s.day
    left join days z on z.meter_id = s.meter_id and z.day = ${localDay(sql`s.ends - 1`)}`
  // Most days of a file are one run of rows and compared as a whole: two lookups a day instead of two a row.
  const rows = await db.query<DraftEnergy & { meterId: number }>(sql`
    with spans as materialized (
      select meter_id, verdict, ${localDay(sql`begins`)} as day, begins, ends, kwh from (${spansOfFile(draft)}) s
    ), runs as materialized (
      select meter_id, day, min(begins) as begins, max(ends) as ends, sum(kwh) as kwh,
        sum(ends - begins) = max(ends) - min(begins) as is_run, sum(kwh) filter (where ${isNew}) as new_kwh,
        sum(ends - begins) filter (where ${isNew}) as new_ms, min(begins) filter (where ${isNew}) as new_begins
      from spans group by meter_id, day
    ), days as materialized (
      select meter_id, day, cumulative, quality, starts, coalesce(sum(kwh) over earlier, 0) as kwh,
        coalesce(sum(known) over earlier, 0) as known
      from (select meter_id, day, cumulative, quality, cumulative[cardinality(cumulative)] as kwh,
          length(translate(quality, ${UNKNOWN_LETTERS}, '')) as known,
          extract(epoch from (date '1970-01-01' + day)::timestamp at time zone ${zone})::float8 * 1000 / ${QUARTER_MS} as starts
        from meter_days where meter_id = any(${ids}::int[])
          and day between ${dayOf(earliest, zone) - 1}::int and ${dayOf(latest, zone) + 1}::int) d
      window earlier as (partition by meter_id order by day rows between unbounded preceding and 1 preceding)
    ), compared as materialized (
      select s.meter_id, s.day, s.kwh, s.is_run and ${isKnown} as is_known, ${storedKwh} as stored from runs s ${daysOf}
    ), measured as (
      select meter_id, day, kwh, stored from compared where is_known
      union all
      select meter_id, day, sum(kwh), sum(stored) from (
        select s.meter_id, s.day, s.kwh, ${storedKwh} as stored
        from (select * from compared where not is_known) c join spans s on s.meter_id = c.meter_id and s.day = c.day ${daysOf}
        where ${isKnown} offset 0) of_rows
      group by meter_id, day
    ), long as materialized (
      select meter_id, ${localDay(sql`greatest(from_timestamp, ${earliest}::bigint)`)} as first_day,
        ${localDay(sql`least(to_timestamp, ${latest}::bigint) - 1`)} as last_day
      from meter_corrections where meter_id = any(${ids}::int[]) and undone_at is null and kind = 'interval'
        and to_timestamp - from_timestamp > ${LONGEST_DAY_MS}::bigint
        and from_timestamp < ${latest}::bigint and to_timestamp > ${earliest}::bigint
    ), divided as (
      select m.meter_id, coalesce(min(l.first_day), m.day) as part, m.kwh, m.stored
      from measured m left join long l on l.meter_id = m.meter_id and m.day between l.first_day and l.last_day
      group by m.meter_id, m.day, m.kwh, m.stored
    ), parts as (
      select meter_id, sum(kwh) / sum(stored) as ratio from divided group by meter_id, part
      having sum(stored) > ${MIN_STORED_KWH}::float8
    )
    select e.*, r.ratio, r.overlaps from (
      select meter_id as "meterId", coalesce(sum(new_kwh), 0) as kwh, coalesce(sum(new_ms), 0)::float8 as ms, min(new_begins) as from
      from runs group by meter_id
    ) e left join (
      select meter_id, percentile_cont(0.5) within group (order by ratio) as ratio, count(*) as overlaps
      from parts group by meter_id
    ) r on r.meter_id = e."meterId"`)
  return new Map(rows.map(({ meterId, ...energy }) => [meterId, energy]))
}

/** Position of a time of a span `s` within the stored day in which it begins (`a`) or ends (`z`), in quarter-hours. */
const placeIn = (day: 'a' | 'z', time: 'begins' | 'ends'): Sql =>
  sql`(s.${raw(time)}::float8 / ${QUARTER_MS} - ${raw(day)}.starts)`

/** Energy of a stored day, and of the days before it, up to a time. */
function energyUntil(day: 'a' | 'z', time: 'begins' | 'ends'): Sql {
  const place = placeIn(day, time)
  const cumulative = raw(`${day}.cumulative`)
  const until = (quarters: Sql) =>
    sql`coalesce(${cumulative}[least((${quarters})::int, cardinality(${cumulative}))], 0)`
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

/** Energy of the new rows as it would be stored: that of a counter since the previous row or stored reading, whichever is later. */
function newSpans({ MeterImportID, Kind }: Draft, meters: readonly DraftMeter[]): Sql {
  const rows = sql`meter_import_rows
    where meter_import_id = ${MeterImportID} and ${isNew} and meter_id = any(${idsOf(meters)}::int[])`
  if (Kind === 'interval')
    return sql`select line, meter_id, timestamp, timestamp as begins, value as kwh, value * 4 / quarters as kw from ${rows}`
  const extents = meters.filter(({ hasNew }) => hasNew)
  const quarantined = sql`select 1 from quarantined_readings q where q.meter_id = s.meter_id and q.timestamp = s.timestamp
    and q.reason in ('jump', 'glitch', 'dip', 'clock') and q.decision is distinct from 'accepted'`
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
        from unnest(${idsOf(extents)}::int[], ${numberArray(extents.map(({ first }) => first))}::bigint[],
          ${numberArray(extents.map(({ last }) => last))}::bigint[]) as w (meter_id, first, last)
        join meter_last using (meter_id)
        cross join lateral (
          (select s.* from readings s where s.meter_id = w.meter_id and s.timestamp < w.first and (${quarantined}) is null
            order by s.timestamp desc limit 1)
          union all
          (select s.* from readings s where s.meter_id = w.meter_id and s.timestamp between w.first and w.last)
        ) s
        where not exists (${quarantined})
      ) series window earlier as (partition by meter_id order by timestamp)
    ) spans where line is not null and begins is not null`
}

/** Highest power of a meter's new rows in kW, and their energy since the stored readings before them. */
export interface Peak {
  meterId: number
  kw: number
  kwh: number
  /** Epoch ms. */
  from: number
  ms: number
}

/** Reads the highest power of each meter; meters without any are absent. */
export const readPeaks = (db: Db, draft: Draft, meters: readonly DraftMeter[]): Promise<Peak[]> =>
  db.query<Peak>(sql`
    select meter_id as "meterId", max(kw) as kw, sum(kwh) as kwh, min(begins) as from, sum(timestamp - begins)::float8 as ms
    from (${newSpans(draft, meters)}) s group by meter_id`)

/**
 * Reads the new rows above the limit of their meter on their local day.
 *
 * limitsOf  limits of a meter in kW, by local day
 * count     number of all these rows
 */
export async function readRowsOverLimit(
  db: Db,
  draft: Draft,
  meters: readonly DraftMeter[],
  { limitsOf, zone }: { limitsOf(meterId: number): readonly DatedValue<number>[]; zone: string },
): Promise<{ rows: RowOverLimit[]; count: number }> {
  if (meters.length === 0) return { rows: [], count: 0 }
  const limits = meters.flatMap(({ meterId }) =>
    limitsOf(meterId).map(({ from, value }, i, all) => {
      const next = all[i + 1]
      return {
        meterId,
        value,
        from: i === 0 ? 0 : startOfDay(from, zone),
        to: next && startOfDay(next.from, zone),
      }
    }),
  )
  const [found] = await db.query<{ rows: RowOverLimit[]; count: number }>(sql`
    with limits as (select * from unnest(${numberArray(limits.map(({ meterId }) => meterId))}::int[],
      ${numberArray(limits.map(({ from }) => from))}::bigint[], ${numberArray(limits.map(({ to }) => to))}::bigint[],
      ${numberArray(limits.map(({ value }) => value))}::float8[]) as l (meter_id, begins, ends, kw)
    ), above as materialized (
      select s.line, s.meter_id, s.timestamp, s.kw, l.kw as limit_kw
      from (${newSpans(draft, meters)}) s join limits l on l.meter_id = s.meter_id
      where s.timestamp >= l.begins and (l.ends is null or s.timestamp < l.ends) and s.kw > l.kw)
    select (select count(*) from above) as count, (select coalesce(json_agg(r), '[]') from (
      select line as "Row", peripheral_uid as "PeripheralUID", timestamp as "Timestamp", kw as "kW", limit_kw as "LimitKw"
      from above join meters using (meter_id) order by line limit ${MAX_NAMED_ROWS}::int) r) as rows`)
  return found as NonNullable<typeof found>
}
