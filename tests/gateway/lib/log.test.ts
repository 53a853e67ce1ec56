import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../gateway/lib/log.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { createTestDb, type TestDb } from '../../support/postgres.ts'

let test: TestDb
beforeAll(async () => {
  test = await createTestDb()
})
afterAll(() => test.dropDatabase())

it('logs a failed statement without the data of its row', async () => {
  const id = '11111111-1111-4111-8111-111111111111'
  const insert = sql`insert into companies (tenant, company_name, logo_name, created_at) values (${id}, 'hidden name', null, 0)`
  const err = await test.db.query(insert).then(
    () => undefined,
    (error: unknown) => error,
  )
  let line = ''
  createLog('info', { write: (text) => void (line += text) }).error({ err }, 'It failed')
  expect(line).toContain('null value in column')
  expect(line).not.toContain('hidden name')
})

it('logs a lost connection without the state of its client', () => {
  const client = { connectionParameters: { user: 'gateway' } }
  const err = Object.assign(new Error('terminating connection'), { client })
  let line = ''
  createLog('info', { write: (text) => void (line += text) }).warn({ err }, 'lost')
  expect(line).toContain('terminating connection')
  expect(line).not.toContain('connectionParameters')
})
