import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import type { EventName, GatewayEvents } from '../../../gateway/kernel/events.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { startWorld, type Caller, type World } from '../../support/world.ts'
import { startDeviceBroker, type DeviceBroker } from './device-broker.ts'

/**
 * The bridge in a process of its own, as in production, between a real gateway and a broker with devices. The test checks the gateway
 * through calls, and messages to devices on their broker.
 */
let world: World
let owner: Caller
let devices: DeviceBroker
let hub: { ThingName: string; Secret: string; HomeID: string }
let bridge: ChildProcess
let printed = ''
let screen: MqttClient

const ESP = {
  '~': 'boiler-room',
  name: 'Relay',
  stat_t: '~/switch/relay/state',
  cmd_t: '~/switch/relay/command',
  avty_t: '~/status',
  uniq_id: 'esp-relay',
  dev: { ids: 'a0b1c2d3e4f5', name: 'Boiler room', sw: 'esphome v2026.10.0', mf: 'Espressif' },
}
const SOCKET = {
  ieee_address: '0x00124b0029112233',
  type: 'Router',
  friendly_name: '茶水間/飲水機',
  power_source: 'Mains (single phase)',
  definition: {
    vendor: 'Some maker',
    model: 'Plug-1',
    description: 'Smart plug',
    exposes: [
      {
        type: 'switch',
        features: [
          { type: 'binary', name: 'state', property: 'state', access: 7, value_on: 'ON', value_off: 'OFF' },
        ],
      },
      { type: 'numeric', name: 'power', property: 'power', access: 1, unit: 'W' },
      { type: 'numeric', name: 'energy', property: 'energy', access: 1, unit: 'kWh' },
      { type: 'numeric', name: 'linkquality', property: 'linkquality', access: 1, unit: 'lqi' },
    ],
  },
}

beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
  owner = await world.signUp()
  const home = await owner.post('/CreateHome', { HomeName: '總部', TimeZone: 'Asia/Taipei' })
  const thing = await owner.post('/AddThing', { HomeID: home.results.HomeID, DeviceName: '橋接器' })
  hub = thing.results
  devices = await startDeviceBroker()
  await devices.say('homeassistant/switch/boiler-room/relay/config', ESP, { retain: true })
  await devices.say('boiler-room/status', 'online', { retain: true })
  await devices.say('boiler-room/switch/relay/state', 'OFF', { retain: true })
  await devices.say('zigbee2mqtt/bridge/devices', [SOCKET], { retain: true })
  await devices.say('homeassistant/lock/door/config', { name: 'Door lock' }, { retain: true })

  const address = await world.gateway.listen(0, '127.0.0.1')
  const { results: login } = await owner.post('/ConnectRealtime')
  screen = await connectAsync(`${address.replace('http', 'ws')}/mqtt`, {
    clientId: login.ClientID,
    username: login.Username,
    password: login.Password,
    protocolVersion: 4,
  })

  const online = next('hubOnline', ({ online }) => online)
  const found = twice('dataChange', ({ name }) => name === 'discovery.add')
  bridge = spawn(
    process.execPath,
    ['--import', 'tsx', 'hubs/home-assistant/main.ts', '--reading-seconds', '1'],
    {
      env: {
        ...process.env,
        BROKER_URL: devices.url,
        GATEWAY_URL: `mqtt://127.0.0.1:${world.hubPort}`,
        HUB_ROOT: owner.tenant,
        HUB_HOME: hub.HomeID,
        HUB_THING: hub.ThingName,
        HUB_SECRET: hub.Secret,
      },
    },
  )
  for (const stream of [bridge.stdout, bridge.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await online
  await found
})
afterAll(async () => {
  bridge?.kill('SIGKILL')
  await screen?.endAsync(true)
  await devices?.close()
  await world?.close()
})

/** Next matching event of this name; call it before the action that causes it. */
const next = <N extends EventName>(name: N, fits: (event: GatewayEvents[N]) => boolean) =>
  new Promise<GatewayEvents[N]>((resolve) => {
    const off = world.gateway.events.on(name, (event) => {
      if (!fits(event)) return
      off()
      resolve(event)
    })
  })
async function twice<N extends EventName>(name: N, fits: (event: GatewayEvents[N]) => boolean) {
  const seen = new Set<unknown>()
  await next(name, (event) => fits(event) && seen.add(event).size === 2)
}

const statusOf = async (uid: string) => {
  const { results } = await owner.post('/GetAllDeviceWithPeripheral', { HomeID: hub.HomeID })
  return results.Statuses.find((one: { PeripheralUID: string }) => one.PeripheralUID === uid)
}
/** Resolves with the device's state, once the gateway has a matching one. */
const shows = async (uid: string, state: object) => {
  await expect.poll(() => statusOf(uid)).toMatchObject(state)
}

/** Sends a command as a screen does. */
const ask = (PeripheralUID: string, Values: object) =>
  screen.publishAsync(
    channels.controlRequest.topic({ rootId: owner.tenant, homeId: hub.HomeID }),
    JSON.stringify({ RequestID: randomUUID(), PeripheralUID, Values }),
    { qos: 1 },
  )

const RELAY = 'a0b1c2d3e4f5-533'
const PLUG = '0x00124b0029112233-518'

describe('shop-bought devices behind the bridge', () => {
  it('wait to be added, with their names and types', async () => {
    const { results } = await owner.post('/ListDiscoveredPeripheral', { HomeID: hub.HomeID })
    expect(results).toMatchObject([
      { PeripheralUID: PLUG, PeripheralType: '518', PeripheralName: '茶水間/飲水機' },
      { PeripheralUID: RELAY, PeripheralType: '533', PeripheralName: 'Boiler room' },
    ])
    const Peripherals = [RELAY, PLUG].map((PeripheralUID) => ({
      PeripheralUID,
      PeripheralName: PeripheralUID,
    }))
    const added = await owner.post('/AddPeripherals', { HomeID: hub.HomeID, Peripherals })
    expect(added.status.code).toBe(0)
  })

  it('have their states at the gateway, and their counters as readings', async () => {
    await devices.say('boiler-room/switch/relay/state', 'ON', { retain: true })
    await shows(RELAY, { Switch: 1 })
    await devices.say('zigbee2mqtt/茶水間/飲水機', {
      state: 'ON',
      power: 41.5,
      energy: 12.75,
      linkquality: 90,
    })
    await shows(PLUG, { Switch: 1, Power: 41.5, AccumulatePower: 12.75 })
    const count = () =>
      world.db.query<{ peripheral_uid: string; accumulate_power: number }>({
        name: 'bridge_readings',
        text: 'select distinct accumulate_power from readings',
        values: [],
      })
    await expect.poll(count).toEqual([{ accumulate_power: 12.75 }])
  })

  it('obey, and are confirmed by what they say next', async () => {
    const confirmed = next('commandChanged', ({ response }) => response.State === 'confirmed')
    await ask(PLUG, { Switch: 0 })
    const told = await devices.message(({ topic }) => topic === 'zigbee2mqtt/茶水間/飲水機/set')
    expect(JSON.parse(told.text)).toEqual({ state: 'OFF' })
    await devices.say('zigbee2mqtt/茶水間/飲水機', { state: 'OFF', power: 0, energy: 12.76 })
    await confirmed
    expect(await statusOf(PLUG)).toMatchObject({ Switch: 0, Power: 0 })
  })

  it('are listed on the page of their hub if they are not shown', async () => {
    const list = async () =>
      (await owner.post('/ListUnmapped', { HomeID: hub.HomeID, ThingName: hub.ThingName })).results.Entries
    await expect.poll(list).toEqual([
      {
        ...{ Topic: 'homeassistant/lock/door/config', Name: 'Door lock', Reason: 'noType' },
        ...{ Detail: 'no type for lock', Since: expect.any(Number) },
      },
    ])
  })

  it('refuse a command when they are away, and say why', async () => {
    await devices.say('boiler-room/status', 'offline', { retain: true })
    const failed = next('commandChanged', ({ response }) => response.State === 'failed')
    await ask(RELAY, { Switch: 0 })
    await failed
    expect(devices.heard.some(({ topic }) => topic === 'boiler-room/switch/relay/command')).toBe(false)
  })

  it('are still there after their broker was cut off', async () => {
    devices.cut()
    await devices.listening('boiler-room/switch/relay/state')
    await devices.say('boiler-room/status', 'online', { retain: true })
    await devices.say('boiler-room/switch/relay/state', 'OFF', { retain: true })
    await shows(RELAY, { Switch: 0 })
    expect(printed).toContain('device broker disconnected')
  })

  it('go offline with the bridge, which ends by itself when it is asked to', async () => {
    const offline = next('hubOnline', ({ online }) => !online)
    bridge.kill('SIGTERM')
    await offline
    if (bridge.exitCode === null) await once(bridge, 'exit')
    expect(bridge.exitCode).toBe(0)
    expect(printed).not.toContain(hub.Secret)
    expect(printed).toContain('"peripherals":2')
  })
})
