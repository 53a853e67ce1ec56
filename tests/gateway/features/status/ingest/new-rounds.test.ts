import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assignMeterIds } from '../../../../../gateway/features/status/ingest/store-batch.ts'
import { createRoundStore } from '../../../../../gateway/features/status/ingest/state.ts'
import type { Device, Report } from '../../../../../gateway/features/status/ingest/report.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { createBuilding } from '../../../../support/building.ts'
import { createTestDb } from '../../../../support/postgres.ts'

const NOW = Date.UTC(2026, 5, 1)

let db: Db
let drop: () => Promise<void>
let devices: Device[]
/** Storing statements, in order. */
let asked: string[]
let store: ReturnType<typeof createRoundStore>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  const building = await createBuilding(db)
  const { tenant, homeId, thingName } = building
  devices = ['m1', 'm2'].map((uid) => ({
    key: `${tenant}/${uid}`,
    tenant,
    peripheralUID: uid,
    type: '514',
    homeId,
    thingName,
    meterId: undefined,
  }))
  for (const { peripheralUID } of devices) await building.addDevice(peripheralUID, '514')
  await assignMeterIds(db, devices)
  await db.query(sql`delete from meter_dirty`)
  asked = []
  store = createRoundStore({
    ...db,
    query(query) {
      if ('name' in query && query.name.startsWith('ingest-store')) asked.push(query.name)
      return db.query(query)
    },
  })
})

const reading = (meter: number, minute: number, AccumulatePower = minute): Report => {
  const values = { AccumulatePower }
  return {
    device: devices[meter] as Device,
    timestamp: NOW + minute * 60_000,
    values,
    reading: values,
  }
}
/** Stores readings and updates each meter's status with its last one. */
const round = (...readings: Report[]) => {
  const last = new Map(readings.map((one) => [one.device, one]))
  return store({ statuses: [...last.values()], readings }, NOW)
}
const ofMeters = () => sql`meter_id = any(${devices.map(({ meterId }) => meterId)}::int[])`
const spans = () =>
  db.query<{ meter: number; from: number; through: number }>(sql`
    select meter_id - ${devices[0]?.meterId}::int as meter, (from_timestamp - ${NOW}::bigint) / 60000 as from,
      (through_timestamp - ${NOW}::bigint) / 60000 as through
    from meter_dirty where ${ofMeters()} order by 1, 2`)
const counters = () =>
  db.query<{ kwh: number }>(
    sql`select accumulate_power as kwh from readings where ${ofMeters()} order by meter_id, timestamp`,
  )

describe('a batch', () => {
  it('of new readings is stored without looking up each, with one span per meter', async () => {
    const { stored, changed } = await round(reading(0, 5), reading(1, 7), reading(0, 3), reading(0, 9))
    expect(stored).toBe(4)
    expect(changed.map(({ count }) => count)).toEqual([2])
    expect(await spans()).toEqual([
      { meter: 0, from: 3, through: 9 },
      { meter: 1, from: 7, through: 7 },
    ])
    expect(asked).toEqual(['ingest-store-new'])
  })

  it('with an existing reading stores the others, and returns which contradict', async () => {
    await round(reading(0, 1), reading(1, 1))
    await db.query(sql`delete from meter_dirty where ${ofMeters()}`)
    const again = await round(reading(0, 1), reading(1, 1, 8), reading(1, 2))
    expect(again).toMatchObject({ stored: 1, conflicts: [{ meterId: devices[1]?.meterId, kwh: 8 }] })
    expect(await spans()).toEqual([{ meter: 1, from: 2, through: 2 }])
    expect((await counters()).map(({ kwh }) => kwh)).toEqual([1, 1, 2])
  })

  it('is looked up for a while after a duplicate, until readings have been new for long', async () => {
    await round(reading(0, 1))
    await round(reading(0, 1))
    for (let minute = 2; minute <= 60; minute++) await round(reading(0, minute))
    const careful = asked.filter((name) => name === 'ingest-store').length
    expect(careful).toBe(51)
    expect(asked.slice(0, 4)).toEqual([
      'ingest-store-new',
      'ingest-store-new',
      'ingest-store',
      'ingest-store',
    ])
    expect(asked.at(-1)).toBe('ingest-store-new')
    expect(await counters()).toHaveLength(60)
  })
})
