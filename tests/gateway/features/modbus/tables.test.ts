import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { modbusTableOf } from '../../../../contract/devices/channels/settings.ts'
import type { HubClient } from '../../../../gateway/kernel/broker.ts'
import { encode } from '../../../support/building.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { modbusRow } from '../../../support/modbus-rows.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: World
let root: Caller
let HomeID: string
let hub: HubClient
let ModbusTableID: string
let broker: QuietBroker

beforeAll(async () => {
  world = await startWorld()
  broker = world.broker as QuietBroker
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  hub = { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName }
  await addDiscovered(world, root, { HomeID, ThingName, type: '758', uids: ['m1', 'm2'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '516', uids: ['lamp'] })
  const table = { TableName: 'T', Manufacturer: '', Model: '', Note: '', Rows: [modbusRow()] }
  ModbusTableID = (await root.post('/CreateModbusTable', table)).results.ModbusTableID
  // Two devices were added, and then one received its table.
  await told(2)
  await set('m1', { ModbusTableID })
  await told(3)
})
afterAll(() => world.close())

const set = (PeripheralUID: string, changes: object) =>
  root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, ...changes })

beforeEach(() => void (broker.published.length = 0))

/** Messages to this hub, once this many have arrived. */
async function told(count: number, { tenant: rootId, homeId, thingName } = hub) {
  const topic = modbusTableOf.topic({ rootId, homeId, thingName })
  const heard = () => broker.published.filter((message) => message.topic === topic)
  await vi.waitFor(() => expect(heard()).toHaveLength(count), PATIENT)
  return heard().map(({ payload }) => modbusTableOf.payload.parse(payload))
}

const ask = (Peripherals: unknown, client = hub) => {
  const { tenant: rootId = '', homeId = '', thingName = '' } = client
  return broker.hooks?.receive({
    topic: `${rootId}/${homeId}/modbus/request/${thingName}`,
    match: { name: 'modbusRequest', values: { rootId, homeId, thingName } },
    payload: encode({ Peripherals }),
    client,
    retain: false,
  })
}

describe('A hub of Modbus devices', () => {
  it('receives how to read each device that it asks for', async () => {
    await ask(['m1', 'm2', 'lamp', 'nobody'])
    const answers = await told(4)
    expect(answers.map(({ PeripheralUID, ModbusTable }) => [PeripheralUID, ModbusTable?.TableName])).toEqual([
      ['m1', 'T'],
      ['m2', undefined],
      ['lamp', undefined],
      ['nobody', undefined],
    ])
    expect(answers[0]).toMatchObject({
      PowerMeterUpdateFrequency: 900,
      ModbusTable: { Rows: [{ Key: 'value' }] },
    })
  })

  it('never receives the devices of another hub', async () => {
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'other' })).results
    const other = { ...hub, thingName: ThingName as string }
    await ask(['m1'], other)
    expect(await told(1, other)).toMatchObject([{ PeripheralUID: 'm1', ModbusTable: null }])
  })

  it('is notified immediately when a table, its assignment or a frequency changes', async () => {
    await root.post('/UpdateModbusTable', { ModbusTableID, Rows: [modbusRow({ Address: 7 })] })
    await told(1)
    await set('m2', { ModbusTableID })
    await told(2)
    await set('m1', { PowerMeterUpdateFrequency: 60 })
    expect(await told(3)).toMatchObject([
      { PeripheralUID: 'm1', ModbusTable: { Rows: [{ Address: 7 }] } },
      { PeripheralUID: 'm2', ModbusTable: { TableName: 'T' } },
      { PeripheralUID: 'm1', PowerMeterUpdateFrequency: 60 },
    ])
  })

  it('stops reading a device that a user removed', async () => {
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'm2' })
    expect(await told(1)).toMatchObject([{ PeripheralUID: 'm2', ModbusTable: null }])
  })

  it('gets no response to an invalid request', async () => {
    for (const bad of [[], 'm1', [{}], Array.from({ length: 501 }, (_, i) => `p${i}`)]) await ask(bad)
    await ask(['m1'])
    expect(await told(1)).toHaveLength(1)
  })
})
