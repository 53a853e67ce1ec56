import { randomUUID } from 'node:crypto'
import { createRoundStore } from '../../gateway/features/status/ingest/state.ts'
import type { Report } from '../../gateway/features/status/ingest/report.ts'
import { rollUp } from '../../gateway/features/energy/rollup/roll-up.ts'
import { detectFindings } from '../../gateway/features/insight/findings/find-in-home.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { openDb } from '../../gateway/store/db.ts'
import { startEmbedded } from '../../gateway/store/embedded.ts'
import { migrate } from '../../gateway/store/migrate.ts'
import { createPartitions } from '../../gateway/store/partitions.ts'
import { findingPorts } from '../../tests/support/finding-ports.ts'
import { atEnd } from '../support/clean-up.ts'
import { temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { cpuOf, descendantsOf } from '../support/process-figures.ts'
import { median } from '../support/statistics.ts'

const METERS = 1_000
const DAYS = 120
const DAY = 86_400_000
const QUARTER = 900_000
const ZONE = 'Asia/Taipei'
/** Number of readings that ingest stores in one transaction. */
const BATCH = 500
/** Start of the ingested day: after the existing days, in UTC as well as in the home's time zone. */
const FIRST = Date.UTC(2026, 0, 1)
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** CPU time of checking a day of a thousand meters for findings, compared with ingesting it: this process and its database together. */
export async function measureCost({ quick }: Options): Promise<Figure[]> {
  const server = await startEmbedded({ dataDir: await temporaryDirectory(), log: SILENT })
  atEnd(() => server.stop())
  const db = openDb({ socketDir: server.socketDir, max: 4, log: SILENT, statementTimeoutMs: 0 })
  atEnd(() => db.close())
  await migrate(db, new URL('../../gateway/store/migrations', import.meta.url).pathname)
  const tenant = randomUUID()
  const devices = await makeMeters(db, tenant)
  const today = Math.floor(FIRST / DAY) + DAYS
  await storeDays(db, today - DAYS, today)
  const clock = { now: () => (today + 1) * DAY + 6 * 3_600_000, after: () => () => {} }
  const measureDay = (day: number) =>
    db.transaction((tx) =>
      detectFindings(
        tx,
        { db, log: SILENT, ports: findingPorts(db, clock), now: clock.now() },
        tenant,
        { HomeID: 'home', zone: ZONE },
        day,
      ),
    )
  // The first check computes the features of all days; later ones those of a day.
  const first = await cpuOfWork(() => measureDay(today - 8))
  const ingested = await cpuOfWork(() => ingestDay(db, devices, today))
  const times: number[] = []
  for (let day = today - 7; day < today - (quick ? 5 : 0); day++)
    times.push(await cpuOfWork(() => measureDay(day)))
  const seconds = (microseconds: number) => Math.round(microseconds / 1e4) / 100
  return [
    {
      what: `CPU of looking at a day of ${METERS} meters`,
      value: seconds(median(times)),
      unit: 's',
      reference: { what: 'of ingesting a day of them', value: seconds(ingested) },
      bar: { of: 'ratio', max: 0.1 },
      note: `the first time, with ${DAYS} days behind: ${seconds(first)} s`,
    },
  ]
}

const used = (): number =>
  [process.pid, ...descendantsOf(process.pid)].reduce((sum, pid) => sum + cpuOf(pid), 0)
async function cpuOfWork(work: () => Promise<unknown>): Promise<number> {
  const before = used()
  await work()
  return used() - before
}

async function makeMeters(db: Db, tenant: string): Promise<Report['device'][]> {
  await db.query(sql`insert into companies (tenant, company_name, created_at) values (${tenant}, 'Bench', 0)`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${tenant}, 'home', 'Home', ${ZONE}, 0)`)
  await db.query(
    sql`insert into rooms (tenant, home_id, room_id, room_name) values (${tenant}, 'home', 0, '')`,
  )
  await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, created_at)
    values (${tenant}, 'hub', 'Hub', 'home', '\\x00', 0)`)
  await db.query(sql`insert into peripherals
      (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
    select ${tenant}, 'meter-' || i, '514', 'Meter', 'home', 'hub', 0 from generate_series(1, ${METERS}::int) i`)
  const rows = await db.query<{ uid: string; meterId: number }>(sql`
    insert into meters (tenant, home_id, peripheral_uid)
    select tenant, home_id, peripheral_uid from peripherals returning peripheral_uid as uid, meter_id as "meterId"`)
  return rows.map(
    ({ uid, meterId }) =>
      ({
        key: `${tenant}/${uid}`,
        tenant,
        peripheralUID: uid,
        homeId: 'home',
        thingName: 'hub',
        type: '514',
        meterId,
      }) as unknown as Report['device'],
  )
}

/** Inserts days of every meter, each slightly different. */
async function storeDays(db: Db, from: number, end: number): Promise<void> {
  const days = Array.from({ length: end - from }, (_, i) => from + i)
  await createPartitions(db, SILENT, { table: 'meter_days', unit: DAY }).prepare(
    days.map((day) => day * DAY),
    end * DAY,
  )
  await db.query(sql`
    insert into meter_days (meter_id, day, kwh, measured, estimated, corrected, missing, resets, cumulative, quality)
    select m.meter_id, d, s.kwh, 96, 0, 0, 0, 0, s.cumulative, repeat('m', 96) from meters m, unnest(${days}::int[]) d
    cross join lateral (select array_agg(c order by q) as cumulative, max(c) as kwh from (
      select q, sum(0.1 + 0.01 * ((m.meter_id * 7 + d * 3 + q * 13) % 11)) over (order by q) as c
      from generate_series(1, 96) q) x) s`)
  await db.query(sql`insert into meter_months (meter_id, month, kwh, measured, estimated, corrected, missing, resets)
    select meter_id, extract(year from date)::int * 12 + extract(month from date)::int - 1, sum(kwh), sum(measured), 0, 0, 0, 0
    from (select *, date '1970-01-01' + day as date from meter_days) d group by 1, 2`)
  await db.pool.query('vacuum analyze meter_days, meter_months, meters, peripherals')
}

/** Stores a day's readings of every meter and computes their energy. */
async function ingestDay(db: Db, devices: readonly Report['device'][], day: number): Promise<void> {
  const store = createRoundStore(db)
  const start = day * DAY
  await createPartitions(db, SILENT, { table: 'readings', unit: 1 }).prepare([start], start + DAY)
  for (let quarter = 0; quarter <= 96; quarter++) {
    const timestamp = start + quarter * QUARTER
    for (let from = 0; from < devices.length; from += BATCH) {
      const reports = devices.slice(from, from + BATCH).map((device): Report => {
        const reading = { AccumulatePower: quarter * 0.25, Power: 1_000 }
        return { device, timestamp, values: reading, reading }
      })
      await store({ statuses: reports, readings: reports }, timestamp)
    }
    // As in real time: computed a few quarters of an hour at a time.
    if (quarter % 8 === 0) await rollUp(db)
  }
  await rollUp(db)
}
