import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HubClient } from '../../../../gateway/kernel/broker.ts'
import { encode } from '../../../support/building.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let hub: HubClient
let NOON: number

beforeAll(async () => {
  world = await startWorld()
  NOON = world.clock.now() - 60_000
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  hub = { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName }
  for (const [uid, type] of [
    ['curtain', '901'],
    ['shutter', '902'],
    ['bell', '903'],
    ['siren', '904'],
    ['co2', '905'],
    ['door', '755'],
    ['air', '753'],
    ['meter', '514'],
  ] as const)
    await addDiscovered(world, root, { HomeID, ThingName, type, uids: [uid] })
})
afterAll(() => world.close())

const report = (PeripheralUID: string, Timestamp: number, values: object) => {
  const { tenant: rootId, homeId, thingName } = hub
  return (world.broker as QuietBroker).hooks?.receive({
    topic: `${rootId}/${homeId}/status/report`,
    match: { name: 'statusReport', values: { rootId, homeId } },
    payload: encode({ ThingName: thingName, Timestamp, Peripherals: [{ PeripheralUID, ...values }] }),
    client: hub,
    retain: false,
  })
}
const device = async (PeripheralUID: string) =>
  (await root.post('/GetPeripheralById', { HomeID, PeripheralUID })).results
const quantities = async (PeripheralUID: string) =>
  (await root.post('/ListHistoryQuantity', { HomeID, PeripheralUID })).results.Devices[0]?.Quantities
const limit = (PeripheralUID: string, ValueLimits: unknown, more: object = {}) =>
  root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, ValueLimits, ...more })

describe("in a hub's report", () => {
  it.each([
    ['curtain', { CoverState: 3, Position: 40, Move: 1, TargetPosition: 100 }],
    ['shutter', { CoverState: 1, Move: 2 }],
    ['bell', { Press: 3, Presses: 12, Battery: 12, LinkQuality: 88 }],
    ['siren', { Switch: 1 }],
    ['co2', { Value: 812, Unit: 'ppm', Quantity: 'co2' }],
    ['door', { DoorState: 1, Battery: 9.5, LinkQuality: 30 }],
  ])('a %s is its status', async (uid, values) => {
    await report(uid, NOON, values)
    expect((await device(uid)).Status).toMatchObject(values)
  })

  it('a button is an event and is counted over time', async () => {
    await report('bell', NOON + 1_000, { Press: 1, Presses: 13 })
    const events = (await root.post('/ListDeviceEvent', { HomeID, PeripheralUID: 'bell' })).results
    expect(events).toMatchObject([
      { Field: 'Presses', Before: 12, Value: 13 },
      { Field: 'Press', Before: 3, Value: 1 },
    ])
    expect(await quantities('bell')).toMatchObject([
      { Field: 'Presses', Unit: '' },
      { Field: 'Battery', Unit: '%' },
      { Field: 'Press', Kind: 'state' },
    ])
  })

  it('a plain sensor is stored over time, with its reported name and unit', async () => {
    expect(await quantities('co2')).toMatchObject([{ Field: 'Value', Label: 'co2', Unit: 'ppm' }])
    const { results } = await root.post('/GetHistorySeries', {
      HomeID,
      Quantities: [{ PeripheralUID: 'co2', Field: 'Value' }],
      From: NOON - 60_000,
      To: NOON + 60_000,
    })
    expect(results).toMatchObject([{ Unit: 'ppm', Timestamps: [NOON], Values: [812] }])
  })

  it('a battery is stored over time, whatever it powers', async () => {
    expect(await quantities('door')).toMatchObject([{ Field: 'Battery', Unit: '%' }, { Field: 'DoorState' }])
  })

  it('an impossible battery level is unknown, and the rest of the report counts', async () => {
    await report('door', NOON + 1_000, { DoorState: 2, Battery: 400 })
    expect((await device('door')).Status).toMatchObject({ DoorState: 2, Battery: null })
  })
})

describe('limits of measured values', () => {
  it('are stored with the device and published, together with those of current and voltage', async () => {
    const WarningThreshold = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 200, VoltageUpper: 240 }
    const ValueLimits = { Power: { Lower: null, Upper: 3000 } }
    expect((await device('meter')).Peripheral).toMatchObject({ WarningThreshold: null, ValueLimits: null })
    await limit('meter', ValueLimits, { WarningThreshold })
    expect((await device('meter')).Peripheral).toMatchObject({ WarningThreshold, ValueLimits })
    await root.post('/UpdatePeripheralAdvanceInfo', {
      HomeID,
      PeripheralUID: 'meter',
      WarningThreshold: null,
    })
    expect((await device('meter')).Peripheral).toMatchObject({ WarningThreshold: null, ValueLimits })
    await limit('meter', null)
    expect((await device('meter')).Peripheral).toMatchObject({ ValueLimits: null })
  })

  it('can be set for the battery of a device that has or will have one', async () => {
    expect((await limit('door', { Battery: { Lower: 30, Upper: null } })).status.code).toBe(0)
  })

  it.each([
    [
      'what it does not measure',
      'air',
      { Power: { Lower: 0, Upper: 1 } },
      { 'ValueLimits.Power': 'notMeasured' },
    ],
    [
      'its current',
      'meter',
      { AvgElectricCurrent: { Lower: 0, Upper: 1 } },
      { 'ValueLimits.AvgElectricCurrent': 'notMeasured' },
    ],
    ['no side', 'air', { PM25: { Lower: null, Upper: null } }, { 'ValueLimits.PM25.Lower': 'required' }],
    [
      'an upper side below the lower',
      'air',
      { PM25: { Lower: 2, Upper: 1 } },
      { 'ValueLimits.PM25.Upper': 'upperBelowLower' },
    ],
    ['nothing', 'air', {}, { ValueLimits: 'required' }],
  ])('are rejected for %s', async (_, uid, limits, fields) => {
    expect((await limit(uid, limits)).status).toMatchObject({ code: 1, fields })
    expect((await device(uid)).Peripheral.ValueLimits).toBeNull()
  })

  it('reject an update based on outdated limits', async () => {
    await limit('air', { PM25: { Lower: null, Upper: 35 } })
    const late = await limit('air', { PM25: { Lower: null, Upper: 50 } }, { Seen: { ValueLimits: null } })
    expect(late.status).toMatchObject({ code: 3, fields: { ValueLimits: 'changed' } })
  })
})
