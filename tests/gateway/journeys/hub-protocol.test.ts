import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { connect, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import type { EventName, GatewayEvents } from '../../../gateway/kernel/events.ts'
import { createHurriedClock } from '../../support/hurried-clock.ts'
import { startWorld, type Caller, type World } from '../../support/world.ts'

/**
 * The worked session of docs/hub-protocol.md: its own shell lines, run with the stock `mqtt` command line in other processes against a real
 * gateway. The page's statements in between are checked here.
 */
const page = readFileSync('docs/hub-protocol.md', 'utf8')
const blocks = [...page.slice(page.indexOf('## 11.')).matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, text]) => text as string,
)
const [setup, listen, announce, report, answer] = blocks as [string, string, string, string, string]

const clock = createHurriedClock()
let world: World
let owner: Caller
let screen: MqttClient
let hub: { ThingName: string; Secret: string; HomeID: string }
let ear: ChildProcess
let heard = ''
const responses: { State: string; RequestID: string }[] = []

beforeAll(async () => {
  world = await startWorld({ clock, broker: 'embedded' })
  owner = await world.signUp()
  const home = await owner.post('/CreateHome', { HomeName: '總部', TimeZone: 'Asia/Taipei' })
  const thing = await owner.post('/AddThing', { HomeID: home.results.HomeID, DeviceName: '閘道器' })
  hub = thing.results
  screen = await openScreen()
})
afterAll(async () => {
  if (ear?.exitCode === null && ear.signalCode === null) kill(ear)
  await screen?.endAsync(true)
  await world?.close()
})

/** Runs a page's lines in a shell of their own, after the page's own setup with this hub's values. */
function shell(lines: string): ChildProcess {
  const values = {
    GATEWAY: '127.0.0.1',
    PORT: String(world.hubPort),
    ROOT: owner.tenant,
    HOME_ID: hub.HomeID,
    THING: hub.ThingName,
    SECRET: hub.Secret,
  }
  const filled = Object.entries(values).reduce((text, [name, value]) => {
    const assignment = new RegExp(`\\b${name}=\\S+`)
    expect(text).toMatch(assignment)
    return text.replace(assignment, `${name}=${value}`)
  }, setup)
  const path = `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return spawn('sh', ['-ec', `${filled}\n${lines}`], { env: { ...process.env, PATH: path }, detached: true })
}

/** Kills a shell and its commands, as a power cut would. */
const kill = (child: ChildProcess) => process.kill(-(child.pid as number), 'SIGKILL')

/** Runs lines to completion. */
const run = (lines: string) =>
  new Promise<void>((resolve, reject) => {
    const child = shell(lines)
    let complaint = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}: ${complaint}`))))
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

/** A line of the hub's subscriber, whether printed already or later; `from` skips earlier output. */
const line = (fits: RegExp, from = 0) =>
  new Promise<RegExpMatchArray>((resolve) => {
    const look = () => {
      const found = heard.slice(from).match(fits)
      if (!found) return
      ear.stdout?.off('data', look)
      resolve(found)
    }
    ear.stdout?.on('data', look)
    look()
  })

async function openScreen(): Promise<MqttClient> {
  const address = await world.gateway.listen(0, '127.0.0.1')
  const { results } = await owner.post('/ConnectRealtime')
  const client = connect(`${address.replace('http', 'ws')}/mqtt`, {
    clientId: results.ClientID,
    username: results.Username,
    password: results.Password,
    protocolVersion: 4,
  })
  const answers = channels.controlResponse.topic({ rootId: owner.tenant, homeId: hub.HomeID })
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject))
  await client.subscribeAsync(answers, { qos: 1 })
  client.on('message', (topic, payload) => {
    if (topic === answers) responses.push(JSON.parse(payload.toString()))
  })
  return client
}

const snapshot = async () => (await owner.post('/GetAllDeviceWithPeripheral', { HomeID: hub.HomeID })).results
const statusOf = async (uid: string) =>
  (await snapshot()).Statuses.find((one: { PeripheralUID: string }) => one.PeripheralUID === uid)

describe('a stock MQTT client that follows the hub protocol page', () => {
  it('signs in with the credentials of AddThing, and the hub is online', async () => {
    const online = next('hubOnline', ({ thingName, online }) => online && thingName === hub.ThingName)
    ear = shell(listen)
    ear.stdout?.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await online
    expect((await snapshot()).Things).toMatchObject([{ ThingName: hub.ThingName, Online: true }])
  })

  it('announces its devices, which wait to be added', async () => {
    await run(announce)
    await line(/registration\/update\/accepted .*"announce-1"/)
    const { results } = await owner.post('/ListDiscoveredPeripheral', { HomeID: hub.HomeID })
    expect(results).toMatchObject([
      { PeripheralUID: 'lamp-1', PeripheralType: '516', PeripheralName: '走道燈', ThingName: hub.ThingName },
      { PeripheralUID: 'meter-1', PeripheralType: '514', PeripheralName: '總電表', ThingName: hub.ThingName },
    ])
  })

  it('has reports dropped until its devices are added, and then is queried immediately', async () => {
    await run(report)
    expect((await snapshot()).Statuses).toEqual([])
    const before = heard.length
    const added = await owner.post('/AddPeripherals', {
      HomeID: hub.HomeID,
      Peripherals: [
        { PeripheralUID: 'lamp-1', PeripheralName: '走道燈' },
        { PeripheralUID: 'meter-1', PeripheralName: '總電表' },
      ],
    })
    expect(added.status.code).toBe(0)
    await line(/\/status\/request \{"Timestamp":\d+\}/, before)
  })

  it('reports a state and a reading, which are stored before they are acknowledged', async () => {
    await run(report)
    expect(await statusOf('lamp-1')).toMatchObject({ Switch: 0 })
    expect(await statusOf('meter-1')).toMatchObject({ AccumulatePower: 1042.3187, Power: 1820.5 })
    const readings = await world.db.query<{ count: number }>({
      name: 'journey_readings',
      text: 'select count(*)::int as count from readings',
      values: [],
    })
    expect(readings).toEqual([{ count: 1 }])
  })

  it('receives a command, responds, and its report confirms it', async () => {
    const request = channels.controlRequest.topic({ rootId: owner.tenant, homeId: hub.HomeID })
    const confirmed = next('commandChanged', ({ response }) => response.State === 'confirmed')
    const body = { RequestID: 'from-the-screen', PeripheralUID: 'lamp-1', Values: { Switch: 1 } }
    await screen.publishAsync(request, JSON.stringify(body), { qos: 1 })
    const [, text] = await line(/control\/command\/\S+ (\{.*\})/)
    const command = channels.controlCommand.payload.parse(JSON.parse(text as string))
    expect(command).toMatchObject(body)
    expect(await statusOf('lamp-1')).toMatchObject({ Switch: 0 })

    expect(answer).toContain('c-81f3')
    await run(answer.replace('c-81f3', command.RequestID))
    await confirmed
    expect(await statusOf('lamp-1')).toMatchObject({ Switch: 1 })
    await screen.unsubscribeAsync(
      channels.controlResponse.topic({ rootId: owner.tenant, homeId: hub.HomeID }),
    )
    expect(responses.map(({ State }) => State)).toEqual(['accepted', 'sent', 'acknowledged', 'confirmed'])
  })

  it('is offline when its connection is lost', async () => {
    let isOnline = true
    void next('hubOnline', ({ thingName, online }) => !online && thingName === hub.ThingName).then(
      () => (isOnline = false),
    )
    kill(ear)
    // The hub has half a minute to reconnect.
    await expect
      .poll(async () => {
        await clock.advance(5_000)
        return isOnline
      })
      .toBe(false)
    expect((await snapshot()).Things).toMatchObject([{ ThingName: hub.ThingName, Online: false }])
  })
})

describe('the hub protocol page', () => {
  it('names every topic that the contract gives to hubs', () => {
    const ofHubs = Object.values(channels).filter(
      ({ publishers, subscribers }) =>
        (publishers as readonly string[]).includes('hub') ||
        (subscribers as readonly string[]).includes('hub'),
    )
    const topics = page.slice(page.indexOf('## 4.'), page.indexOf('### 4.1'))
    const missing = ofHubs.filter(({ template }) => {
      const [, verb] = /shadow\/name\/\{shadowName\}\/(.*)$/.exec(template) ?? []
      return !(verb ? verb.split('/').every((part) => topics.includes(part)) : topics.includes(template))
    })
    expect(missing).toEqual([])
  })
})
