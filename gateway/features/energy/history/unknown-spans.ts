import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'

/** A pause longer than this number of report intervals is a gap: one report may be late or lost. */
export const UNKNOWN_AFTER_INTERVALS = 2
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
export async function unknownSpans(db: Db, asked: Asked): Promise<HistorySeries['Unknown']> {
  const end = Math.min(asked.to, asked.now)
  if (asked.from >= end) return []
  const spans = [...(await absences(db, asked, end)), ...(await silences(db, asked, end))]
  return joined(spans)
    .filter(({ since, until }) => since < end && until > asked.from)
    .toSorted((a, b) => b.until - b.since - (a.until - a.since))
    .slice(0, asked.points)
    .toSorted((a, b) => a.since - b.since)
    .map(({ since, until }) => ({ From: since, To: until < asked.to ? until : null }))
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
function joined(spans: readonly Span[]): { since: number; until: number }[] {
  const all: { since: number; until: number }[] = []
  for (const { since, until: end } of spans.toSorted((a, b) => a.since - b.since)) {
    const until = end ?? Infinity
    const last = all.at(-1)
    if (last && since < last.until) last.until = Math.max(last.until, until)
    else all.push({ since, until })
  }
  return all.filter(({ since, until }) => until - since >= MIN_UNKNOWN_SPAN_MS)
}
