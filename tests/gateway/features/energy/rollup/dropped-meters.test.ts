import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { deleteDroppedReadings } from '../../../../../gateway/features/energy/rollup/expire-energy.ts'
import { createBuilding, encode } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

it('deletes only the readings of a deleted home', async () => {
  const clock = holdClock()
  const events = createEvents((error) => {
    throw error
  })
  const ingest = createIngest({
    quarantineReading,
    updateStateAlarms,
    db,
    events,
    clock,
    log: createLogBook(),
    metrics: new Registry(),
  })
  const [gone, stays] = [await createBuilding(db), await createBuilding(db)]
  for (const { hub, tenant, homeId, thingName, addDevice } of [gone, stays]) {
    await addDevice('meter', '514')
    const Readings = [1, 2, 3].map((kwh) => ({
      PeripheralUID: 'meter',
      Timestamp: clock.now() - kwh * 40 * 86_400_000,
      AccumulatePower: 4 - kwh,
    }))
    await ingest.receive({
      match: { name: 'meterReport', values: { rootId: tenant, homeId } },
      payload: encode({ ThingName: thingName, Readings }),
      client: hub,
    })
  }
  await ingest.close()
  const count = async () => (await db.query(sql`select 1 from readings`)).length
  expect(await count()).toBe(6)
  await db.query(sql`delete from homes where tenant = ${gone.tenant}`)
  await deleteDroppedReadings(db)
  expect(await count()).toBe(3)
  expect(await db.query(sql`select 1 from dropped_meters`)).toEqual([])
  expect(await db.query(sql`select 1 from meters join readings using (meter_id)`)).toHaveLength(3)
})
