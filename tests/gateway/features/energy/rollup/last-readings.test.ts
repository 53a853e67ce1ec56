import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { createPartitions } from '../../../../../gateway/store/partitions.ts'
import { rollUp } from '../../../../../gateway/features/energy/rollup/roll-up.ts'
import { expireReadings } from '../../../../../gateway/features/energy/rollup/expire-energy.ts'
import { type Building, createBuilding } from '../../../../support/building.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'
import { addMeter, store } from './meters.ts'

const DAY = 86_400_000
const FROM = Date.UTC(2026, 0, 1)
const DAYS = 120

let db: Db
let drop: () => Promise<void>
let building: Building
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  // Two months share the default partition.
  await createPartitions(db, createLogBook(), { table: 'readings', unit: 1 }).prepare(
    [60, 100].map((day) => FROM + day * DAY),
    FROM + DAYS * DAY,
  )
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
})

const noted = (meterIds: readonly number[]) =>
  db.query(sql`select meter_id, timestamp, accumulate_power, power, avg_electric_current from meter_last
    where meter_id = any(${[...meterIds]}::int[]) order by 1`)
/** Newest readings, found by scanning all readings. */
const newest = (meterIds: readonly number[]) =>
  db.query(sql`select distinct on (meter_id) meter_id, timestamp, accumulate_power, power, avg_electric_current
    from readings where meter_id = any(${[...meterIds]}::int[]) order by meter_id, timestamp desc`)

/** Change of one of the meters, at hours after the first. */
type Step = { meter: 0 | 1; at: number[]; kwh: number } & {
  kind: 'store' | 'remove' | 'removeAll' | 'settle'
}
const steps = fc.array(
  fc.record<Step>({
    meter: fc.constantFrom(0, 1),
    kind: fc.constantFrom('store', 'store', 'remove', 'removeAll', 'settle'),
    at: fc.array(fc.integer({ min: 0, max: DAYS * 24 - 1 }), { minLength: 1, maxLength: 5 }),
    kwh: fc.integer({ min: 0, max: 1_000 }),
  }),
  { minLength: 1, maxLength: 10 },
)

it('match all readings after late, repeated and deleted ones', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const meters = [
        await addMeter(db, building, `a ${Math.random()}`),
        await addMeter(db, building, `b ${Math.random()}`),
      ]
      for (const { meter, kind, at, kwh } of some) {
        const id = meters[meter] as number
        const moments = [...new Set(at)].map((hour) => FROM + (hour * DAY) / 24)
        if (kind === 'store')
          await store(
            db,
            id,
            moments.map((timestamp) => ({ timestamp, kwh })),
          )
        else if (kind === 'settle') await rollUp(db, meters)
        else
          await db.transaction(async (tx) => {
            await tx.query(sql`delete from readings where meter_id = ${id}
              and (${kind === 'removeAll'} or timestamp >= ${Math.min(...moments)}::bigint)`)
            await tx.query(
              sql`insert into meter_dirty values (${id}, ${Math.min(...moments)}, ${FROM + DAYS * DAY})`,
            )
          })
      }
      await rollUp(db, meters)
      expect(await noted(meters)).toEqual(await newest(meters))
    }),
    { numRuns: 25 },
  )
})

it('stay correct when months with a quarantined last reading are deleted', async () => {
  const silent = await addMeter(db, building, 'silent')
  const day = FROM + 70 * DAY
  await store(
    db,
    silent,
    [0, 1, 2, 3].map((hour) => ({ timestamp: day + hour * 3_600_000, kwh: hour === 3 ? 1e9 : hour })),
  )
  await rollUp(db, [silent])
  expect(await noted([silent])).toMatchObject([{ accumulate_power: 1e9 }])
  await expireReadings(db, FROM + 110 * DAY)
  await rollUp(db, [silent])
  expect(await noted([silent])).toMatchObject([{ accumulate_power: 2 }])
  expect(await noted([silent])).toEqual(await newest([silent]))
  await db.query(sql`delete from energy_floors`)
})
