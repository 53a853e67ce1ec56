import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sample } from '../../../contract/rules/intervals.ts'
import { QUARTER } from '../../../contract/rules/periods.ts'
import { type Db, sql } from '../../../gateway/store/db.ts'
import { settle } from '../../../gateway/telemetry/energy-store.ts'
import { stream } from '../../../simulator/scenarios/random.ts'
import { type Building, createBuilding } from '../../support/building.ts'
import { createTestDb } from '../../support/postgres.ts'
import { addMeter, expectedIntervals, keptIntervals, store } from './meters.ts'

const ZONE = 'Asia/Taipei'
const DAY = 86_400_000

let db: Db
let drop: () => Promise<void>
let building: Building
beforeAll(async () => {
  ;({ db, drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
})

/** Compares what is kept with what the rules say of all readings at once. */
async function expectTrue(meterId: number, readings: readonly Sample[], zone = ZONE) {
  const [{ kept, resets }, expected] = [await keptIntervals(db, meterId, zone), expectedIntervals(readings)]
  expect([...kept.keys()]).toEqual([...expected.kept.keys()])
  for (const [quarter, { kwh, quality }] of expected.kept) {
    expect(kept.get(quarter)?.quality, `${quarter}`).toBe(quality)
    expect(Math.abs((kept.get(quarter)?.kwh ?? Number.NaN) - kwh)).toBeLessThan(1e-6)
  }
  expect(resets).toEqual(expected.resets)
  const [sums] = await db.query<{ days: number | null; months: number | null }>(sql`select
    (select sum(kwh) from meter_days where meter_id = ${meterId}) as days,
    (select sum(kwh) from meter_months where meter_id = ${meterId}) as months`)
  expect(sums?.months ?? 0).toBeCloseTo(sums?.days ?? 0, 6)
}

/** Readings of some days with gaps, faults, resets and odd moments. */
function someReadings(random: () => number, from: number): Sample[] {
  const readings: Sample[] = []
  let at = from + Math.floor(random() * DAY)
  let kwh = Math.floor(random() * 1000)
  for (let i = 0; i < 20 + random() * 60; i++) {
    const chance = random()
    at +=
      chance < 0.1
        ? Math.floor(random() * 2 * DAY)
        : chance < 0.5
          ? QUARTER - (at % QUARTER)
          : Math.floor(random() * QUARTER * 2) + 1
    kwh += random() * 5
    if (random() < 0.03) kwh = random() * 2
    const fault = random()
    readings.push({ timestamp: at, kwh: fault < 0.04 ? kwh * 1000 + 1e7 : fault < 0.07 ? kwh / 100 : kwh })
  }
  return readings
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

describe('whatever order readings come in', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'the days are those of all at once (%i)',
    async (seed) => {
      const random = stream(seed)
      const meterId = await addMeter(db, building, 'meter')
      const readings = someReadings(random, Date.UTC(2025, 9, 20))
      const arriving = shuffled([...readings, ...readings.slice(0, 5)], seed % 3 === 0 ? () => 0 : random)
      while (arriving.length > 0) {
        await store(db, meterId, arriving.splice(0, 1 + Math.floor(random() * 12)))
        if (random() < 0.8) await settle(db)
      }
      await settle(db, [meterId])
      await expectTrue(meterId, readings)
      expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
    },
  )
})
