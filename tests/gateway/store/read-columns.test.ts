import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { readColumns } from '../../../gateway/store/sql.ts'
import { createTestDb } from '../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

describe('rows read as columns', () => {
  it('keep their order, in any number of chunks', async () => {
    const { at, half } = await readColumns<{ at: number; half: number | null }>(
      db,
      ['at', 'half'],
      sql`select n::bigint as at, case when n % 2 = 0 then n / 2.0 end::float8 as half
        from generate_series(1, ${25_000}::int) as n order by n desc`,
    )
    expect(at).toEqual(Array.from({ length: 25_000 }, (_, i) => 25_000 - i))
    expect(half.slice(0, 3)).toEqual([12_500, null, 12_499])
  })

  it('keep every digit of a value', async () => {
    const value = 0.1 + 0.2
    const found = await readColumns<{ value: number }>(
      db,
      ['value'],
      sql`select ${value}::float8 as value union all select ${1e15 + 0.5}::float8`,
    )
    expect(found.value).toEqual([value, 1e15 + 0.5])
  })

  it('are empty if there is no row', async () => {
    expect(await readColumns(db, ['at'], sql`select 1 as at where false`)).toEqual({ at: [] })
  })
})
