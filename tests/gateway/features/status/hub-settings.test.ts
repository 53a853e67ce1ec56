import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { settingsOf } from '../../../../contract/devices/channels/settings.ts'
import type { HubClient } from '../../../../gateway/kernel/broker.ts'
import { encode } from '../../../support/building.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let hub: HubClient
let broker: QuietBroker

beforeAll(async () => {
  world = await startWorld()
  broker = world.broker as QuietBroker
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  hub = { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName }
  await addDiscovered(world, root, { HomeID, ThingName, type: '517', uids: ['contact'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['meter'] })
})
afterAll(() => world.close())
beforeEach(() => void (broker.published.length = 0))

const ask = (client: HubClient) => {
  const { tenant: rootId, homeId, thingName } = client
  return broker.hooks?.receive({
    topic: `${rootId}/${homeId}/settings/request/${thingName}`,
    match: { name: 'settingsRequest', values: { rootId, homeId, thingName } },
    payload: encode({}),
    client,
    retain: false,
  })
}

/** All settings sent to this hub, once this many messages have arrived. */
async function told(messages: number, { tenant: rootId, homeId, thingName } = hub) {
  const topic = settingsOf.topic({ rootId, homeId, thingName })
  const heard = () => broker.published.filter((message) => message.topic === topic)
  await expect.poll(heard).toHaveLength(messages)
  return heard().flatMap(({ payload }) => settingsOf.payload.parse(payload).Settings)
}

it('answers a hub that requests the settings of all its devices', async () => {
  await ask(hub)
  expect(await told(1)).toEqual([
    expect.objectContaining({ PeripheralUID: 'contact', ControlMode: 0, PulseDuration: null }),
    expect.objectContaining({ PeripheralUID: 'meter', PowerMeterUpdateFrequency: 900 }),
  ])
})

it('notifies a hub immediately of a changed setting', async () => {
  await root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: 'contact', PulseDuration: 300 })
  expect(await told(1)).toMatchObject([{ PeripheralUID: 'contact', PulseDuration: 300 }])
})

it('sends no hub the devices of another', async () => {
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'other' })).results
  const other = { ...hub, thingName: ThingName as string }
  await ask(other)
  await root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: 'meter', ControlMode: 2 })
  await told(1)
  expect(await told(0, other)).toEqual([])
})
