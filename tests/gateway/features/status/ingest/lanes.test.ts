import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type Building, createBuilding, encode } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  building = await createBuilding(db)
  await building.addDevice('smoke', '756')
  await building.addDevice('light', '535')
})
afterAll(() => drop())

/** Ingest whose alarms block until released. */
function slowAlarms() {
  const clock = holdClock()
  let letGo = () => {}
  const held = new Promise<[]>((resolve) => (letGo = () => resolve([])))
  const ingest = createIngest({
    quarantineReading,
    updateStateAlarms: () => held,
    db,
    clock,
    events: createEvents((error) => {
      throw error
    }),
    log: createLogBook(),
    metrics: new Registry(),
  })
  const report = (Peripherals: { PeripheralUID: string; [field: string]: string | number }[]) =>
    ingest.receive({
      match: { name: 'statusReport', values: { rootId: building.tenant, homeId: building.homeId } },
      payload: encode({
        ThingName: building.thingName,
        Timestamp: clock.now(),
        Peripherals: Peripherals.map((one) => ({ Timestamp: clock.now(), ...one })),
      }),
      client: building.hub,
    })
  return { report, letGo: () => letGo(), close: () => ingest.close() }
}
const stored = async () =>
  (
    await db.query<{ uid: string }>(sql`
      select peripheral_uid as uid from device_status where tenant = ${building.tenant} order by 1`)
  ).map(({ uid }) => uid)

it('stores what cannot raise an alarm while alarms of others are written', async () => {
  const { report, letGo, close } = slowAlarms()
  const smoke = report([{ PeripheralUID: 'smoke', SmokeState: 3 }])
  await report([{ PeripheralUID: 'light', Switch1: 1 }])
  expect(await stored()).toEqual(['light'])
  letGo()
  await smoke
  expect(await stored()).toEqual(['light', 'smoke'])
  await close()
})

it('acknowledges a message with both kinds when both are stored', async () => {
  const { report, letGo, close } = slowAlarms()
  let isTaken = false
  const both = report([
    { PeripheralUID: 'smoke', SmokeState: 1 },
    { PeripheralUID: 'light', Switch1: 0 },
  ]).then(() => (isTaken = true))
  await report([{ PeripheralUID: 'light', Switch2: 1 }])
  expect(isTaken).toBe(false)
  letGo()
  await both
  await close()
})
