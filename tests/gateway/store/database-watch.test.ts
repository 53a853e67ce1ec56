import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createDatabaseMetrics,
  createDatabaseWatch,
  readDatabaseFacts,
  exceedsConnectionLimit,
} from '../../../gateway/store/database-watch.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createTestDb, type TestDb } from '../../support/postgres.ts'

let test: TestDb
beforeAll(async () => {
  test = await createTestDb({ template: 'empty' })
})
afterAll(() => test.dropDatabase())

it('reads connection limits and standbys from the server', async () => {
  expect(await readDatabaseFacts(test.db)).toEqual({
    connections: expect.toSatisfy((count: number) => count >= 1 && count < 200),
    maxConnections: 200,
    syncStandbys: 0,
  })
})

it('warns once if all gateways together may use more than 80 % of the connections', async () => {
  expect(exceedsConnectionLimit(2, 20, { maxConnections: 60 })).toBe(false)
  expect(exceedsConnectionLimit(3, 20, { maxConnections: 60 })).toBe(true)
  expect(exceedsConnectionLimit(2, 20, { maxConnections: 57 })).toBe(true)
  const log = createLogBook()
  let gateways = 20
  const { job } = createDatabaseWatch(test.db, log, () => gateways)
  const warnings = () => log.lines.filter(({ text }) => text.includes('lower DATABASE_POOL')).length
  await job.run(() => false)
  expect(warnings()).toBe(0)
  gateways = 21
  await job.run(() => false)
  await job.run(() => false)
  expect(warnings()).toBe(1)
})

it('is measured, and ignores a server that returns no values', async () => {
  const registry = new Registry()
  const watch = createDatabaseWatch(test.db, createLogBook(), () => 1)
  createDatabaseMetrics(registry, test.db, watch)
  expect(await registry.metrics()).not.toContain('\ndatabase_connections{')
  await watch.job.run(() => false)
  const text = await registry.metrics()
  expect(text).toMatch(/^database_connections\{server="primary"\} [1-9]/m)
  expect(text).toContain('database_max_connections{server="primary"} 200')
  expect(text).toContain('database_sync_standbys{server="primary"} 0')
  expect(text).toContain('database_pool{state="max"} 5')
  expect(text).toContain('database_failovers_total 0')
})
