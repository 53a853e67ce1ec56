import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/errors.ts'
import { type Db, sql } from '../../../gateway/store/db.ts'
import { BATCH, createRetention, type Kept } from '../../../gateway/store/retention.ts'
import { type Building, createBuilding } from '../../support/building.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createTestDb, type TestDb } from '../../support/postgres.ts'

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
afterAll(() => test.drop())
beforeEach(async () => {
  for (const table of ['commands', 'device_events', 'audit_log', 'request_results'])
    await test.db.pool.query(`delete from ${table}`)
  clock = holdClock()
  metrics = new Registry()
  told = []
  return () => running.close()
})

/** The database, telling of each statement that ended. */
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
const start = (keep: Kept, db = watched()) =>
  (running = createRetention({ db, clock, log: createLogBook(), metrics, keep }))
/** Lets the clock go, and waits until so many statements have ended. */
async function pass(ms: number, statements: number) {
  const all = Array.from({ length: statements }, () => new Promise<void>((resolve) => told.push(resolve)))
  clock.advance(ms)
  await Promise.all(all)
}

const addCommand = (id: string, settledAt: number | null) =>
  test.db
    .query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, state,
      history, requested_at, settled_at)
    values (${building.tenant}, ${id}, 'p', ${building.homeId}, 't', '{}', 'person', 'confirmed', '[]', 0, ${settledAt}::bigint)`)
const addAudit = (count: number, at: number) =>
  test.db.query(sql`insert into audit_log (tenant, at, by_name, ip, request_id, path, input)
    select ${building.tenant}::uuid, ${at}::bigint, 'n', 'i', 'r', '/p', '{}' from generate_series(1, ${count}::int)`)
const addResult = (id: string, at: number) =>
  test.db.query(sql`insert into request_results (tenant, cognito_id, request_id, path, input_hash, created_at)
    values (${building.tenant}, ${building.tenant}, ${id}, '/p', '\\x00', ${at})`)
const addEvent = (at: number) =>
  test.db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    values (${building.tenant}, 'door', ${at}, 'DoorState', 1, 2)`)
const count = async (table: string) =>
  Number((await test.db.pool.query(`select count(*) from ${table}`)).rows[0].count)

describe('rows that were kept long enough', () => {
  it('go by themselves, and the others stay', async () => {
    const now = clock.now()
    await addCommand('old', now - 90 * DAY)
    await addCommand('young', now - 89 * DAY)
    await addCommand('under way', null)
    await addAudit(1, now - 730 * DAY)
    await addAudit(1, now - 729 * DAY)
    await building.addDevice('door', '755')
    await addEvent(now - 31 * DAY)
    await addEvent(now - 30 * DAY)
    await addResult('old', now - DAY)
    await addResult('young', now - DAY + 2 * HOUR)
    start({ commands: 90 * DAY, events: 31 * DAY, audit: 730 * DAY, results: DAY })
    await pass(HOUR, 4)
    const left = await test.db.query(sql`select request_id as id from commands order by request_id`)
    expect(left).toEqual([{ id: 'under way' }, { id: 'young' }])
    expect([await count('audit_log'), await count('request_results'), await count('device_events')]).toEqual([
      1, 1, 1,
    ])
    expect(await metrics.metrics()).toContain('store_expired_rows_total{table="audit_log"} 1')
  })

  it('go in batches with a pause between them', async () => {
    await addAudit(BATCH + 7, 0)
    start({ commands: 0, events: 0, audit: DAY, results: 0 })
    await pass(HOUR, 1)
    expect(await count('audit_log')).toBe(7)
    await pass(1_000, 1)
    expect(await count('audit_log')).toBe(0)
  })

  it('stay for ever where it is configured so', async () => {
    await addCommand('old', 0)
    await addResult('old', 0)
    start({ commands: 0, events: 0, audit: 0, results: DAY })
    await pass(HOUR, 1)
    expect([await count('commands'), await count('request_results')]).toEqual([1, 0])
  })

  it('stay while the database is away, and go afterwards', async () => {
    let away = true
    await addAudit(1, 0)
    start(
      { commands: 0, events: 0, audit: DAY, results: 0 },
      watched(() => away),
    )
    await pass(HOUR, 1)
    away = false
    await pass(HOUR, 1)
    expect(await count('audit_log')).toBe(0)
  })
})
