import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDb } from '../../../gateway/store/db.ts'
import { type Embedded, startEmbedded } from '../../../gateway/store/embedded.ts'
import { migrate } from '../../../gateway/store/migrate.ts'
import { MIGRATIONS, silentLog } from '../../support/postgres.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'

let dataDir: string
let server: Embedded
let world: World
let root: Caller

const start = () => startEmbedded({ dataDir, pgBin: process.env.PG_BIN, isDurable: false, log: silentLog })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outage-'))
  server = await start()
  const db = openDb({ socketDir: server.socketDir, log: silentLog })
  await migrate(db, MIGRATIONS)
  world = await startWorld({ database: { db, name: 'postgres', dropDatabase: async () => {} } })
  root = await world.signUp()
})
afterAll(async () => {
  await world?.close()
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

it('answers UNAVAILABLE with the time to wait during a database outage, and recovers', async () => {
  const home = (HomeName: string, RequestID: string) =>
    root.post('/CreateHome', { HomeName, TimeZone: 'Asia/Taipei', RequestID })
  expect((await home('Before', 'r1')).status.code).toBe(0)

  await server.stop()
  const away = { http: 503, status: { code: 8 }, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } }
  expect(await root.post('/ListHome')).toMatchObject(away)
  expect(await home('During', 'r2')).toMatchObject(away)
  const health = await world.gateway.http.inject({ url: '/health/ready' })
  // No other gateway could take its calls, and its hubs wait.
  expect(health.statusCode).toBe(200)
  expect(health.json()).toEqual({
    ready: true,
    database: false,
    writes: false,
    broker: true,
    details: ['databaseAway'],
    warnings: [],
  })
  expect((await world.gateway.http.inject({ url: '/health/live' })).statusCode).toBe(200)
  // Ten seconds of outage: sessions stay valid, because their proof is in memory.
  world.clock.advance(10_000)

  server = await start()
  expect((await world.gateway.http.inject({ url: '/health/ready' })).json()).toMatchObject({ details: [] })
  expect((await home('During', 'r2')).status.code).toBe(0)
  const names = (await root.post('/ListHome')).results.map(({ HomeName }: { HomeName: string }) => HomeName)
  expect(names).toEqual(['Before', 'During'])
})
