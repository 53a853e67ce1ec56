import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createQuarantineEvents } from '../../../../../gateway/features/energy/rollup/quarantine-events.ts'
import { createEvents, type DataChangeEvent, type Events } from '../../../../../gateway/kernel/events.ts'
import type { Db } from '../../../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'
import { addMeter } from './meters.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let events: Events
let told: DataChangeEvent[]
let news: ReturnType<typeof createQuarantineEvents>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  clock = holdClock()
  events = createEvents((error) => {
    throw error
  })
  told = []
  events.on('dataChange', (event) => void told.push(event))
  news = createQuarantineEvents({ db, events, clock, log: createLogBook() })
  return () => news.close()
})
const update = ({ tenant, homeId: HomeID }: Building) => ({
  tenant,
  name: 'quarantinedReading.update',
  record: { HomeID },
  by: null,
})

describe('events of quarantined readings', () => {
  it('are sent to each affected home, once for all changes within two seconds', async () => {
    const other = await createBuilding(db)
    const [a, b, c] = [
      await addMeter(db, building, 'a'),
      await addMeter(db, building, 'b'),
      await addMeter(db, other, 'c'),
    ]
    events.emit('readingsQuarantined', { meterIds: [a, b] })
    clock.advance(1_999)
    events.emit('readingsQuarantined', { meterIds: [c, a] })
    expect(told).toEqual([])
    clock.advance(1)
    await expect.poll(() => told.length).toBe(2)
    expect(told).toEqual(expect.arrayContaining([update(building), update(other)]))

    events.emit('readingsQuarantined', { meterIds: [c] })
    clock.advance(2_000)
    await expect.poll(() => told.length).toBe(3)
    expect(told[2]).toEqual(update(other))
  })
})
