import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../gateway/kernel/errors.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { BATCH, createRetentionJob, createFuturePartitions } from '../../gateway/store/retention.ts'
import { createPartitions } from '../../gateway/store/partitions.ts'
import { auditRetention } from '../../gateway/features/audit/feature.ts'
import { expiringCommands } from '../../gateway/features/control/feature.ts'
import { expiringEvents } from '../../gateway/features/devices/feature.ts'
import { expiringUpdates } from '../../gateway/features/ota/feature.ts'
import { resultRetention } from '../../gateway/http/idempotency.ts'
import { startJobs } from '../../gateway/lib/jobs.ts'
import { type Building, createBuilding } from '../support/building.ts'
import { holdClock, type HeldClock } from '../support/clock.ts'
import { createLogBook } from '../support/log-book.ts'
import { createTestDb, type TestDb } from '../support/postgres.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let test: TestDb
let building: Building
let clock: HeldClock
let metrics: Registry
let running: { close(): Promise<void> }
let told: (() => void)[]

beforeAll(async () => {
  test = await createTestDb()
  building = await createBuilding(test.db)
})
afterAll(() => test.dropDatabase())
beforeEach(async () => {
  for (const table of [
    'commands',
    'command_keys',
    'device_events',
    'audit_log',
    'ota_jobs',
    'request_results',
  ])
    await test.db.pool.query(`delete from ${table}`)
  clock = holdClock()
  metrics = new Registry()
  told = []
  return () => running.close()
})

/** Database that counts completed statements. */
const watched = (fails = () => false): Db => ({
  ...test.db,
  async query(query) {
    try {
      if (fails()) throw new GatewayError('UNAVAILABLE', 'away')
      return await test.db.query(query)
    } finally {
      setImmediate(() => told.shift()?.())
    }
  },
})
/** Starts deleting rows past this retention in days, as the features of a gateway do. */
function start(
  keep: { commands?: number; events?: number; audit?: number; ota?: number; results?: boolean },
  { db = watched(), eventsOfDevice = 0 } = {},
) {
  const options = { db, clock, log: createLogBook(), metrics }
  const jobs = [
    expiringCommands(options, keep.commands ?? 0),
    expiringEvents(options, { history: keep.events ?? 0 }, eventsOfDevice),
    auditRetention(options, keep.audit ?? 0),
    expiringUpdates(options, keep.ota ?? 0),
    keep.results ? resultRetention(options) : [],
  ].map((expiring, i) => createRetentionJob(`rows ${i}`, options, expiring))
  running = startJobs(jobs, options)
}
/** Advances the clock and waits until this number of statements has completed. */
async function pass(ms: number, statements: number) {
  const all = Array.from({ length: statements }, () => new Promise<void>((resolve) => told.push(resolve)))
  clock.advance(ms)
  await Promise.all(all)
}

const addCommand = (id: string, requestedAt: number) =>
  test.db
    .query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, state,
      history, requested_at, settled_at)
    values (${building.tenant}, ${id}, 'p', ${building.homeId}, 't', '{}', 'person', 'confirmed', '[]', ${requestedAt}, ${requestedAt})`)
const addAudit = (count: number, at: number) =>
  test.db.query(sql`insert into audit_log (tenant, at, by_name, ip, request_id, path, input)
    select ${building.tenant}::uuid, ${at}::bigint, 'n', 'i', 'r', '/p', '{}' from generate_series(1, ${count}::int)`)
const addResult = (id: string, at: number) =>
  test.db.query(sql`insert into request_results (tenant, cognito_id, request_id, path, input_hash, created_at)
    values (${building.tenant}, ${building.tenant}, ${id}, '/p', '\\x00', ${at})`)
const addEvent = (at: number, device = 'door') =>
  test.db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    values (${building.tenant}, ${device}, ${at}, 'DoorState', 1, 2)`)
/** Firmware update of one hub. */
async function addOtaJob(id: string, endedAt: number | null) {
  await test.db
    .query(sql`insert into ota_jobs (tenant, ota_job_id, home_id, firmware_id, target, firmware_version, state,
      wave_size, pause_percent, confirm_waves, by, requested_at, ended_at)
    values (${building.tenant}, ${id}, ${building.homeId}, 'fw', 'hub', '2', 'finished', 1, 0, false, 'x', 0, ${endedAt}::bigint)`)
  await test.db
    .query(sql`insert into ota_updates (tenant, ota_job_id, thing_name, home_id, request_id, firmware_version,
      wave, state, requested_at, settled_at)
    values (${building.tenant}, ${id}, ${building.thingName}, ${building.homeId}, ${id}, '2', 1, 'succeeded', 0, ${endedAt}::bigint)`)
}
const count = async (table: string) =>
  Number((await test.db.pool.query(`select count(*) from ${table}`)).rows[0].count)

describe('expired rows', () => {
  it('are deleted, and others are kept', async () => {
    const now = clock.now()
    await addCommand('old', now - 90 * DAY)
    await addCommand('young', now - 89 * DAY)
    await addCommand('of late', now - 31 * DAY)
    await addAudit(1, now - 730 * DAY)
    await addAudit(1, now - 729 * DAY)
    await building.addDevice('door', '755')
    await addEvent(now - 31 * DAY)
    await addEvent(now - 30 * DAY)
    for (const [since, until] of [
      [1, now - 31 * DAY],
      [2, now - 30 * DAY],
      [3, null],
    ])
      await test.db.query(sql`insert into hub_absences (tenant, thing_name, since, until)
        values (${building.tenant}, ${building.thingName}, ${since}, ${until})`)
    await addResult('old', now - DAY)
    await addResult('young', now - DAY + 2 * HOUR)
    start({ commands: 90, events: 31, audit: 730, results: true })
    await pass(HOUR, 10)
    expect(await count('hub_absences')).toBe(2)
    const left = await test.db.query(sql`select request_id as id from commands order by request_id`)
    expect(left).toEqual([{ id: 'of late' }, { id: 'young' }])
    expect(await test.db.query(sql`select request_id as id from command_keys`)).toEqual([{ id: 'of late' }])
    expect([await count('audit_log'), await count('request_results'), await count('device_events')]).toEqual([
      1, 1, 1,
    ])
    expect(await metrics.metrics()).toContain('store_expired_rows_total{table="audit_log"} 1')
  })

  it('are deleted in batches with a pause between them', async () => {
    await addAudit(BATCH + 7, 0)
    start({ audit: 1 })
    await pass(HOUR, 3)
    expect(await count('audit_log')).toBe(7)
    await pass(1_000, 2)
    expect(await count('audit_log')).toBe(0)
  })

  it('are kept without limit if configured so', async () => {
    await addCommand('old', 0)
    await addResult('old', 0)
    start({ results: true })
    await pass(HOUR, 2)
    expect([await count('commands'), await count('request_results')]).toEqual([1, 0])
  })

  it('are kept while the database is unavailable, and deleted afterwards', async () => {
    let away = true
    await addAudit(1, 0)
    start({ audit: 1 }, { db: watched(() => away) })
    await pass(HOUR, 2)
    away = false
    await pass(HOUR, 3)
    expect(await count('audit_log')).toBe(0)
  })

  it('are deleted with a firmware update that ended long ago, and no other', async () => {
    const now = clock.now()
    await addOtaJob('old', now - 400 * DAY)
    await addOtaJob('young', now - 399 * DAY)
    await addOtaJob('paused', null)
    start({ ota: 400 })
    await pass(HOUR, 3)
    const left = async (table: string) =>
      (await test.db.pool.query(`select ota_job_id as id from ${table} order by 1`)).rows.map(({ id }) => id)
    expect(await left('ota_updates')).toEqual(['paused', 'young'])
    expect(await left('ota_jobs')).toEqual(['paused', 'young'])
  })
})

describe('tables partitioned by month', () => {
  const months = async () =>
    (
      await test.db.query<{ name: string }>(sql`select inhrelid::regclass::text as name from pg_inherits
        where inhparent = 'audit_log'::regclass and inhrelid::regclass::text < 'audit_log_2026_1' order by 1`)
    ).map(({ name }) => name)

  it('drop whole expired months', async () => {
    const january = Date.UTC(2026, 0, 20)
    const { prepare } = createPartitions(test.db, createLogBook(), { table: 'audit_log', unit: 1 })
    await prepare(
      [0, 31, 59].map((days) => january + days * DAY),
      Date.UTC(2026, 3),
    )
    for (const at of [january, Date.UTC(2026, 1, 28, 23), Date.UTC(2026, 2, 1)]) await addAudit(1, at)
    expect(await months()).toEqual(['audit_log_2026_01', 'audit_log_2026_02', 'audit_log_2026_03'])
    clock = holdClock(Date.UTC(2026, 3, 1, 12))
    start({ audit: 31 })
    // A partition for February is expired only when its last row is.
    await pass(HOUR, 3)
    expect(await months()).toEqual(['audit_log_2026_03'])
    expect(await count('audit_log')).toBe(1)
  })

  it('have the partitions of this month and the next before they begin', async () => {
    clock = holdClock(Date.UTC(2026, 3, 30, 23, 30))
    running = { close: async () => {} }
    const ahead = createFuturePartitions({ db: test.db, clock, log: createLogBook() }, { table: 'audit_log' })
    await ahead.prepare()
    expect(await months()).toEqual(expect.arrayContaining(['audit_log_2026_04', 'audit_log_2026_05']))
    clock.advance(HOUR)
    await ahead.job.run(() => false)
    await addAudit(1, clock.now())
    expect(await months()).toContain('audit_log_2026_06')
    expect(await count('audit_log_2026_05')).toBe(1)
    expect(await count('audit_log_default')).toBe(0)
  })
})

describe('the changes of a constantly changing device', () => {
  it('are limited to the latest, without affecting other devices', async () => {
    await building.addDevice('flutters', '755')
    await building.addDevice('quiet', '755')
    for (let at = 1; at <= 7; at++) await addEvent(at, 'flutters')
    await addEvent(1, 'quiet')
    start({}, { eventsOfDevice: 3 })
    // One statement checks, one deletes, and another checks for old requests.
    await pass(HOUR, 3)
    const left = await test.db.query(
      sql`select peripheral_uid as uid, timestamp as at from device_events order by 1, 2`,
    )
    expect(left).toEqual([
      { uid: 'flutters', at: 5 },
      { uid: 'flutters', at: 6 },
      { uid: 'flutters', at: 7 },
      { uid: 'quiet', at: 1 },
    ])
  })

  it('are deleted in batches, device by device', async () => {
    for (const device of ['a-flutters', 'b-flutters']) {
      await building.addDevice(device, '755')
      await test.db
        .query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
        select ${building.tenant}::uuid, ${device}, at, 'DoorState', 1, 2 from generate_series(1, ${BATCH}::int) at`)
    }
    start({}, { eventsOfDevice: 10 })
    await pass(HOUR, 4)
    expect(await count('device_events')).toBe(BATCH)
    await pass(1_000, 2)
    expect(await count('device_events')).toBe(20)
  })
})
