import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  controlAck,
  controlCommand,
  controlRequest,
  controlResponse,
  statusChange,
  statusReport,
} from '../../../contract/devices/channels/control.ts'
import { meterReport } from '../../../contract/meters/channels.ts'
import { shadowUpdate } from '../../../contract/devices/channels/shadow.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
let url: string
const clients: MqttClient[] = []
beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
  url = await world.gateway.listen(0, '127.0.0.1')
  root = await world.signUp()
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.endAsync(true)))
  await world.close()
})

// oxlint-disable-next-line typescript/no-explicit-any -- a test knows the payload
type Payload = any

/** Next message on a topic, as JSON. */
const next = (client: MqttClient, topic: string, fits: (payload: Payload) => boolean = () => true) =>
  new Promise<Payload>((resolve) => {
    const listener = (at: string, bytes: Buffer) => {
      const payload: Payload = JSON.parse(bytes.toString())
      if (at !== topic || !fits(payload)) return
      client.off('message', listener)
      resolve(payload)
    }
    client.on('message', listener)
  })

it('carries a device from its hub to a screen, and a command from the screen to the device', async () => {
  const rootId = root.tenant
  const home = await root.post('/CreateHome', { HomeName: 'Office', TimeZone: 'Asia/Taipei' })
  const homeId: string = home.results.HomeID
  const thing = (await root.post('/AddThing', { HomeID: homeId, DeviceName: 'Hub' })).results
  const { ThingName, Secret } = thing

  const realtime = (await root.post('/ConnectRealtime')).results
  const screen = await connectAsync(`${url.replace('http', 'ws')}${realtime.Url}`, {
    clientId: realtime.ClientID,
    username: realtime.Username,
    password: realtime.Password,
    protocolVersion: 4,
  })
  clients.push(screen)
  const changes = statusChange.topic({ rootId, homeId })
  const responses = controlResponse.topic({ rootId, homeId })
  const discovered = `${rootId}/datachange/discovery/add`
  await screen.subscribeAsync([changes, responses, discovered], { qos: 1 })

  const hub = await connectAsync(`mqtt://127.0.0.1:${world.hubPort}`, {
    clientId: ThingName,
    username: ThingName,
    password: Secret,
    protocolVersion: 4,
  })
  clients.push(hub)
  const found = next(screen, discovered)
  await hub.publishAsync(
    shadowUpdate.topic({ thingName: ThingName, shadowName: 'registration' }),
    JSON.stringify({
      state: {
        reported: {
          Peripherals: [
            { PeripheralUID: 'lamp', PeripheralType: '516' },
            { PeripheralUID: 'meter', PeripheralType: '513' },
          ],
        },
      },
    }),
    { qos: 1 },
  )
  expect((await found).Record.ThingName).toBe(ThingName)
  const Peripherals = ['lamp', 'meter'].map((uid) => ({ PeripheralUID: uid, PeripheralName: uid }))
  expect(await root.post('/AddPeripherals', { HomeID: homeId, Peripherals })).toMatchObject({
    status: { code: 0 },
  })

  const report = (Switch: number) =>
    hub.publishAsync(
      statusReport.topic({ rootId, homeId }),
      JSON.stringify({ ThingName, Timestamp: Date.now(), Peripherals: [{ PeripheralUID: 'lamp', Switch }] }),
      { qos: 1 },
    )
  const off = next(screen, changes)
  await report(0)
  expect((await off).Peripherals[0]).toMatchObject({ PeripheralUID: 'lamp', Switch: 0 })

  await hub.publishAsync(
    meterReport.topic({ rootId, homeId }),
    JSON.stringify({
      ThingName,
      Readings: [{ PeripheralUID: 'meter', Timestamp: Date.now(), AccumulatePower: 12.5 }],
    }),
    { qos: 1 },
  )

  await hub.subscribeAsync(controlCommand.topic({ rootId, homeId, thingName: ThingName }), { qos: 1 })
  const commanded = next(hub, controlCommand.topic({ rootId, homeId, thingName: ThingName }))
  const confirmed = next(screen, responses, ({ State }) => State === 'confirmed')
  const RequestID = 'switch-on'
  const values = { RequestID, PeripheralUID: 'lamp', Values: { Switch: 1 } }
  await screen.publishAsync(controlRequest.topic({ rootId, homeId }), JSON.stringify(values), { qos: 1 })
  expect(await commanded).toMatchObject(values)
  const ack = { ThingName, RequestID, PeripheralUID: 'lamp', Result: 'ok' }
  await hub.publishAsync(controlAck.topic({ rootId, homeId }), JSON.stringify(ack), { qos: 1 })
  await report(1)
  expect(await confirmed).toMatchObject({ RequestID, PeripheralUID: 'lamp', State: 'confirmed' })

  const snapshot = (await root.post('/GetAllDeviceWithPeripheral', { HomeID: homeId })).results
  expect(snapshot.Things).toMatchObject([{ ThingName, Online: true }])
  expect(snapshot.Statuses).toContainEqual(expect.objectContaining({ PeripheralUID: 'lamp', Switch: 1 }))
  expect(snapshot.Statuses).toContainEqual(
    expect.objectContaining({ PeripheralUID: 'meter', AccumulatePower: 12.5 }),
  )
  const commands = await root.post('/ListCommand', { HomeID: homeId, PeripheralUID: 'lamp' })
  expect(commands.results).toMatchObject([{ RequestID, State: 'confirmed', Source: 'person' }])
})

it('notifies a person of changed rights and closes their connection', async () => {
  const user = await world.createUser(root, [{ FeatureKey: 'device', OperationList: ['Read'] }])
  const realtime = (await user.post('/ConnectRealtime')).results
  const screen = await connectAsync(`${url.replace('http', 'ws')}${realtime.Url}`, {
    clientId: realtime.ClientID,
    username: realtime.Username,
    password: realtime.Password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  clients.push(screen)
  const topic = `${root.tenant}/user/${user.cognitoId}/permission`
  await screen.subscribeAsync(topic, { qos: 1 })
  const told = next(screen, topic)
  const closed = new Promise((resolve) => screen.once('close', () => resolve('closed')))
  await root.post('/UpdateUserInfo', { Email: user.email, Permissions: [] })
  expect(await told).toEqual({ Permissions: [] })
  expect(await closed).toBe('closed')
})
