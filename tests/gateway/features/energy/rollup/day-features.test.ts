import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureFeatures } from '../../../../../gateway/features/energy/rollup/day-features.ts'
import { createPartitions } from '../../../../../gateway/store/partitions.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'

const DAY = 86_400_000
const [FIRST, END] = [20_400, 20_410]

let db: Db
let drop: () => Promise<void>
const ids: number[] = []
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  const tenant = randomUUID()
  await db.query(
    sql`insert into companies (tenant, company_name, created_at) values (${tenant}, 'Features', 0)`,
  )
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${tenant}, 'home', 'Home', 'Asia/Taipei', 0)`)
  const rows = await db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${tenant}, 'home', 'a'), (${tenant}, 'home', 'b') returning meter_id as id`)
  ids.push(...rows.map(({ id }) => id))
  const days = Array.from({ length: END - FIRST }, (_, i) => (FIRST + i) * DAY)
  await createPartitions(db, createLogBook(), { table: 'meter_days', unit: DAY }).prepare(days, END * DAY)
})
afterAll(() => drop())

/** Stores a day of a meter with constant power of which the first `measured` intervals are measured. */
const storeDay = (id: number, day: number, kw: number, measured = 96) =>
  db.query(sql`
    insert into meter_days (meter_id, day, kwh, measured, estimated, corrected, missing, resets, cumulative, quality)
    select ${id}::int, ${day}::int, ${kw}::float8 * 24, ${measured}::int, 96 - ${measured}::int, 0, 0, 0,
      array_agg(${kw}::float8 / 4 * q order by q), repeat('m', ${measured}::int) || repeat('e', 96 - ${measured}::int)
    from generate_series(1, 96) q
    on conflict (meter_id, day) do update set kwh = excluded.kwh, cumulative = excluded.cumulative`)

const forget = () => db.query(sql`delete from meter_day_features`)

it('returns the same day features whether some were stored before or all are computed now', async () => {
  const [a, b] = ids as [number, number]
  for (let day = FIRST; day < END - 2; day++) await storeDay(a, day, 0.1 * (day - FIRST + 1))
  await storeDay(b, FIRST + 3, 2, 80)
  const before = await ensureFeatures(db, ids, FIRST, END)
  expect(before.get(a)).toHaveLength(8)
  expect(before.get(b)).toEqual([
    {
      day: FIRST + 3,
      kWh: expect.closeTo(48, 9) as number,
      known: expect.closeTo(80 / 96, 6) as number,
      baseKw: expect.closeTo(2, 6) as number,
      peakKw: 2,
      lowKw: expect.closeTo(2, 6) as number,
      highKw: expect.closeTo(2, 6) as number,
    },
  ])

  // One day in the middle is computed again, and two are new.
  await storeDay(a, FIRST + 5, 7)
  await storeDay(a, END - 1, 3)
  await storeDay(b, END - 1, 4)
  const after = await ensureFeatures(db, ids, FIRST, END)
  expect(after.get(a)?.map(({ kWh }) => Math.round(kWh * 10) / 10)).toEqual([
    2.4, 4.8, 7.2, 9.6, 12, 168, 16.8, 19.2, 72,
  ])
  expect(after.get(b)?.map(({ day }) => day)).toEqual([FIRST + 3, END - 1])
  expect(await ensureFeatures(db, ids, FIRST, END)).toEqual(after)
  await forget()
  expect(await ensureFeatures(db, ids, FIRST, END)).toEqual(after)
})

it('computes no features for a meter without days', async () => {
  expect(await ensureFeatures(db, [999_999], FIRST, END)).toEqual(new Map())
})
