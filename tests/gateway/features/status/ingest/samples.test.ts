import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest, type ReportIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import {
  deleteOrphanedSamples,
  deleteOldSamples,
} from '../../../../../gateway/features/energy/history/history.ts'
import { type Building, createBuilding, encode } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const clock = holdClock()
const NOON = Math.floor(clock.now() / MINUTE) * MINUTE

let db: Db
let drop: () => Promise<void>
let ingest: ReportIngest
let building: Building
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
beforeEach(async () => {
  building = await createBuilding(db)
  ingest = start()
})
afterAll(() => drop())

const start = () =>
  createIngest({
    quarantineReading,
    updateStateAlarms,
    db,
    events: createEvents((error) => {
      throw error
    }),
    clock,
    log: createLogBook(),
    metrics: new Registry(),
  })

const report = (parts: object[], by = ingest) =>
  by.receive({
    match: { name: 'statusReport', values: { rootId: building.tenant, homeId: building.homeId } },
    payload: encode({ ThingName: building.thingName, Timestamp: NOON, Peripherals: parts }),
    client: building.hub,
  })

const samples = async (uid = 'air') => {
  const rows = await db.query<{ field: string; at: number; value: number }>(sql`
    select s.field, minute * ${MINUTE}::bigint + after_ms as at, value
    from device_samples join sample_series s using (series_id)
    where s.tenant = ${building.tenant} and s.peripheral_uid = ${uid} order by 1, 2`)
  return rows.map(({ field, at, value }) => [field, at - NOON, value])
}

describe('a measured value', () => {
  it('is stored once a minute, the first one, with its time', async () => {
    await building.addDevice('air', '753')
    const at = (ms: number, PM25: number) => ({ PeripheralUID: 'air', Timestamp: NOON + ms, PM25 })
    await report([at(-MINUTE + 1_500, 12.25), at(-MINUTE + 30_000, 13)])
    await report([at(-MINUTE + 59_000, 14)])
    await report([at(0, 15)])
    expect(await samples()).toEqual([
      ['PM25', -58_500, 12.25],
      ['PM25', 0, 15],
    ])
  })

  it('is stored from a late report, though it changes no status', async () => {
    await building.addDevice('air', '753')
    await report([{ PeripheralUID: 'air', Timestamp: NOON, Temperature: 25 }])
    await report([{ PeripheralUID: 'air', Timestamp: NOON - 5 * MINUTE, Temperature: 21 }])
    expect(await samples()).toEqual([
      ['Temperature', -5 * MINUTE, 21],
      ['Temperature', 0, 25],
    ])
  })

  it('is stored from each of many reports that come at once after an outage', async () => {
    await building.addDevice('air', '753')
    const parts = Array.from({ length: 60 }, (_, i) => ({
      PeripheralUID: 'air',
      Timestamp: NOON - (60 - i) * MINUTE,
      Humidity: i,
    }))
    await report(parts)
    expect(await samples()).toHaveLength(60)
  })

  it('counts once when the hub sends it again, even to another gateway', async () => {
    await building.addDevice('air', '753')
    const part = { PeripheralUID: 'air', Timestamp: NOON, PM25: 5, Temperature: 20, Humidity: 50 }
    await report([part])
    await report([part])
    await report([{ ...part, PM25: 9 }], start())
    expect(await samples()).toEqual([
      ['Humidity', 0, 50],
      ['PM25', 0, 5],
      ['Temperature', 0, 20],
    ])
  })

  it('is each zone of a thermostat and each readable value of a Modbus device', async () => {
    await building.addDevice('zones', '525')
    await building.addDevice('plc', '530')
    await report([
      { PeripheralUID: 'zones', ThermostatTable: [{ NodeID: 2, Switch: 1, Temperature: 21.5 }] },
      { PeripheralUID: 'plc', ModbusValues: { flow: 123_456.789, broken: null } },
    ])
    expect(await samples('zones')).toEqual([['ThermostatTable.2.Temperature', 0, 21.5]])
    expect(await samples('plc')).toEqual([['ModbusValues.flow', 0, 123_456.789]])
  })

  it('is not a meter counter or a state', async () => {
    await building.addDevice('switch', '518')
    await building.addDevice('dimmer', '532')
    await report([
      { PeripheralUID: 'switch', Switch: 1, Power: 60 },
      { PeripheralUID: 'dimmer', Switch: 1, Brightness: 40 },
    ])
    expect(await samples('switch')).toEqual([])
    expect(await samples('dimmer')).toEqual([['Brightness', 0, 40]])
  })

  it('stays with its home when the device is removed, and continues when it is added again', async () => {
    await building.addDevice('air', '753')
    await report([{ PeripheralUID: 'air', Timestamp: NOON - MINUTE, PM25: 1 }])
    await db.query(sql`delete from peripherals where tenant = ${building.tenant}`)
    await building.addDevice('air', '753')
    await report([{ PeripheralUID: 'air', Timestamp: NOON, PM25: 2 }], start())
    expect(await samples()).toEqual([
      ['PM25', -MINUTE, 1],
      ['PM25', 0, 2],
    ])
  })
})

it('deletes only the samples of a deleted home', async () => {
  const gone = building
  await gone.addDevice('air', '753')
  await report([{ PeripheralUID: 'air', PM25: 1 }])
  building = await createBuilding(db)
  await building.addDevice('air', '753')
  await report([{ PeripheralUID: 'air', PM25: 2 }])
  const before = (await db.query(sql`select 1 from device_samples`)).length
  await db.query(sql`delete from homes where tenant = ${gone.tenant}`)
  await deleteOrphanedSamples(db)
  expect(await db.query(sql`select 1 from device_samples`)).toHaveLength(before - 1)
  expect(await samples()).toEqual([['PM25', 0, 2]])
  expect(await db.query(sql`select 1 from dropped_series`)).toEqual([])
})

it('deletes old samples by whole months, and even older ones individually', async () => {
  await building.addDevice('air', '753')
  const at = (ago: number) => ({ PeripheralUID: 'air', Timestamp: NOON - ago, PM25: ago / DAY })
  await report([at(0), at(100 * DAY), at(300 * DAY), at(4_000 * DAY)])
  await deleteOldSamples(db, NOON - 200 * DAY)
  expect((await samples()).map(([, , days]) => days)).toEqual([100, 0])
  // The dropped month is created again when a late report needs it.
  await report([at(300 * DAY)], start())
  expect(await samples()).toHaveLength(3)
})
