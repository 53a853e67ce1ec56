import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { accessDecision, accessScan } from '../../../contract/channels/scan.ts'
import { channels } from '../../../contract/index.ts'
import { createExternalBroker } from '../../../gateway/broker/external/external.ts'
import { systemClock, systemRandom } from '../../../gateway/ports.ts'
import { startScanner, type ScannerDecision } from '../../../simulator/scanner.ts'
import { addDiscovered } from '../../support/discoveries.ts'
import { type Caller, rights, startWorld, type World } from '../../support/world.ts'
import { hasMosquitto, startMosquitto } from '../broker/external/mosquitto.ts'
import { connect, createFigures, hangUp } from '../broker/rig.ts'

const installed = hasMosquitto()
if (!installed)
  console.warn('SKIPPED: a company on an outside broker needs Mosquitto 2 (apt install mosquitto)')

describe.skipIf(!installed)('a company on an outside broker', () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  let world: World
  let root: Caller
  let HomeID: string
  let ThingName: string
  let secret: string
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    world = await startWorld({
      clock: systemClock,
      broker: ({ clock, log }) =>
        createExternalBroker({
          url: mosquitto.url,
          screenUrl: mosquitto.screenUrl,
          clientId: 'gateway-1',
          shared: true,
          proofKey: Buffer.alloc(32, 3),
          clock,
          random: systemRandom,
          log,
          metrics: createFigures(),
        }),
    })
    root = await world.signUp()
    HomeID = (await root.post('/CreateHome', { HomeName: 'h', TimeZone: 'Asia/Taipei' })).results.HomeID
    const hub = await root.post('/AddThing', { HomeID, RoomID: 0, DeviceName: 'hub' })
    ThingName = hub.results.ThingName
    secret = hub.results.Secret
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['lamp'] })
  })
  afterAll(async () => {
    await hangUp()
    await world.close()
    await mosquitto.stop()
  })

  const PATIENT = { timeout: 20_000, interval: 100 }
  const waiting = () => world.db.pool.query('select from hub_enrolments').then(({ rows }) => rows.length)
  const connectHub = (password: string) =>
    connect(mosquitto.hubUrl, { clientId: ThingName, username: ThingName, password })
  async function connectScreen(person: Caller) {
    const { results } = await person.post('/ConnectRealtime')
    const { Url, ClientID: clientId, Username: username, Password: password, Proof } = results
    return { tab: await connect(Url, { clientId, username, password }), Proof }
  }

  it('lets its hub in with the secret that AddThing showed, and keeps none once the broker has it', async () => {
    await vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENT)
    expect((await connectHub(secret)).connected).toBe(true)
  })

  it('tells the broker of a new secret that was made while the broker was away', async () => {
    await mosquitto.goAway()
    const rotated = await root.post('/RotateThingSecret', { HomeID, ThingName })
    expect(rotated.status.code).toBe(0)
    expect(await waiting()).toBe(1)
    await mosquitto.comeBack()
    await vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENT)
    await expect(connectHub(secret)).rejects.toThrow(/refused|closed/i)
    secret = rotated.results.Secret
    expect((await connectHub(secret)).connected).toBe(true)
  })

  it('knows whose command it is, and takes none from who may not give it', async () => {
    const hub = await connectHub(secret)
    const command = channels.controlCommand.topic({
      rootId: root.tenant,
      homeId: HomeID,
      thingName: ThingName,
    })
    await hub.subscribeAsync(command, { qos: 1 })
    const info = channels.shadowUpdate.topic({ thingName: ThingName, shadowName: 'info' })
    await hub.publishAsync(info, '{"state":{"reported":{"online":true}}}', { qos: 1 })
    const online = () =>
      world.db.pool.query('select from things where online').then(({ rows }) => rows.length)
    await vi.waitFor(async () => expect(await online()).toBe(1), PATIENT)

    const operator = await world.createUser(root, [
      rights('device', 'Read'),
      rights('device_control', 'Control'),
    ])
    const { tab, Proof } = await connectScreen(operator)
    const topic = channels.controlRequest.topic({ rootId: root.tenant, homeId: HomeID })
    const request = { PeripheralUID: 'lamp', Values: { Switch: 1 } }
    await tab.publishAsync(topic, JSON.stringify({ ...request, RequestID: 'nobodys' }), { qos: 1 })
    await tab.publishAsync(topic, JSON.stringify({ ...request, RequestID: 'own', Proof }), { qos: 1 })
    expect(await hub.hear(command)).toContain('"RequestID":"own"')
    const list = () => operator.post('/ListCommand', { HomeID, PeripheralUID: 'lamp' })
    const { results } = await list()
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ RequestID: 'own', Source: 'person', By: operator.email })
  })

  it('lets a scanner ask at its own door, and at no other', async () => {
    const add = async (ScannerName: string) =>
      (await root.post('/CreateScanner', { ScannerName, HomeID })).results as {
        ThingName: string
        Secret: string
      }
    const [door, other] = [await add('door'), await add('other door')]
    const who = { EmployeeName: '王大明', Email: 'ming@company.example', CardNumber: '12345678' }
    expect((await root.post('/CreateEmployee', who)).status.code).toBe(0)
    await vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENT)

    const decisions: ScannerDecision[] = []
    const place = { url: mosquitto.hubUrl, rootId: root.tenant, HomeID }
    const scanner = startScanner({
      ...place,
      ...door,
      onDecision: (decision) => void decisions.push(decision),
    })
    const online = async () =>
      (await root.post('/ListScanner')).results.find(
        (one: { ThingName: string }) => one.ThingName === door.ThingName,
      )?.Online
    await vi.waitFor(async () => expect(await online()).toBe(true), PATIENT)
    scanner.scan({ Type: 'card', Credential: '1234-5678' })
    await vi.waitFor(() => expect(decisions).toMatchObject([{ Allow: true, Movement: 'in' }]), PATIENT)

    // With its own secret it may speak for no other door, and hears nothing that is said to one.
    const { ThingName: username, Secret: password } = door
    const foreign = { rootId: root.tenant, homeId: HomeID, thingName: other.ThingName }
    const thief = await connect(mosquitto.hubUrl, { clientId: `${username}-2`, username, password })
    await thief.subscribeAsync(accessDecision.topic(foreign), { qos: 1 }).catch(() => {})
    const asked = JSON.stringify({ Timestamp: Date.now(), Type: 'card', Credential: '12345678' })
    await thief.publishAsync(accessScan.topic(foreign), asked, { qos: 1 }).catch(() => {})
    const own = { ...foreign, thingName: username }
    await thief.publishAsync(accessScan.topic(own), asked, { qos: 1 })
    await vi.waitFor(() => expect(decisions).toHaveLength(2), PATIENT)
    const { Rows } = (await root.post('/ListScanEvent')).results
    expect(Rows.map(({ ThingName }: { ThingName: string }) => ThingName)).toEqual([username, username])
    await scanner.stop()
    await vi.waitFor(async () => expect(await online()).toBe(false), PATIENT)
  })
})
