import {
  isReadingField,
  isStateField,
  RETURN_FIELD,
} from '../../../../contract/devices/kinds/history-fields.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { returnIdOf } from '../../../../contract/devices/meter-roles.ts'
import { snake } from '../../../store/columns.ts'
import { type Db, type Sql, raw, sql } from '../../../store/db.ts'
import { readColumns } from '../../../store/read-columns.ts'
import { UNKNOWN_AFTER_INTERVALS, unknownSpans } from './unknown-spans.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Widths of buckets that read well on an axis, in minutes; beyond them whole days. */
const WIDTHS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440]

/** What is asked for, and of which device. */
export interface HistoryQuery {
  tenant: string
  homeId: string
  uid: string
  field: string
  /** Epoch ms, `to` exclusive. */
  from: number
  to: number
  points: number
  /** How far the home's clock is ahead of UTC, in ms: buckets of hours begin with its hours. */
  offset: number
  /** Seconds between two reports of the device. */
  frequency: number
  /** When the device was added; its states are not known from before. */
  addedAt: number
  /** The state as last reported; undefined when it never was. */
  current: number | undefined
  /** The hub that brings its reports; undefined for a device that was removed. */
  thingName: string | undefined
  now: number
}

type Values = Omit<HistorySeries, 'PeripheralUID' | 'Field' | 'Unit'>

/** Moments and values in order; the least and the most of each where they are means. */
interface Points {
  at: number[]
  value: number[]
  least?: number[]
  most?: number[]
}

/** A table of moments and values as the statements below see it. */
interface Source {
  /** `from … where …` of the rows in the range. */
  rows: Sql
  /** Epoch ms of a row. */
  at: Sql
  value: Sql
  /** The number of the bucket of a row: `width` ms wide. */
  bucket(width: number): Sql
  /** What a bucket's value is; its mean if left out. */
  summary?: Sql
  /** What rows of one moment are ordered by, where there may be several. */
  tie?: Sql
}

/** The stored values of one quantity in a range. */
export async function readHistory(db: Db, wanted: HistoryQuery): Promise<Values> {
  if (isStateField(wanted.field)) return readStates(db, wanted)
  const source = isReadingField(wanted.field) ? await readingsOf(db, wanted) : await samplesOf(db, wanted)
  const { width, points } = source
    ? await readPoints(db, wanted, source)
    : { width: 0, points: { at: [], value: [] } }
  const GapMs =
    UNKNOWN_AFTER_INTERVALS * Math.max(wanted.frequency * 1000, width, usualPause(points.at), MINUTE)
  return { Kind: 'measured', GapMs, ...columns(width, points), Unknown: [] }
}

async function readingsOf(db: Db, { tenant, homeId, uid, field, from, to, offset }: HistoryQuery) {
  const isReturn = field === RETURN_FIELD
  const [meter] = await db.query<{ id: number }>(sql`select meter_id as id from meters
    where tenant = ${tenant} and home_id = ${homeId} and peripheral_uid = ${isReturn ? returnIdOf(uid) : uid}`)
  if (!meter) return undefined
  const column = raw(isReturn ? 'accumulate_power' : snake(field))
  return {
    rows: sql`from readings where meter_id = ${meter.id} and timestamp >= ${from} and timestamp < ${to}
      and ${column} is not null`,
    at: raw('timestamp'),
    value: column,
    bucket: (width: number) => sql`((timestamp + ${offset}::bigint) / ${width}::bigint)`,
  }
}

async function samplesOf(db: Db, { tenant, homeId, uid, field, from, to, offset }: HistoryQuery) {
  const [series] = await db.query<{ id: number }>(sql`select series_id as id from sample_series
    where tenant = ${tenant} and home_id = ${homeId} and peripheral_uid = ${uid} and field = ${field}`)
  if (!series) return undefined
  // By minutes, so that a long range is read from the index alone.
  return {
    rows: sql`from device_samples where series_id = ${series.id} and minute >= ${Math.floor(from / MINUTE)}::int
      and minute < ${Math.ceil(to / MINUTE)}::int`,
    at: sql`minute * ${MINUTE}::bigint + after_ms`,
    value: raw('value'),
    bucket: (width: number) => sql`((minute + ${Math.round(offset / MINUTE)}::int) / ${width / MINUTE}::int)`,
  }
}

/** The pause between two values that is as often undercut as exceeded, in ms; 0 for fewer than two. */
function usualPause(at: readonly number[]): number {
  if (at.length < 2) return 0
  const pauses = new Float64Array(at.length - 1)
  for (let i = 0; i < pauses.length; i++) pauses[i] = at[i + 1]! - at[i]!
  return pauses.sort()[Math.floor((pauses.length - 1) / 2)] ?? 0
}

/** A state from event to event, from the beginning of the range. */
async function readStates(db: Db, wanted: HistoryQuery): Promise<Values> {
  const { tenant, uid, field, from, to, offset } = wanted
  const ofField = sql`tenant = ${tenant} and peripheral_uid = ${uid} and field = ${field}`
  const { width, points } = await readPoints(db, wanted, {
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
  // Without any event it has always been what it is.
  const value = before ? before.value : after ? after.value : wanted.current
  const since = before ? from : Math.max(from, wanted.addedAt)
  const first = points.at[0] ?? to
  // A bucket may begin before the range does.
  if (typeof value === 'number' && since < first) {
    points.at.unshift(since)
    for (const column of [points.value, points.least, points.most]) column?.unshift(value)
  }
  const Unknown = points.at.length > 0 ? await unknownSpans(db, wanted) : []
  return { Kind: 'state', GapMs: null, ...columns(width, points), Unknown }
}

/** Every row when they are no more than asked for; else buckets of a width that makes about so many. */
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
  const buckets = await readColumns<Record<'at' | 'value' | 'least' | 'most', number>>(
    db,
    ['at', 'value', 'least', 'most'],
    sql`select ${source.bucket(width)} * ${width}::bigint - ${offset}::bigint as at,
      ${source.summary ?? sql`avg(${value})`} as value, min(${value}) as least, max(${value}) as most
    ${rows} group by 1 order by 1`,
  )
  return { width, points: buckets }
}

/**
 * How wide buckets are that divide a range into no more than so many.
 *
 * span     ms
 * returns  ms: one of the widths that read well, whole days beyond them
 */
export function bucketWidth(span: number, points: number): number {
  const needed = span / points
  const width = WIDTHS.find((minutes) => minutes * MINUTE >= needed)
  return width === undefined ? Math.ceil(needed / DAY) * DAY : width * MINUTE
}

const columns = (width: number, { at, value, least, most }: Points) => ({
  BucketMs: width,
  Timestamps: at,
  Values: value,
  Min: width > 0 ? (least ?? value) : null,
  Max: width > 0 ? (most ?? value) : null,
})
