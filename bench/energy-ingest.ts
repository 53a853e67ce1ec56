import { randomUUID } from 'node:crypto'
import type { Report } from '../gateway/features/status/ingest/report.ts'
import { createRoundStore } from '../gateway/features/status/ingest/state.ts'
import { numberArray } from '../gateway/store/sql.ts'
import { type Db, sql } from '../gateway/kernel/db.ts'
import { openDb } from '../gateway/store/db.ts'
import { startEmbedded } from '../gateway/store/embedded.ts'
import { migrate } from '../gateway/store/migrate.ts'
import { createPartitions } from '../gateway/store/partitions.ts'
import { rollUp } from '../gateway/features/energy/rollup/roll-up.ts'
import { atEnd } from './support/clean-up.ts'
import { temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { alternate } from './support/statistics.ts'

export const name = 'energy-ingest'
export const bar =
  'readings with their dirty spans in one transaction: at least 0.55 of the rows/s of a plain insert of the same rows'

/** Number of readings that ingest stores in one transaction. */
const BATCH = 500
const METERS = 250
const QUARTER = 900_000
const FIRST = Date.UTC(2026, 0, 1)
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Stores batches of late readings as ingest does, compared with inserting them into a table of the same shape. The computation of
 * energy is shown separately.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  const db = openDb({ ...(await openPlace()), max: 2, log: SILENT })
  atEnd(() => db.close())
  await migrate(db, new URL('../gateway/store/migrations', import.meta.url).pathname)
  const devices = await makeMeters(db)
  const now = FIRST + 400 * QUARTER
  await createPartitions(db, SILENT, { table: 'readings', unit: 1 }).prepare([FIRST], now)
  await db.query(sql`create table plain (like readings including all)`)

  const storeRound = createRoundStore(db)
  const batches = quick ? 20 : 60
  let [stored, inserted] = [0, 0]
  const ingest = async (statuses: number) => {
    const started = performance.now()
    for (let i = 0; i < batches; i++) {
      const readings = readingsOf(devices, stored++)
      await storeRound({ statuses: readings.slice(0, statuses), readings }, now)
    }
    return (batches * BATCH) / ((performance.now() - started) / 1000)
  }
  const a = () => ingest(0)
  const b = async () => {
    const started = performance.now()
    for (let i = 0; i < batches; i++) {
      const reports = readingsOf(devices, inserted++)
      await db.query({
        name: 'plain',
        text: `insert into plain (meter_id, timestamp, accumulate_power, power)
          select * from unnest($1::int[], $2::bigint[], $3::float8[], $4::real[])`,
        values: [
          numberArray(reports.map(({ device }) => device.meterId)),
          numberArray(reports.map(({ timestamp }) => timestamp)),
          numberArray(reports.map(({ reading }) => reading?.AccumulatePower)),
          numberArray(reports.map(({ reading }) => reading?.Power)),
        ],
      })
    }
    return (batches * BATCH) / ((performance.now() - started) / 1000)
  }
  const rates = await alternate(quick ? 3 : 7, a, b)

  const live = await ingest(METERS)
  const backlog = stored * BATCH
  const started = performance.now()
  await rollUp(db)
  const seconds = (performance.now() - started) / 1000
  const limits = await alternate(
    quick ? 3 : 7,
    () => recompute(db, true),
    () => recompute(db, false),
  )
  // In the first run the days are new.
  await computeDays(db, QUARTER)
  const between = await alternate(
    quick ? 1 : 5,
    () => computeDays(db, 4 * QUARTER),
    () => computeDays(db, QUARTER),
  )
  return [
    {
      what: 'readings stored with their dirty spans',
      value: rates.a,
      unit: 'rows/s',
      reference: { what: 'plain insert', value: rates.b },
      bar: { of: 'ratio', min: 0.55 },
      note: `batches of ${BATCH} late ones from ${METERS} meters, which change no status; with ${METERS} statuses ${Math.round(live)} rows/s`,
    },
    {
      what: 'energy of all of them computed at once',
      value: backlog / seconds,
      unit: 'readings/s',
      note: `${backlog} readings of ${METERS} meters in ${seconds.toFixed(1)} s`,
    },
    {
      what: 'energy computed with facts and a limit of each meter',
      value: limits.a,
      unit: 'meters/s',
      reference: { what: 'with none', value: limits.b },
      bar: { of: 'ratio', min: 0.95 },
      note: 'a reading a meter that comes late, judged by what was learnt; with its role, room and parent',
    },
    {
      what: 'intervals computed between readings of hourly meters',
      value: between.a,
      unit: 'intervals/s',
      reference: { what: 'of meters on every quarter of an hour', value: between.b },
      bar: { of: 'ratio', min: 0.95 },
      note: `${BETWEEN_DAYS} days of ${METERS} meters`,
    },
  ]
}

/** Recomputes the last day of every meter, with facts that set limits or without. Returns meters per second. */
async function recompute(db: Db, limited: boolean): Promise<number> {
  await db.query(sql`delete from meter_facts`)
  if (limited)
    await db.query(sql`insert into meter_facts (tenant, home_id, meter_key, fact, from_day, value, at)
      select tenant, home_id, peripheral_uid, fact, 0, value, 0 from meters cross join (values
        ('learnt', '800'::jsonb), ('role', '"load"'), ('room', '0'), ('parent', 'null')) as f (fact, value)`)
  // A server does so by itself before long.
  await db.query(sql`vacuum analyze meter_facts`)
  await db.query(sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
    select meter_id, max(timestamp), max(timestamp) from readings group by 1`)
  const started = performance.now()
  await rollUp(db)
  return METERS / ((performance.now() - started) / 1000)
}

/** Number of days with readings computed together, and their start: after all others. */
const BETWEEN_DAYS = 3
const BETWEEN_FROM = FIRST + 30 * 96 * QUARTER

/** Recomputes days of every meter with readings `step` apart. Returns intervals per second. */
async function computeDays(db: Db, step: number): Promise<number> {
  const [from, to] = [BETWEEN_FROM, BETWEEN_FROM + BETWEEN_DAYS * 96 * QUARTER]
  await createPartitions(db, SILENT, { table: 'readings', unit: 1 }).prepare([from, to], to)
  await db.query(sql`delete from readings where timestamp >= ${from}::bigint`)
  await db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power)
    select meter_id, t, 1e6 + (t - ${from}::bigint) / 3.6e6, 1000 from meters,
      generate_series(${from}::bigint, ${to}::bigint, ${step}::bigint) t`)
  await db.query(sql`vacuum analyze readings`)
  await db.query(sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
    select meter_id, ${from}::bigint, ${to}::bigint from meters`)
  const started = performance.now()
  await rollUp(db)
  return (METERS * BETWEEN_DAYS * 96) / ((performance.now() - started) / 1000)
}

/** An empty database of an external server, if one is configured, else an embedded one. */
async function openPlace(): Promise<{ connectionString: string } | { socketDir: string }> {
  const externalUrl = process.env['DATABASE_URL']
  if (externalUrl) return { connectionString: externalUrl }
  const server = await startEmbedded({ dataDir: await temporaryDirectory(), log: SILENT })
  atEnd(() => server.stop())
  return { socketDir: server.socketDir }
}

async function makeMeters(db: Db): Promise<Report['device'][]> {
  const [tenant, homeId, thingName] = [randomUUID(), 'home', 'hub']
  await db.query(sql`insert into companies (tenant, company_name, created_at) values (${tenant}, 'Bench', 0)`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${tenant}, ${homeId}, 'Home', 'Asia/Taipei', 0)`)
  await db.query(
    sql`insert into rooms (tenant, home_id, room_id, room_name) values (${tenant}, ${homeId}, 0, '')`,
  )
  await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, created_at)
    values (${tenant}, ${thingName}, 'Hub', ${homeId}, '\\x00', 0)`)
  await db.query(sql`insert into peripherals
      (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
    select ${tenant}, 'meter-' || i, '514', 'Meter', ${homeId}, ${thingName}, 0 from generate_series(1, ${METERS}::int) i`)
  const rows = await db.query<{ uid: string; meterId: number }>(sql`
    insert into meters (tenant, home_id, peripheral_uid)
    select tenant, home_id, peripheral_uid from peripherals returning peripheral_uid as uid, meter_id as "meterId"`)
  return rows.map(({ uid, meterId }) => ({
    key: `${tenant}/${uid}`,
    tenant,
    peripheralUID: uid,
    type: '514',
    homeId,
    thingName,
    meterId,
  }))
}

/** The readings of one batch: the next ones of every meter. */
const readingsOf = (devices: readonly Report['device'][], batch: number): Report[] =>
  Array.from({ length: BATCH }, (_, i) => {
    const round = batch * (BATCH / METERS) + Math.floor(i / METERS)
    const reading = { AccumulatePower: round * 0.25, Power: 1_000 }
    return {
      device: devices[i % METERS] as Report['device'],
      // Denser than real ones: the months of a whole run fit into one partition.
      timestamp: FIRST + round * (QUARTER / 3),
      values: reading,
      reading,
    }
  })
