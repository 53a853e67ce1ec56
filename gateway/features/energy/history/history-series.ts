import {
  isReadingField,
  isStateField,
  RETURN_FIELD,
  ONLINE,
} from '../../../../contract/devices/kinds/history-fields.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { returnIdOf } from '../../../../contract/devices/kinds/meter-id.ts'
import { toSnakeCase, readColumns } from '../../../store/sql.ts'
import { type Db, type Sql, raw, sql } from '../../../kernel/db.ts'

/** A pause longer than this number of report intervals is a gap: one report may be late or lost. */
const UNKNOWN_AFTER_INTERVALS = 2
/** Shorter spans are not reported, ms: a hub that merely reconnects reports its states immediately. */
const MIN_UNKNOWN_SPAN_MS = 60_000

interface Asked {
  tenant: string
  homeId: string
  uid: string
  /** Epoch ms, `to` exclusive. */
  from: number
  to: number
  /** Maximum number of spans; the longest are kept. */
  points: number
  /** Interval between two reports of the device, in seconds. */
  frequency: number
  /** Hub that forwards its reports; undefined if the device was removed. */
  thingName: string | undefined
  now: number
}

interface Span {
  since: number
  /** Null while the span lasts. */
  until: number | null
}

/**
 * Finds spans in which the states of a device are unknown: while its hub was offline, and where a meter did not report for twice its update
 * frequency. A change that is reported later with a timestamp inside a span ends that span.
 *
 * returns  ascending, not overlapping; a span may begin before the range; To is null if it still lasts or ends after the range
 */
async function unknownSpans(db: Db, query: Asked): Promise<HistorySeries['Unknown']> {
  const end = Math.min(query.to, query.now)
  if (query.from >= end) return []
  const spans = [...(await absences(db, query, end)), ...(await silences(db, query, end))]
  return mergeSpans(spans)
    .filter(({ since, until }) => since < end && until > query.from)
    .toSorted((a, b) => b.until - b.since - (a.until - a.since))
    .slice(0, query.points)
    .toSorted((a, b) => a.since - b.since)
    .map(({ since, until }) => ({ From: since, To: until < query.to ? until : null }))
}

/**
 * Offline times of the device's hub, each up to the first change that happened in it. Changes of the first minute are ignored: a clock that
 * is ahead may have stamped them.
 */
async function absences(db: Db, { tenant, uid, thingName, from, now }: Asked, end: number): Promise<Span[]> {
  if (thingName === undefined) return []
  return db.query<Span>(sql`
    select a.since, coalesce((select min(e.timestamp) from device_events e
      where e.tenant = ${tenant} and e.peripheral_uid = ${uid} and e.field <> ${ONLINE}
        and e.timestamp >= a.since + ${MIN_UNKNOWN_SPAN_MS}::bigint and e.timestamp < coalesce(a.until, ${now}::bigint)),
      a.until) as until
    from hub_absences a
    where a.tenant = ${tenant} and a.thing_name = ${thingName}
      and a.since < ${end}::bigint and (a.until is null or a.until > ${from}::bigint)`)
}

/** Gaps between readings and changes of a meter that last more than twice its report interval; none before its first reading. */
async function silences(
  db: Db,
  { tenant, homeId, uid, from, now, frequency }: Asked,
  end: number,
): Promise<Span[]> {
  const [meter] = await db.query<{ id: number }>(sql`select meter_id as id from meters
    where tenant = ${tenant} and home_id = ${homeId} and peripheral_uid = ${uid}`)
  if (!meter) return []
  /** Timestamps of a table within the range, and the nearest one beyond either end. */
  const moments = (of: Sql) => sql`
    (select timestamp ${of} and timestamp < ${from}::bigint order by timestamp desc limit 1)
    union all (select timestamp ${of} and timestamp >= ${from}::bigint and timestamp < ${end}::bigint)
    union all (select timestamp ${of} and timestamp >= ${end}::bigint order by timestamp limit 1)`
  return db.query<Span>(sql`
    with heard as (
      ${moments(sql`from readings where meter_id = ${meter.id}`)}
      union all ${moments(sql`from device_events where tenant = ${tenant} and peripheral_uid = ${uid}
        and field <> ${ONLINE}`)}
    ), pauses as (
      select timestamp as since, lead(timestamp) over (order by timestamp) as until from heard
    )
    select since, until from pauses
    where coalesce(until, ${now}::bigint) - since > ${UNKNOWN_AFTER_INTERVALS * frequency * 1000}::bigint order by since`)
}

/** Merges overlapping spans; spans that only touch stay separate, as there was a report between them. Drops spans that are too short. */
function mergeSpans(spans: readonly Span[]): { since: number; until: number }[] {
  const all: { since: number; until: number }[] = []
  for (const { since, until: end } of spans.toSorted((a, b) => a.since - b.since)) {
    const until = end ?? Infinity
    const last = all.at(-1)
    if (last && since < last.until) last.until = Math.max(last.until, until)
    else all.push({ since, until })
  }
  return all.filter(({ since, until }) => until - since >= MIN_UNKNOWN_SPAN_MS)
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Bucket widths that suit an axis, in minutes; wider buckets are whole days. */
const WIDTHS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440]

interface HistoryQuery {
  tenant: string
  homeId: string
  uid: string
  field: string
  /** Epoch ms, `to` exclusive. */
  from: number
  to: number
  points: number
  /** Offset of the home's clock from UTC in ms, so that buckets of hours begin on its full hours. */
  offset: number
  /** Interval between two reports of the device, in seconds. */
  frequency: number
  /** Time at which the device was added; its earlier states are unknown. */
  addedAt: number
  /** Last reported state; undefined if it was never reported. */
  current: number | undefined
  /** Hub that forwards its reports; undefined if the device was removed. */
  thingName: string | undefined
  now: number
}

type Values = Omit<HistorySeries, 'PeripheralUID' | 'Field' | 'Unit'>

/** Timestamps and values in order; with the minimum and maximum of each value if the values are means. */
interface Points {
  at: number[]
  value: number[]
  minimum?: number[]
  maximum?: number[]
}

/** A table of timestamps and values, as SQL fragments. */
interface Source {
  /** `from … where …` of the rows in the range. */
  rows: Sql
  /** Expression for the epoch ms of a row. */
  at: Sql
  value: Sql
  /** Expression for the bucket number of a row, in buckets of `width` ms. */
  bucket(width: number): Sql
  /** Expression for the value of a bucket; by default its mean. */
  summary?: Sql
  /** Column that orders rows with the same timestamp, if there may be several. */
  tie?: Sql
}

/** Reads the stored values of one quantity in a range. */
export async function readHistory(db: Db, query: HistoryQuery): Promise<Values> {
  if (isStateField(query.field)) return readStates(db, query)
  const source = isReadingField(query.field) ? await readingsOf(db, query) : await readSamples(db, query)
  const { width, points } = source
    ? await readPoints(db, query, source)
    : { width: 0, points: { at: [], value: [] } }
  const GapMs =
    UNKNOWN_AFTER_INTERVALS * Math.max(query.frequency * 1000, width, usualPause(points.at), MINUTE)
  return { Kind: 'measured', GapMs, ...columns(width, points), Unknown: [] }
}

async function readingsOf(db: Db, { tenant, homeId, uid, field, from, to, offset }: HistoryQuery) {
  const isReturn = field === RETURN_FIELD
  const [meter] = await db.query<{ id: number }>(sql`select meter_id as id from meters
    where tenant = ${tenant} and home_id = ${homeId} and peripheral_uid = ${isReturn ? returnIdOf(uid) : uid}`)
  if (!meter) return undefined
  const column = raw(isReturn ? 'accumulate_power' : toSnakeCase(field))
  return {
    rows: sql`from readings where meter_id = ${meter.id} and timestamp >= ${from} and timestamp < ${to}
      and ${column} is not null`,
    at: raw('timestamp'),
    value: column,
    bucket: (width: number) => sql`((timestamp + ${offset}::bigint) / ${width}::bigint)`,
  }
}

async function readSamples(db: Db, { tenant, homeId, uid, field, from, to, offset }: HistoryQuery) {
  const [series] = await db.query<{ id: number }>(sql`select series_id as id from sample_series
    where tenant = ${tenant} and home_id = ${homeId} and peripheral_uid = ${uid} and field = ${field}`)
  if (!series) return undefined
  // Filter by `minute`, so that a long range is read from the index alone.
  return {
    rows: sql`from device_samples where series_id = ${series.id} and minute >= ${Math.floor(from / MINUTE)}::int
      and minute < ${Math.ceil(to / MINUTE)}::int`,
    at: sql`minute * ${MINUTE}::bigint + after_ms`,
    value: raw('value'),
    bucket: (width: number) => sql`((minute + ${Math.round(offset / MINUTE)}::int) / ${width / MINUTE}::int)`,
  }
}

/** Minimum number of occurrences of a usual interval, and of their part of the time. */
const MIN_USUAL_COUNT = 5
const MIN_USUAL_SHARE = 0.1

/**
 * Longest usual interval between two values, in ms: it occurs repeatedly and fills part of the time, as in the past of a device that reports
 * more frequently now. A pause between shorter ones is not usual. The median for few values; 0 for fewer than two.
 */
export function usualPause(at: readonly number[]): number {
  const pauses = Float64Array.from({ length: Math.max(0, at.length - 1) }, (_, i) => at[i + 1]! - at[i]!)
  if (pauses.length <= MIN_USUAL_COUNT) return pauses.sort()[Math.floor((pauses.length - 1) / 2)] ?? 0
  const usual = pauses
    .map((pause, i) => Math.min(pause, Math.max(pauses[i - 1] ?? 0, pauses[i + 1] ?? 0)))
    .sort()
    .reverse()
  const share = MIN_USUAL_SHARE * usual.reduce((sum, pause) => sum + pause, 0)
  let covered = 0
  return usual.find((pause, i) => (covered += pause) >= share && i + 1 >= MIN_USUAL_COUNT) ?? 0
}

/** Reads a state from event to event, starting at the beginning of the range. */
async function readStates(db: Db, query: HistoryQuery): Promise<Values> {
  const { tenant, uid, field, from, to, offset } = query
  const ofField = sql`tenant = ${tenant} and peripheral_uid = ${uid} and field = ${field}`
  const { width, points } = await readPoints(db, query, {
    rows: sql`from device_events where ${ofField} and timestamp >= ${from} and timestamp < ${to}`,
    at: raw('timestamp'),
    value: raw('value'),
    bucket: (ms) => sql`((timestamp + ${offset}::bigint) / ${ms}::bigint)`,
    summary: sql`(array_agg(value order by timestamp desc, seq desc))[1]`,
    tie: raw('seq'),
  })
  const [before] = await db.query<{ value: number }>(sql`select value from device_events
    where ${ofField} and timestamp < ${from} order by timestamp desc, seq desc limit 1`)
  const [after] = await db.query<{ value: number | null }>(sql`select before as value from device_events
    where ${ofField} and timestamp >= ${from} order by timestamp, seq limit 1`)
  // Without any event, the state has never changed.
  const value = before ? before.value : after ? after.value : query.current
  const since = before ? from : Math.max(from, query.addedAt)
  const first = points.at[0] ?? to
  // A bucket may begin before the range does.
  if (typeof value === 'number' && since < first) {
    points.at.unshift(since)
    for (const column of [points.value, points.minimum, points.maximum]) column?.unshift(value)
  }
  const Unknown = points.at.length > 0 ? await unknownSpans(db, query) : []
  return { Kind: 'state', GapMs: null, ...columns(width, points), Unknown }
}

/** Reads every row if there are at most `points`, otherwise buckets whose width yields about that number. */
async function readPoints(
  db: Db,
  { from, to, points, offset }: HistoryQuery,
  source: Source,
): Promise<{ width: number; points: Points }> {
  const { rows, at, value } = source
  const [counted] = await db.query<{ count: number }>(
    sql`select count(*) as count from (select ${rows} limit ${points + 1}::int) as counted`,
  )
  if ((counted?.count ?? 0) <= points) {
    const every = await readColumns<{ at: number; value: number }>(
      db,
      ['at', 'value'],
      sql`select at, value from (select ${at} as at, ${value} as value, ${source.tie ?? sql`0`} as tie ${rows}) as found
        where at >= ${from} and at < ${to} order by at, tie`,
    )
    return { width: 0, points: every }
  }
  const width = bucketWidth(to - from, points)
  const buckets = await readColumns<Record<'at' | 'value' | 'minimum' | 'maximum', number>>(
    db,
    ['at', 'value', 'minimum', 'maximum'],
    sql`select ${source.bucket(width)} * ${width}::bigint - ${offset}::bigint as at,
      ${source.summary ?? sql`avg(${value})`} as value, min(${value}) as minimum, max(${value}) as maximum
    ${rows} group by 1 order by 1`,
  )
  return { width, points: buckets }
}

/**
 * Bucket width that divides a range into at most `points` buckets.
 *
 * span     ms
 * returns  ms: one of WIDTHS, or whole days if none is wide enough
 */
export function bucketWidth(span: number, points: number): number {
  const needed = span / points
  const width = WIDTHS.find((minutes) => minutes * MINUTE >= needed)
  return width === undefined ? Math.ceil(needed / DAY) * DAY : width * MINUTE
}

const columns = (width: number, { at, value, minimum, maximum }: Points) => ({
  BucketMs: width,
  Timestamps: at,
  Values: value,
  Min: width > 0 ? (minimum ?? value) : null,
  Max: width > 0 ? (maximum ?? value) : null,
})
