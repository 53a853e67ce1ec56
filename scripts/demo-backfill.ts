import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { rollUp } from '../gateway/features/energy/rollup/roll-up.ts'
import { rollUpHomes } from '../gateway/features/energy/rollup/roll-up-home.ts'
import { type Db, sql } from '../gateway/kernel/db.ts'
import { createPartitions, type Monthly } from '../gateway/store/partitions.ts'
import { idArray, numberArray } from '../gateway/store/sql.ts'
import type { History } from './demo-history.ts'

/*
 * Bulk writes of the demo's past into the gateway's database, as another program beside the gateway: no call of the gateway leads here.
 * They take the place of hundreds of thousands of reports over MQTT.
 */

const MINUTE = 60_000
const DAY = 86_400_000
/** Characters of a chunk that is sent to the database at a time. */
const CHUNK_LENGTH = 256 * 1024
const log = { warn: () => {}, error: (details: { err?: unknown }) => console.error(String(details.err)) }

/** A home of the demo in the database. */
interface Place {
  tenant: string
  HomeID: string
}

const TABLES: readonly Monthly[] = [
  { table: 'readings', unit: 1 },
  { table: 'device_events', unit: 1 },
  { table: 'device_samples', unit: MINUTE },
  { table: 'meter_days', unit: DAY },
  { table: 'audit_log', unit: 1 },
]

/** Creates the monthly partitions of a period, so that none are created while it is filled. */
export async function createMonths(db: Db, from: number, until: number): Promise<void> {
  const times = Array.from({ length: Math.ceil((until - from) / (28 * DAY)) }, (_, i) => from + i * 28 * DAY)
  for (const table of TABLES) await createPartitions(db, log, table).prepare([...times, until], until)
}

/** The company's id, by one of its homes. */
export async function readTenant(db: Db, HomeID: string): Promise<string> {
  const [row] = await db.query<{ tenant: string }>(sql`select tenant from homes where home_id = ${HomeID}`)
  if (!row) throw new Error(`There is no home ${HomeID}`)
  return row.tenant
}

/** Copies rows into a table in one transaction; columns are PostgreSQL's text format. */
export async function copyRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly (number | string | boolean | null | undefined)[]>,
): Promise<void> {
  const client = await db.pool.connect()
  try {
    const copy = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
    await pipeline(Readable.from(chunksOf(rows)), copy)
  } finally {
    client.release()
  }
}

function* chunksOf(
  rows: Iterable<readonly (number | string | boolean | null | undefined)[]>,
): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    for (const [i, value] of row.entries()) chunk += (i === 0 ? '' : '\t') + cellOf(value)
    chunk += '\n'
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const cellOf = (value: number | string | boolean | null | undefined): string =>
  value === null || value === undefined
    ? '\\N'
    : typeof value === 'string'
      ? value.replace(/[\\\t\n\r]/g, (letter) => ESCAPES[letter] as string)
      : String(value)

/** Stores the past of a hub's devices; the energy of its meters is computed by `rollUpMeters`. */
export async function storeHistory(db: Db, place: Place, history: History): Promise<void> {
  await storeReadings(db, place, history.meters)
  await storeSamples(db, place, history.samples)
  const { tenant } = place
  await copyRows(
    db,
    'device_events',
    ['tenant', 'peripheral_uid', 'timestamp', 'field', 'before', 'value', 'late'],
    rowsIn(history.events, ({ PeripheralUID, field, events }) =>
      events.map(({ timestamp, before, value }) => [
        tenant,
        PeripheralUID,
        timestamp,
        field,
        before,
        value,
        true,
      ]),
    ),
  )
}

async function storeReadings(db: Db, { tenant, HomeID }: Place, meters: History['meters']): Promise<void> {
  if (meters.length === 0) return
  // The empty update makes `returning` include meters that have reported already.
  const found = await db.query<{ MeterID: string; id: number }>(sql`
    insert into meters as m (tenant, home_id, peripheral_uid)
    select ${tenant}, ${HomeID}, * from unnest(${idArray(meters.map(({ MeterID }) => MeterID))}::text[])
    on conflict (tenant, home_id, peripheral_uid) do update set home_id = m.home_id
    returning peripheral_uid as "MeterID", meter_id as id`)
  const ids = new Map(found.map(({ MeterID, id }) => [MeterID, id]))
  await copyRows(
    db,
    'readings',
    ['meter_id', 'timestamp', 'accumulate_power', 'power', 'avg_electric_current', 'voltage', 'power_factor'],
    rowsIn(meters, ({ MeterID, readings }) =>
      readings.map(({ timestamp, kwh, power, current, voltage, powerFactor }) => [
        ids.get(MeterID),
        timestamp,
        kwh,
        power,
        current,
        voltage,
        powerFactor,
      ]),
    ),
  )
  const filled = meters.filter(({ readings }) => readings.length > 0)
  await db.query(sql`
    insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
    select * from unnest(${numberArray(filled.map(({ MeterID }) => ids.get(MeterID)))}::int[],
      ${numberArray(filled.map(({ readings }) => readings[0]?.timestamp))}::bigint[],
      ${numberArray(filled.map(({ readings }) => readings.at(-1)?.timestamp))}::bigint[])`)
}

async function storeSamples(db: Db, { tenant, HomeID }: Place, series: History['samples']): Promise<void> {
  if (series.length === 0) return
  const found = await db.query<{ uid: string; field: string; id: number }>(sql`
    insert into sample_series as s (tenant, home_id, peripheral_uid, field)
    select ${tenant}, ${HomeID}, * from unnest(${idArray(series.map(({ PeripheralUID }) => PeripheralUID))}::text[],
      ${idArray(series.map(({ field }) => field))}::text[])
    on conflict (tenant, home_id, peripheral_uid, field) do update set field = s.field
    returning peripheral_uid as uid, field, series_id as id`)
  const ids = new Map(found.map(({ uid, field, id }) => [`${uid} ${field}`, id]))
  await copyRows(
    db,
    'device_samples',
    ['series_id', 'minute', 'after_ms', 'value'],
    rowsIn(series, ({ PeripheralUID, field, samples }) =>
      samples.map(({ timestamp, value }) => {
        const minute = Math.floor(timestamp / MINUTE)
        return [ids.get(`${PeripheralUID} ${field}`), minute, timestamp - minute * MINUTE, value]
      }),
    ),
  )
}

type Cells = readonly (number | string | boolean | null | undefined)[]

/** Rows of one entry after another, so that not all of them exist at a time. */
function* rowsIn<Entry>(entries: readonly Entry[], rowsOf: (entry: Entry) => Cells[]): Generator<Cells> {
  for (const entry of entries) yield* rowsOf(entry)
}

/** Adds the change between a device's last past state and the first state that it reported live, where these differ. */
export const joinEvents = (db: Db, tenant: string, until: number): Promise<unknown> =>
  db.query(sql`
    with last as (
      select distinct on (peripheral_uid, field) peripheral_uid, field, value from device_events
      where tenant = ${tenant} and timestamp < ${until}::bigint order by peripheral_uid, field, timestamp desc, seq desc
    )
    insert into device_events (tenant, peripheral_uid, timestamp, field, before, value, late)
    select ${tenant}, l.peripheral_uid, ${until}::bigint, l.field, l.value, coalesce(n.before, p.value), true
    from last l
    left join lateral (select before from device_events e where e.tenant = ${tenant} and e.peripheral_uid = l.peripheral_uid
      and e.field = l.field and e.timestamp >= ${until}::bigint order by timestamp, seq limit 1) n on true
    left join lateral (select v.value from device_status s cross join lateral device_states(s.values) v
      where s.tenant = ${tenant} and s.peripheral_uid = l.peripheral_uid and v.field = l.field) p on true
    where coalesce(n.before, p.value) <> l.value`)

/** Deletes what an interrupted run stored of the past. */
export async function clearHistory(db: Db, tenant: string, until: number): Promise<void> {
  await db.query(sql`delete from readings r using meters m
    where m.tenant = ${tenant} and r.meter_id = m.meter_id and r.timestamp < ${until}::bigint`)
  await db.query(sql`delete from device_samples d using sample_series s
    where s.tenant = ${tenant} and d.series_id = s.series_id and d.minute < ${Math.floor(until / MINUTE)}::int`)
  await db.query(sql`delete from device_events where tenant = ${tenant} and timestamp <= ${until}::bigint`)
}

/** Counters of a meter in kWh before and after a time. */
export async function readReadingsAround(
  db: Db,
  { tenant, HomeID }: Place,
  MeterID: string,
  at: number,
): Promise<{ before: number; after: number }> {
  const [row] = await db.query<{ before: number; after: number }>(sql`
    select (select accumulate_power from readings r where r.meter_id = m.meter_id and timestamp < ${at}::bigint
        order by timestamp desc limit 1) as before,
      (select accumulate_power from readings r where r.meter_id = m.meter_id and timestamp > ${at}::bigint
        order by timestamp limit 1) as after
    from meters m where m.tenant = ${tenant} and m.home_id = ${HomeID} and m.peripheral_uid = ${MeterID}`)
  if (!row) throw new Error(`There is no meter ${MeterID}`)
  return row
}

/** Numbers of the company's meters. */
export async function readMeterIds(db: Db, tenant: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select meter_id as id from meters where tenant = ${tenant} order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Computes the energy of meters, as the gateway does. */
export const rollUpMeters = (db: Db, meterIds: readonly number[]): Promise<void> => rollUp(db, meterIds)

/** Computes the energy of homes from that of their meters, as the gateway does. */
export const rollUpAllHomes = (db: Db): Promise<void> => rollUpHomes(db, log, () => false)
