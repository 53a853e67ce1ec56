import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceTypes } from '../../../../../contract/devices/kinds/registry.ts'
import {
  isReadingField,
  isStateField,
  samplesOf,
  unitOf,
} from '../../../../../contract/devices/kinds/history-fields.ts'
import type { HubClient } from '../../../../../gateway/kernel/broker.ts'
import { bucketWidth, usualPause } from '../../../../../gateway/features/energy/history/history-series.ts'
import { encode } from '../../../../support/building.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { modbusRow } from '../../../../support/modbus-rows.ts'
import type { QuietBroker } from '../../../../support/quiet-broker.ts'
import { type Caller, rights, startWorld, type World } from '../../../../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: World
let root: Caller
let HomeID: string
let hub: HubClient
let NOON: number

beforeAll(async () => {
  world = await startWorld()
  NOON = Math.floor(world.clock.now() / HOUR) * HOUR
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  hub = { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName }
  for (const [uid, type] of [
    ['air', '753'],
    ['door', '755'],
    ['meter', '514'],
    ['plc', '530'],
    ['silent', '753'],
  ] as const)
    await addDiscovered(world, root, { HomeID, ThingName, type, uids: [uid] })
  await report('air', [
    { Timestamp: NOON - 3 * HOUR, PM25: 10, Temperature: 20 },
    { Timestamp: NOON - 2 * HOUR, PM25: 30, Temperature: 22 },
    { Timestamp: NOON - 2 * HOUR + 2 * MINUTE, PM25: 50 },
  ])
  await report('door', [
    { Timestamp: NOON - 3 * HOUR, DoorState: 1 },
    { Timestamp: NOON - 2 * HOUR, DoorState: 2 },
    { Timestamp: NOON - HOUR, DoorState: 1 },
  ])
  await readings([
    { Timestamp: NOON - 2 * HOUR, AccumulatePower: 1, Power: 100 },
    { Timestamp: NOON - HOUR, AccumulatePower: 2, Power: 300 },
  ])
})
afterAll(() => world.close())

const receive = (name: 'statusReport' | 'meterReport', payload: object) => {
  const { tenant: rootId, homeId, thingName } = hub
  return (world.broker as QuietBroker).hooks?.receive({
    topic: '',
    match: { name, values: { rootId, homeId } },
    payload: encode({ ThingName: thingName, ...payload }),
    client: hub,
    retain: false,
  })
}
const report = async (PeripheralUID: string, values: object[]) => {
  for (const one of values)
    await receive('statusReport', { Timestamp: NOON, Peripherals: [{ PeripheralUID, ...one }] })
}
const readings = (all: object[]) =>
  receive('meterReport', { Readings: all.map((one) => ({ PeripheralUID: 'meter', ...one })) })

const quantities = async (input: object = {}) =>
  (await root.post('/ListHistoryQuantity', { HomeID, ...input })).results
const series = async (PeripheralUID: string, Field: string, more: object = {}) => {
  const input = {
    HomeID,
    Quantities: [{ PeripheralUID, Field }],
    From: NOON - 4 * HOUR,
    To: NOON + MINUTE,
    ...more,
  }
  return (await root.post('/GetHistorySeries', input)).results[0]
}

describe('the quantities of a home', () => {
  it('are those stored for each device, with units and times, and its states', async () => {
    const { Devices, NextCursor } = await quantities()
    expect(NextCursor).toBeNull()
    expect(Devices.map((device: { PeripheralUID: string }) => device.PeripheralUID)).toEqual([
      'air',
      'door',
      'meter',
    ])
    const span = { First: NOON - 3 * HOUR, Last: NOON - 2 * HOUR + 2 * MINUTE }
    expect(Devices[0].Quantities).toEqual([
      { Field: 'PM25', Kind: 'measured', Label: null, Unit: 'µg/m³', ...span },
      { Field: 'Temperature', Kind: 'measured', Label: null, Unit: '°C', ...span, Last: NOON - 2 * HOUR },
    ])
    expect(Devices[1].Quantities).toEqual([
      { Field: 'DoorState', Kind: 'state', Label: null, Unit: '', First: null, Last: NOON - HOUR },
    ])
    expect(Devices[2].Quantities).toMatchObject([
      { Field: 'Power', Unit: 'W', First: NOON - 2 * HOUR, Last: NOON - HOUR },
      { Field: 'AccumulatePower', Unit: 'kWh' },
    ])
  })

  it('are paged', async () => {
    const first = await quantities({ Limit: 2 })
    expect(first.Devices).toHaveLength(2)
    const rest = await quantities({ Limit: 2, Cursor: first.NextCursor })
    expect(rest).toMatchObject({ Devices: [{ PeripheralUID: 'meter' }] })
    expect((await quantities({ PeripheralUID: 'door' })).Devices).toHaveLength(1)
  })

  it('have the names and units of the Modbus table', async () => {
    const { ModbusTableID } = (
      await root.post('/CreateModbusTable', {
        TableName: 'T',
        Manufacturer: '',
        Model: '',
        Note: '',
        Rows: [modbusRow({ Key: 'flow', Label: 'Flow', Unit: 'm³/h' })],
      })
    ).results
    await root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: 'plc', ModbusTableID })
    await report('plc', [{ Timestamp: NOON, ModbusValues: { flow: 3 } }])
    const { Devices } = await quantities({ PeripheralUID: 'plc' })
    expect(Devices[0].Quantities).toMatchObject([{ Field: 'ModbusValues.flow', Label: 'Flow', Unit: 'm³/h' }])
    expect(await series('plc', 'ModbusValues.flow')).toMatchObject({ Unit: 'm³/h', Values: [3] })
  })

  it('remain when the device is removed, without its name', async () => {
    await addDiscovered(world, root, { HomeID, ThingName: hub.thingName, type: '753', uids: ['old'] })
    await report('old', [{ Timestamp: NOON, PM25: 7 }])
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'old' })
    const { Devices } = await quantities({ PeripheralUID: 'old' })
    expect(Devices).toMatchObject([{ PeripheralName: null, PeripheralType: null, RoomID: null }])
    expect(await series('old', 'PM25')).toMatchObject({ Values: [7], Unit: 'µg/m³' })
  })
})

describe('the history of a quantity', () => {
  it('contains every stored value if there are few', async () => {
    expect(await series('air', 'PM25')).toEqual({
      PeripheralUID: 'air',
      Field: 'PM25',
      Kind: 'measured',
      Unit: 'µg/m³',
      BucketMs: 0,
      GapMs: 1_800_000,
      Timestamps: [NOON - 3 * HOUR, NOON - 2 * HOUR, NOON - 2 * HOUR + 2 * MINUTE],
      Values: [10, 30, 50],
      Min: null,
      Max: null,
      Unknown: [],
    })
  })

  it('contains mean, minimum and maximum of each non-empty bucket if there are many', async () => {
    expect(await series('air', 'PM25', { Points: 2, From: NOON - 3 * HOUR, To: NOON - HOUR })).toMatchObject({
      BucketMs: HOUR,
      Timestamps: [NOON - 3 * HOUR, NOON - 2 * HOUR],
      Values: [10, 40],
      Min: [10, 30],
      Max: [10, 50],
      GapMs: 2 * HOUR,
    })
  })

  it('of a meter comes from its readings', async () => {
    expect(await series('meter', 'Power')).toMatchObject({
      Timestamps: [NOON - 2 * HOUR, NOON - HOUR],
      Values: [100, 300],
    })
    expect(await series('meter', 'Power', { Points: 1 })).toMatchObject({
      Values: [200],
      Min: [100],
      Max: [300],
    })
    expect(await series('meter', 'Voltage')).toMatchObject({ Timestamps: [], Values: [] })
  })

  it('detects gaps by the update frequency of the device or the usual interval', async () => {
    const { Timestamps, GapMs } = await series('meter', 'Power')
    expect([Timestamps.length, GapMs]).toEqual([2, 2 * HOUR])
    await root.post('/UpdatePeripheralAdvanceInfo', {
      HomeID,
      PeripheralUID: 'meter',
      PowerMeterUpdateFrequency: 7_200,
    })
    expect(await series('meter', 'Power')).toMatchObject({ GapMs: 4 * HOUR })
  })

  it('connects the values of an earlier, longer interval', () => {
    const times = (from: number, count: number, interval: number) =>
      Array.from({ length: count }, (_, i) => from + i * interval)
    const [QUARTER, FIVE_SECONDS] = [15 * MINUTE, 5_000]
    const past = times(0, 96, QUARTER)
    const until = 96 * QUARTER
    expect(usualPause([...past, ...times(until, 10_000, FIVE_SECONDS)])).toBe(QUARTER)
    // A pause between reports stays a gap, also one with a single report in it, and one each night.
    const outage = [...times(0, 500, FIVE_SECONDS), 7 * HOUR, ...times(14 * HOUR, 500, FIVE_SECONDS)]
    expect(usualPause(outage)).toBe(FIVE_SECONDS)
    const days = Array.from({ length: 30 }, (_, day) => times(day * 24 * HOUR, 60, QUARTER)).flat()
    expect(usualPause(days)).toBe(QUARTER)
    expect([[], [1], [1, 5], [1, 5, 6]].map(usualPause)).toEqual([0, 0, 4, 1])
  })

  it('of a state is a step at each change, starting with the previous value', async () => {
    expect(await series('door', 'DoorState', { From: NOON - 90 * MINUTE })).toMatchObject({
      Kind: 'state',
      GapMs: null,
      Timestamps: [NOON - 90 * MINUTE, NOON - HOUR],
      Values: [2, 1],
    })
    const since = NOON - 10 * MINUTE
    expect(await series('door', 'DoorState', { From: since })).toMatchObject({
      Timestamps: [since],
      Values: [1],
    })
  })

  it("can be of one zone's state, with late changes in order", async () => {
    await addDiscovered(world, root, { HomeID, ThingName: hub.thingName, type: '525', uids: ['climate'] })
    const zone = (Timestamp: number, Switch: number) => ({
      Timestamp,
      ThermostatTable: [{ NodeID: 3, Switch }],
    })
    await report('climate', [zone(NOON - 3 * HOUR, 0), zone(NOON - HOUR, 0), zone(NOON - 2 * HOUR, 1)])
    const Field = 'ThermostatTable.3.Switch'
    expect((await quantities({ PeripheralUID: 'climate' })).Devices[0].Quantities).toEqual([
      { Field, Kind: 'state', Label: null, Unit: '', First: null, Last: NOON - HOUR },
    ])
    const Timestamps = [NOON - 3 * HOUR, NOON - 2 * HOUR, NOON - HOUR]
    expect(await series('climate', Field)).toMatchObject({ Kind: 'state', Timestamps, Values: [0, 1, 0] })
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'climate' })
  })

  it('is empty before the device existed, and for a device that never reported', async () => {
    expect(await series('door', 'DoorState', { From: 0, To: NOON - 4 * HOUR })).toMatchObject({ Values: [] })
    expect(
      (
        await root.post('/GetHistorySeries', {
          HomeID,
          Quantities: [{ PeripheralUID: 'silent', Field: 'PM25' }],
          From: 0,
          To: NOON,
        })
      ).results,
    ).toMatchObject([{ Timestamps: [] }])
  })

  it('is rejected for unknown devices or homes, too many at once, and reversed ranges', async () => {
    const ask = async (input: object) => {
      const Quantities = [{ PeripheralUID: 'air', Field: 'PM25' }]
      return (await root.post('/GetHistorySeries', { HomeID, Quantities, From: 1, To: 2, ...input })).status
    }
    expect(await ask({ Quantities: [{ PeripheralUID: 'nobody', Field: 'PM25' }] })).toMatchObject({ code: 2 })
    expect(await ask({ HomeID: 'nowhere' })).toMatchObject({ code: 2 })
    const one = { PeripheralUID: 'air', Field: 'PM25' }
    expect(await ask({ Quantities: Array.from({ length: 9 }, () => one) })).toMatchObject({
      code: 1,
      fields: { Quantities: 'tooManyRows' },
    })
    expect(await ask({ From: 2, To: 2 })).toMatchObject({ code: 1, fields: { To: 'upperBelowLower' } })
  })

  it('is not visible to other companies', async () => {
    const stranger = await world.signUp()
    const Quantities = [{ PeripheralUID: 'air', Field: 'PM25' }]
    expect(
      (await stranger.post('/GetHistorySeries', { HomeID, Quantities, From: 0, To: NOON })).status.code,
    ).toBe(2)
    expect((await stranger.post('/ListHistoryQuantity', { HomeID })).status.code).toBe(2)
    const reader = await world.createUser(root, [rights('device', 'Read')])
    expect((await reader.post('/ListHistoryQuantity', { HomeID })).status.code).toBe(5)
  })
})

describe('an unknown state', () => {
  const connect = (online: boolean) => {
    const { tenant, homeId, thingName } = hub
    return (world.broker as QuietBroker).hooks?.receive({
      topic: '',
      match: { name: 'shadowUpdate', values: { rootId: tenant, homeId, thingName, shadowName: 'info' } },
      payload: encode({ state: { reported: { online } } }),
      client: hub,
      retain: false,
    })
  }
  const minutes = (count: number) => NOON + count * MINUTE

  it('is that of a meter after a long silence, except at the time of a change', async () => {
    await addDiscovered(world, root, { HomeID, ThingName: hub.thingName, type: '518', uids: ['plug'] })
    await report('plug', [
      { Timestamp: minutes(-181), Switch: 0 },
      { Timestamp: minutes(-180), Switch: 1 },
    ])
    const count = (...at: number[]) =>
      receive('meterReport', {
        Readings: at.map((one) => ({
          PeripheralUID: 'plug',
          Timestamp: minutes(one),
          AccumulatePower: 200 + one,
        })),
      })
    await count(-175, -160, -145)
    expect(await series('plug', 'Switch')).toMatchObject({
      Values: [0, 1],
      Unknown: [{ From: minutes(-145), To: null }],
    })
    await report('plug', [{ Timestamp: minutes(-100), Switch: 0 }])
    await count(-60, -45, -30, -15)
    expect(await series('plug', 'Switch')).toMatchObject({
      Values: [0, 1, 0],
      Unknown: [
        { From: minutes(-145), To: minutes(-100) },
        { From: minutes(-100), To: minutes(-60) },
      ],
    })
    expect(await series('plug', 'Switch', { From: minutes(-90), To: minutes(-70) })).toMatchObject({
      Values: [0],
      Unknown: [{ From: minutes(-100), To: null }],
    })
    expect(await series('plug', 'AccumulatePower')).toMatchObject({ Unknown: [] })
  })

  it('is that of every device with an offline hub, until buffered reports arrive', async () => {
    await connect(true)
    expect(await series('door', 'DoorState')).toMatchObject({ Unknown: [] })
    world.clock.advance(5 * MINUTE)
    await connect(false)
    world.clock.advance(20 * MINUTE)
    const all = { From: NOON, To: minutes(60) }
    expect(await series('door', 'DoorState', all)).toMatchObject({
      Values: [1],
      Unknown: [{ From: minutes(5), To: null }],
    })
    await connect(true)
    const away = { From: minutes(5), To: minutes(25) }
    expect(await series('door', 'Online', all)).toMatchObject({ Kind: 'state', Values: [1, 0, 1] })
    expect(await series('door', 'DoorState', all)).toMatchObject({ Values: [1], Unknown: [away] })
    expect(await series('air', 'PM25', all)).toMatchObject({ Unknown: [] })
    await report('door', [{ Timestamp: minutes(15), DoorState: 2 }])
    expect(await series('door', 'DoorState', all)).toMatchObject({
      Values: [1, 2],
      Unknown: [{ ...away, To: minutes(15) }],
    })
    world.clock.advance(MINUTE)
    await connect(false)
    world.clock.advance(MINUTE / 2)
    await connect(true)
    expect((await series('door', 'DoorState', all)).Unknown).toHaveLength(1)
  })
})

it('divides any range into at most the requested buckets, of round widths', () => {
  expect(bucketWidth(24 * HOUR, 1000)).toBe(2 * MINUTE)
  expect(bucketWidth(365 * 24 * HOUR, 1000)).toBe(12 * HOUR)
  expect(bucketWidth(5000 * 24 * HOUR, 1000)).toBe(5 * 24 * HOUR)
  for (const span of [1, HOUR, 77 * HOUR, 4000 * HOUR])
    for (const points of [1, 7, 5000]) expect(span / bucketWidth(span, points)).toBeLessThanOrEqual(points)
})

it('separates numbers with a unit, states and readings for every type', () => {
  for (const { type, capabilities } of deviceTypes) {
    const fields = capabilities
      .filter(({ name }) => name !== 'meter')
      .flatMap(({ units }) => Object.keys(units))
    const figures = samplesOf(type, Object.fromEntries(fields.map((field) => [field, 1])))
    for (const [field] of figures) {
      expect([type, field, isStateField(field) || isReadingField(field)]).toEqual([type, field, false])
      // A count has no unit, and a plain sensor reports its own.
      expect([field, unitOf(field) === '']).toEqual([field, ['Presses', 'Value'].includes(field)])
    }
  }
  expect(unitOf('ThermostatTable.3.Temperature')).toBe('°C')
  for (const path of ['constructor', '__proto__', 'ThermostatTable.3.toString']) expect(unitOf(path)).toBe('')
})
