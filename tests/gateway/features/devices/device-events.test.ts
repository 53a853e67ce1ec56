import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isStateField } from '../../../../contract/devices/kinds/history-fields.ts'
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
    ['smoke', '756'],
    ['switch', '518'],
    ['meter', '514'],
    ['climate', '525'],
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
const events = async (PeripheralUID: string, more: object = {}) =>
  (await root.post('/ListDeviceEvent', { HomeID, PeripheralUID, ...more })).results

describe('the events of a device', () => {
  it('are the changes of its states, newest first, with old and new values', async () => {
    await report('smoke', NOON, { SmokeState: 1 })
    await report('smoke', NOON + 1_000, { SmokeState: 1 })
    await report('smoke', NOON + 2_000, { SmokeState: 2 })
    await report('smoke', NOON + 3_000, { SmokeState: 3 })
    expect(await events('smoke')).toEqual([
      { Seq: expect.any(Number), Timestamp: NOON + 3_000, Field: 'SmokeState', Before: 2, Value: 3 },
      { Seq: expect.any(Number), Timestamp: NOON + 2_000, Field: 'SmokeState', Before: 1, Value: 2 },
    ])
    expect(await events('smoke', { Since: NOON + 3_000 })).toHaveLength(1)
    expect(await events('smoke', { Limit: 1 })).toMatchObject([{ Value: 3 }])
  })

  it('insert a late report in order, and correct the change after it', async () => {
    await report('smoke', NOON + 2_500, { SmokeState: 1 })
    expect(await events('smoke')).toMatchObject([
      { Timestamp: NOON + 3_000, Before: 1, Value: 3 },
      { Timestamp: NOON + 2_500, Before: 2, Value: 1 },
      { Timestamp: NOON + 2_000, Before: 1, Value: 2 },
    ])
  })

  it('show since when a state holds, for every device of the company and no other', async () => {
    const ask = async (caller: typeof root, Field: string) =>
      (await caller.post('/ListLastChange', { Field })).results as { PeripheralUID: string }[]
    const smoke = (await ask(root, 'SmokeState')).find(({ PeripheralUID }) => PeripheralUID === 'smoke')
    expect(smoke).toEqual({ PeripheralUID: 'smoke', Value: 3, Since: NOON + 3_000 })
    expect(await ask(root, 'MotionState')).toEqual([])
    expect(await ask(await world.signUp(), 'SmokeState')).toEqual([])
  })

  it('are relay changes for a switch with a meter, not readings', async () => {
    const meter = { AccumulatePower: 1, Power: 100 }
    await report('switch', NOON, { Switch: 0, ...meter })
    await report('switch', NOON + 1_000, { Switch: 1, AccumulatePower: 2, Power: 200, PhaseShift: 1 })
    await report('switch', NOON + 2_000, { Switch: 1, AccumulatePower: 3, Power: 300, PhaseShift: 0 })
    expect(await events('switch')).toMatchObject([
      { Timestamp: NOON + 1_000, Field: 'Switch', Before: 0, Value: 1 },
    ])
  })

  it('are zones of a thermostat by their number', async () => {
    const zone = (Switch: number) => ({ ThermostatTable: [{ NodeID: 3, Switch, Temperature: 20 + Switch }] })
    await report('climate', NOON, zone(0))
    await report('climate', NOON + 1_000, zone(1))
    expect(await events('climate')).toMatchObject([
      { Timestamp: NOON + 1_000, Field: 'ThermostatTable.3.Switch', Before: 0, Value: 1 },
    ])
  })

  it('are empty for a meter', async () => {
    await report('meter', NOON, { AccumulatePower: 1, PhaseShift: 0 })
    await report('meter', NOON + 1_000, { AccumulatePower: 2, PhaseShift: 1 })
    expect(await events('meter')).toEqual([])
  })

  it('include that its hub disconnected and reconnected', async () => {
    const { tenant, thingName } = hub
    const told = (online: boolean) =>
      (world.broker as QuietBroker).hooks?.receive({
        topic: '',
        match: { name: 'shadowUpdate', values: { thingName, shadowName: 'info' } },
        payload: encode({ state: { reported: { online } } }),
        client: { ...hub, tenant },
        retain: false,
      })
    await told(true)
    await told(false)
    expect(await events('meter')).toMatchObject([
      { Field: 'Online', Before: 1, Value: 0 },
      { Field: 'Online', Before: 0, Value: 1 },
    ])
  })

  it('are not returned for an unknown device', async () => {
    const { status } = await root.post('/ListDeviceEvent', { HomeID, PeripheralUID: 'nobody' })
    expect(status.code).toBe(2)
  })

  it('are deleted with the device', async () => {
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'switch' })
    const { status } = await root.post('/ListDeviceEvent', { HomeID, PeripheralUID: 'switch' })
    expect(status.code).toBe(2)
  })
})

it('treats on/off and named values as states, for every capability except meters', () => {
  for (const state of ['Switch', 'Switch3', 'DoorState', 'SmokeState', 'MotionState', 'Sensor5', 'ACMode'])
    expect([state, isStateField(state)]).toEqual([state, true])
  for (const state of ['ThermostatTable.3.Switch', 'Online'])
    expect([state, isStateField(state)]).toEqual([state, true])
  for (const figure of [
    'Power',
    'PhaseShift',
    'Brightness',
    'PM25',
    'Presses',
    'ThermostatTable.3.TargetTemperature',
    'ModbusValues.Switch',
  ])
    expect([figure, isStateField(figure)]).toEqual([figure, false])
})
