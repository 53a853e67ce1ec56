import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mergeStatus } from '../../../contract/devices/status-order.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { createTestDb } from '../../support/postgres.ts'
import { reports } from '../../support/thermostat-reports.ts'

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

it('merges a report in the database like the contract', async () => {
  const pairs = fc.sample(fc.tuple(reports, reports), 500)
  const rows = await db.query<{ merged: object }>(sql`
    select merge_status(pair -> 0, pair -> 1) as merged
    from jsonb_array_elements(${JSON.stringify(pairs)}::jsonb) with ordinality as p (pair, at) order by at`)
  expect(rows.map(({ merged }) => merged)).toEqual(pairs.map(([known, next]) => mergeStatus(known, next)))
})
