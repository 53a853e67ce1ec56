import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  controlAck,
  controlCommand,
  controlRequest,
  controlResponse,
  statusChange,
  statusReport,
  statusRequest,
} from '../../../contract/devices/channels/control.ts'
import { userPermission } from '../../../contract/data-change.ts'
import { messageGap } from '../../../contract/message-gap.ts'
import { createNetwork } from '../../../gateway/bus/in-process.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../support/discoveries.ts'
import { createTestDb, silentLog, testSocketDir } from '../../support/postgres.ts'
import { type Caller, rights, startWorld, type World } from '../../support/world.ts'
import { connect, type Ear, hangUp, next } from '../broker/rig.ts'
import { PATIENT } from '../../support/patient.ts'

/** Two gateways of one database, joined by a bus; hubs connect to the first, screens to the second, unless a test says otherwise. */
const network = createNetwork()
let one: World
let two: World
let root: Caller
let HomeID: string
let ThingName: string
let Secret: string

beforeAll(async () => {
  const database = await createTestDb({ template: 'world' })
  const start = (given: typeof database) =>
    startWorld({ database: given, network, clock: systemClock, broker: 'embedded' })
  one = await start(database)
  const db = openDb({ socketDir: testSocketDir(), database: database.name, log: silentLog })
  two = await start({ db, name: database.name, dropDatabase: () => db.close() })
  for (const world of [one, two]) await world.gateway.listen(0, '127.0.0.1')
  root = await one.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'h', TimeZone: 'Asia/Taipei' })).results.HomeID
  ;({ ThingName, Secret } = (await root.post('/AddThing', { HomeID, RoomID: 0, DeviceName: 'hub' })).results)
  await addDiscovered(one, root, { HomeID, ThingName, uids: ['lamp'] })
  // Both gateways know each other.
  for (const world of [one, two])
    await vi.waitFor(async () => {
      const { values = [] } = (await world.gateway.registry.getSingleMetric('gateways')?.get()) ?? {}
      // oxlint-disable-next-line vitest/no-standalone-expect -- precondition of the tests
      expect(values[0]?.value).toBe(2)
    }, PATIENT)
})
afterEach(async () => {
  await hangUp({ goodbye: true })
  // Ended connections are removed.
  const left = () => one.db.query(sql`select 1 from hub_connections`)
  // oxlint-disable-next-line vitest/no-standalone-expect -- precondition of the next test
  await vi.waitFor(async () => expect(await left()).toEqual([]), PATIENT)
})
afterAll(async () => {
  await two.close()
  await one.close()
})

const topics = () => ({ rootId: root.tenant, homeId: HomeID })
const connectHub = (world: World, password = Secret, clientId = 'client') =>
  connect(`mqtt://127.0.0.1:${world.hubPort}`, { clientId, username: ThingName, password })
async function connectScreen(world: World, person: Caller = root): Promise<Ear> {
  const { results } = await world.as(person).post('/ConnectRealtime')
  const address = world.gateway.http.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return connect(`ws://127.0.0.1:${port}${results.Url}`, {
    clientId: results.ClientID,
    username: results.Username,
    password: results.Password,
  })
}
const isOnline = async () => {
  const [hub] = await one.db.query<{ online: boolean }>(
    sql`select online from things where thing_name = ${ThingName}`,
  )
  return hub?.online
}
/** Hub at one gateway that receives commands and executes them. */
async function obedientHub(world: World): Promise<{ hub: Ear; commands: string[] }> {
  const hub = await connectHub(world)
  const commands: string[] = []
  await hub.subscribeAsync(controlCommand.topic({ ...topics(), thingName: ThingName }), { qos: 1 })
  await vi.waitFor(async () => expect(await isOnline()).toBe(true), PATIENT)
  hub.on('message', (topic, payload) => {
    if (!controlCommand.match(topic)) return
    const { RequestID, PeripheralUID, Values } = JSON.parse(payload.toString())
    commands.push(RequestID)
    const ack = { ThingName, RequestID, PeripheralUID, Result: 'ok' }
    void hub.publishAsync(controlAck.topic(topics()), JSON.stringify(ack), { qos: 1 })
    void report(hub, Values)
  })
  return { hub, commands }
}
const report = (hub: Ear, values: object) =>
  hub.publishAsync(
    statusReport.topic(topics()),
    JSON.stringify({
      ThingName,
      Timestamp: Date.now(),
      Peripherals: [{ PeripheralUID: 'lamp', PeripheralType: '516', Timestamp: Date.now(), ...values }],
    }),
    { qos: 1 },
  )
const command = (screen: Ear, RequestID: string) =>
  screen.publishAsync(
    controlRequest.topic(topics()),
    JSON.stringify({ RequestID, PeripheralUID: 'lamp', Values: { Switch: 1 } }),
    { qos: 1 },
  )
const statesOf = (screen: Ear, requestId: string) =>
  screen.heard
    .filter(({ topic }) => controlResponse.match(topic))
    .map(({ text }) => JSON.parse(text))
    .filter(({ RequestID }) => RequestID === requestId)
    .map(({ State, Reason }) => (Reason ? `${State}: ${Reason}` : State))

describe('a screen on another gateway than the hub', () => {
  it('switches a lamp, which the hub’s own gateway tracks to its end', async () => {
    const { commands } = await obedientHub(one)
    const screen = await connectScreen(two)
    await screen.subscribeAsync(controlResponse.topic(topics()), { qos: 1 })
    await command(screen, 'across')
    await vi.waitFor(() => expect(statesOf(screen, 'across')).toContain('confirmed'), PATIENT)
    expect(statesOf(screen, 'across').toSorted()).toEqual(['accepted', 'acknowledged', 'confirmed', 'sent'])
    // A repeated request is answered without being executed again.
    await command(screen, 'across')
    await vi.waitFor(() => expect(statesOf(screen, 'across')).toHaveLength(5), PATIENT)
    expect(commands).toEqual(['across'])
  })

  it('sees what the hub reports, and its request reaches the hub', async () => {
    const { hub } = await obedientHub(one)
    await hub.subscribeAsync(statusRequest.topic(topics()), { qos: 1 })
    await hub.hear(statusRequest.topic(topics()))
    hub.heard.length = 0
    const screen = await connectScreen(two)
    await screen.subscribeAsync(statusChange.topic(topics()), { qos: 1 })
    await report(hub, { Switch: 0 })
    expect(await screen.hear(statusChange.topic(topics()))).toContain('"lamp"')
    await screen.publishAsync(statusRequest.topic(topics()), '{"Timestamp":1}', { qos: 1 })
    await hub.hear(statusRequest.topic(topics()))
  })

  it('is notified within a second that the path is interrupted, and nothing is carried out', async () => {
    const { commands } = await obedientHub(one)
    const screen = await connectScreen(two)
    await screen.subscribeAsync(
      [controlResponse.topic(topics()), messageGap.topic({ rootId: root.tenant })],
      {
        qos: 1,
      },
    )
    two.transport?.setCut(true)
    await command(screen, 'cut-off')
    await vi.waitFor(
      () => expect(statesOf(screen, 'cut-off')).toEqual(['accepted', 'failed: unreachable']),
      PATIENT,
    )
    expect(JSON.parse(await screen.hear(messageGap.topic({ rootId: root.tenant })))).toMatchObject({
      Over: false,
    })
    const ready = await two.gateway.http.inject({ url: '/health/ready' })
    expect(ready.json()).toMatchObject({ ready: true, details: ['busAway'] })
    two.transport?.setCut(false)
    await vi.waitFor(
      () => expect(screen.heard.some(({ text }) => text.includes('"Over":true'))).toBe(true),
      PATIENT,
    )
    await command(screen, 'again')
    await vi.waitFor(() => expect(statesOf(screen, 'again')).toContain('confirmed'), PATIENT)
    expect(commands).toEqual(['again'])
  })

  it('ends a command itself if the other gateway does not respond, which no longer carries it out', async () => {
    const { commands } = await obedientHub(one)
    const screen = await connectScreen(two)
    await screen.subscribeAsync(controlResponse.topic(topics()), { qos: 1 })
    network.isLost = (subject) => subject.includes('.gw.')
    await command(screen, 'unheard')
    await vi.waitFor(
      () => expect(statesOf(screen, 'unheard')).toEqual(['accepted', 'failed: unreachable']),
      PATIENT,
    )
    network.isLost = () => false
    expect(commands).toEqual([])
  })
})

describe('a hub that moves to another gateway', () => {
  it('stays online, and commands follow it', async () => {
    const before = await connectHub(one)
    await vi.waitFor(async () => expect(await isOnline()).toBe(true), PATIENT)
    const gone = next(before, 'close')
    const news: unknown[] = []
    const offs = [one, two].map(({ gateway }) =>
      gateway.events.on('hubOnline', (event) => void news.push(event)),
    )
    const { commands } = await obedientHub(two)
    await gone
    const screen = await connectScreen(one)
    await screen.subscribeAsync(controlResponse.topic(topics()), { qos: 1 })
    await command(screen, 'moved')
    await vi.waitFor(() => expect(statesOf(screen, 'moved')).toContain('confirmed'), PATIENT)
    expect(commands).toEqual(['moved'])
    expect(news).toEqual([])
    for (const off of offs) off()
  })

  it('because its own shuts down is released first, and is never offline', async () => {
    const db = openDb({ socketDir: testSocketDir(), database: one.dbName, log: silentLog })
    const database = { db, name: one.dbName, dropDatabase: () => db.close() }
    const third = await startWorld({ database, network, clock: systemClock, broker: 'embedded' })
    const hub = await connectHub(third)
    const rows = () => one.db.query<{ gateway: string }>(sql`select gateway from hub_connections order by no`)
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1), PATIENT)
    const news: unknown[] = []
    const offs = [one, third].map(({ gateway }) =>
      gateway.events.on('hubOnline', (event) => void news.push(event)),
    )
    const gone = next(hub, 'close')
    const ended = third.close()
    await gone
    expect(await isOnline()).toBe(true)
    await connectHub(one)
    await ended
    const [former] = await rows()
    await vi.waitFor(async () => expect(await rows()).toHaveLength(2), PATIENT)
    // Another gateway does this half a minute later.
    await one.db.query(sql`delete from gateways where id = ${former?.gateway}`)
    expect(await isOnline()).toBe(true)
    expect(news).toEqual([])
    for (const off of offs) off()
  })

  it('is disconnected by every gateway when its secret is renewed', async () => {
    const hub = await connectHub(two)
    const gone = next(hub, 'close')
    const { results } = await root.post('/RotateThingSecret', { HomeID, ThingName })
    await gone
    await expect(connectHub(two)).rejects.toThrow(/refused|closed|user name/i)
    Secret = results.Secret
    expect((await connectHub(two)).connected).toBe(true)
  })
})

describe('a right revoked on one gateway', () => {
  it.each([
    ['changed rights', { Permissions: [rights('home', 'Read')] }, 'Permissions'],
    ['a disabled person', { enabled: false }, 'Deleted'],
  ])('closes the connection on the other, even while the bus is down: %s', async (_what, change, said) => {
    const person = await one.createUser(root, [rights('device', 'Read')])
    const screen = await connectScreen(two, person)
    const own = userPermission.topic({ rootId: root.tenant, cognitoId: person.cognitoId })
    await screen.subscribeAsync(own, { qos: 1 })
    const gone = next(screen, 'close')
    two.transport?.setCut(true)
    await root.post('/UpdateUserInfo', { Email: person.email, ...change })
    await gone
    expect(await screen.hear(own)).toContain(said)
    two.transport?.setCut(false)
  })

  it('closes what one sign-in opened, and keeps the person’s others', async () => {
    const person = await one.createUser(root, [rights('device', 'Read')])
    const other = await one.signIn(person.email, person.password)
    const [screen, stays] = [await connectScreen(two, person), await connectScreen(two, other)]
    const gone = next(screen, 'close')
    await one.cognito('RevokeToken', { ClientId: 'test-client', Token: person.refreshToken })
    await gone
    expect(stays.connected).toBe(true)
  })

  it('rejects earlier credentials', async () => {
    const person = await one.createUser(root, [rights('device', 'Read')])
    const { results } = await one.as(person).post('/ConnectRealtime')
    await root.post('/UpdateUserInfo', { Email: person.email, enabled: false })
    const address = two.gateway.http.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { ClientID: clientId, Username: username, Password: password } = results
    await expect(connect(`ws://127.0.0.1:${port}/mqtt`, { clientId, username, password })).rejects.toThrow(
      /refused|closed|user name/i,
    )
  })
})

it('stores reports on one gateway for a device just added on the other', async () => {
  const hub = await connectHub(one)
  const tell = () =>
    hub.publishAsync(
      statusReport.topic(topics()),
      JSON.stringify({
        ThingName,
        Timestamp: Date.now(),
        Peripherals: [{ PeripheralUID: 'fresh', PeripheralType: '516', Timestamp: Date.now(), Switch: 1 }],
      }),
      { qos: 1 },
    )
  // The hub is not added: this is cached for half a minute.
  await tell()
  await addDiscovered(two, two.as(root), { HomeID, ThingName, uids: ['fresh'] })
  await vi.waitFor(async () => {
    await tell()
    expect(await one.db.query(sql`select 1 from device_status where peripheral_uid = 'fresh'`)).toHaveLength(
      1,
    )
  }, PATIENT)
})
