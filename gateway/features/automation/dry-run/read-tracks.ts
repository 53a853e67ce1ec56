import type { Condition } from '../../../../contract/automation/condition.ts'
import { type Track, createTrackCursor } from '../logic/replay.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../../contract/devices/peripheral.ts'
import { deviceOfMeter } from '../../../../contract/devices/kinds/meter-id.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { runInSlices } from './in-slices.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { TryPorts } from './ports.ts'
import { quantityOf, valueTrackOf } from './tracks.ts'
import { readColumns } from '../../../store/sql.ts'
import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'

/** Counted energy of one meter of a virtual meter: added (1) or subtracted (-1). */
export interface TermTrack {
  Factor: 1 | -1
  track: Track
}

/** Points between two yields: a few milliseconds of work. */
const PAUSE_AFTER = 1_000

/**
 * Sum of what several meters counted, as the engine adds them: known only while every term is known.
 *
 * terms    one meter each: what it counted in the current period
 * to       epoch ms; end of a span that is unknown at the end
 * yields   now and then, so that other work can run
 */
export function* addedTrack(terms: readonly TermTrack[], to: number): Generator<undefined, Track> {
  const cursors = terms.map(({ track }) => createTrackCursor(track, -Infinity))
  const track = { at: [] as number[], values: [] as number[] }
  const unknown: { from: number; to: number }[] = []
  let since: number | undefined
  for (let count = 1; ; count++) {
    let at = Infinity
    for (const head of cursors) at = Math.min(at, head.next())
    if (at === Infinity) break
    if (count % PAUSE_AFTER === 0) yield
    for (const head of cursors) while (head.next() === at) head.advance()
    let sum: number | undefined = 0
    for (const [i, { Factor }] of terms.entries()) {
      const value = cursors[i]!.value()
      sum = sum === undefined || value === undefined ? undefined : sum + Factor * value
    }
    if (sum === undefined) {
      if (track.at.length > 0) since ??= at
      continue
    }
    if (since !== undefined) unknown.push({ from: since, to: at })
    since = undefined
    track.at.push(at)
    track.values.push(sum)
  }
  if (since !== undefined && since < to) unknown.push({ from: since, to })
  return { ...track, goodFor: null, unknown, isMeasured: true }
}

/** Change of a device's connection: online or not from a time in epoch ms. */
interface OnlineChange {
  at: number
  online: boolean
}

/** Time spans in which a device was offline, from its connection changes in order. */
export const offlineSpans = (presence: readonly OnlineChange[], to: number): Track['unknown'] =>
  presence.flatMap(({ at, online }, i) => (online ? [] : [{ from: at, to: presence[i + 1]?.at ?? to }]))

/** Time spans in which devices were offline, by UID. A device without stored changes has always been in its present state. */
async function readOfflineSpans(
  db: Db,
  tenant: string,
  uids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, Track['unknown']>> {
  const rows = await db.query<{ uid: string; began: boolean; noted: OnlineChange[] }>(sql`
    select p.peripheral_uid as uid,
      coalesce((${onlineEvents(sql`e.timestamp < ${from}::bigint order by e.timestamp desc, e.seq desc`, sql`value`)}) = 1,
        (${onlineEvents(sql`e.timestamp >= ${from}::bigint order by e.timestamp, e.seq`, sql`1 - value`)}) = 1,
        t.online, true) as began,
      coalesce((select jsonb_agg(jsonb_build_object('at', e.timestamp, 'online', e.value = 1) order by e.timestamp, e.seq)
        from device_events e where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid and e.field = ${ONLINE}
          and e.timestamp >= ${from}::bigint and e.timestamp < ${to}::bigint), '[]') as noted
    from peripherals p left join things t on t.thing_name = p.thing_name
    where p.tenant = ${tenant} and p.peripheral_uid = any(${[...uids]}::text[])`)
  return new Map(
    rows.map(({ uid, began, noted: list }) => [
      uid,
      offlineSpans([{ at: from, online: began }, ...list], to),
    ]),
  )
}

/** Selects one value of the connection events of device p: the first that matches a condition and an order. */
const onlineEvents = (
  which: ReturnType<typeof sql>,
  value: ReturnType<typeof sql>,
) => sql`select ${value} from device_events e
  where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid and e.field = ${ONLINE} and ${which} limit 1`

/** Maximum number of button presses that are replayed; the latest are kept. */
const MAX_EVENTS = 100_000

/** A counter of presses or passages, change by change, as the engine reads it; late reports are excluded. */
async function counterTrack(
  db: Db,
  tenant: string,
  { uid, field, from, to }: { uid: string; field: string; from: number; to: number },
): Promise<Omit<Track, 'unknown'>> {
  const ofField = sql`tenant = ${tenant} and peripheral_uid = ${uid} and field = ${field} and not late`
  const last = await readColumns<{ at: number; value: number; before: number | null }>(
    db,
    ['at', 'value', 'before'],
    sql`select * from (select timestamp as at, before, value, seq from device_events
      where ${ofField} and timestamp >= ${from}::bigint and timestamp < ${to}::bigint
      order by timestamp desc, seq desc limit ${MAX_EVENTS}::int) as last order by at, seq`,
  )
  const [earlier] = await db.query<{ value: number }>(sql`select value from device_events
    where ${ofField} and timestamp < ${from}::bigint order by timestamp desc, seq desc limit 1`)
  const first = earlier?.value ?? last.before[0] ?? undefined
  if (first !== undefined) {
    last.at.unshift(from)
    last.value.unshift(first)
  }
  return { at: last.at, values: last.value, goodFor: null }
}

/** Maximum number of values of all conditions together; longer series are read as means of equal spans. */
const MAX_VALUES = 2_000_000

interface TrackQuery {
  ports: Pick<TryPorts, 'readSeries' | 'readTerms'>
  tenant: string
  homeId: string
  zone: string
  /** Epoch ms. */
  from: number
  to: number
}

const NOTHING: Track = { at: [], values: [], goodFor: null, unknown: [] }

/** Track of each condition's field, in order; empty for fields without a history. */
export async function readTracks(
  db: Db,
  conditions: readonly Condition[],
  query: TrackQuery,
): Promise<Track[]> {
  const { from, to, tenant } = query
  const uids = [...new Set(conditions.map(({ PeripheralUID }) => PeripheralUID))]
  const points = Math.floor(MAX_VALUES / conditions.length)
  const away = await readOfflineSpans(db, tenant, uids, { from, to })
  const tracks: Track[] = []
  for (const condition of conditions) {
    const { PeripheralUID: uid, Field: field, Logical } = condition
    const unknown = away.get(uid) ?? []
    if (Logical === 'changed')
      tracks.push({ ...(await counterTrack(db, tenant, { uid, field, from, to })), unknown })
    else if (uid.startsWith(VIRTUAL_PREFIX)) tracks.push(await virtualTrack(db, condition, query, points))
    else tracks.push(await storedTrack(db, condition, query, { points, unknown }))
  }
  return tracks
}

async function storedTrack(
  db: Db,
  condition: Condition,
  { ports, tenant, homeId, from, to, zone }: TrackQuery,
  { points, unknown }: { points: number; unknown: Track['unknown'] },
): Promise<Track> {
  const quantity = quantityOf(condition, from, zone)
  if (!quantity) return NOTHING
  const range = { from: quantity.from, to, points, now: to }
  const [series] = await ports.readSeries(db, { tenant, homeId }, [quantity], range)
  if (!series) return NOTHING
  const pause = await readPause(db, tenant, quantity.PeripheralUID)
  return valueTrackOf(condition, series, { away: unknown, zone, pause })
}

/** Report interval of a meter, ms. */
async function readPause(db: Db, tenant: string, uid: string): Promise<number> {
  const [device] = await db.query<{ seconds: number }>(sql`select power_meter_update_frequency as seconds
    from peripherals where tenant = ${tenant} and peripheral_uid = ${deviceOfMeter(uid).PeripheralUID}`)
  return (device?.seconds ?? DEFAULT_UPDATE_FREQUENCY) * 1000
}

/** Track of a virtual meter's sum: the counted energy of its meters, added. */
async function virtualTrack(db: Db, condition: Condition, query: TrackQuery, points: number): Promise<Track> {
  const { ports, tenant, homeId, to } = query
  const terms: TermTrack[] = []
  const added = await ports.readTerms(db, { tenant, homeId }, condition.PeripheralUID)
  for (const { PeripheralUID, Factor } of added) {
    const maxPoints = Math.floor(points / added.length)
    const track = await storedTrack(db, { ...condition, PeripheralUID }, query, {
      points: maxPoints,
      unknown: [],
    })
    terms.push({ Factor, track })
  }
  return runInSlices(addedTrack(terms, to))
}
