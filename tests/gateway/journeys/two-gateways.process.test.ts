import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { controlCommand } from '../../../contract/devices/channels/control.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { automation } from '../../../contract/automation/automation.ts'
import { floor, floorCalls } from '../../../contract/homes/floor.ts'
import { home } from '../../../contract/homes/home.ts'
import { peripheral, peripheralCalls } from '../../../contract/devices/peripheral.ts'
import { thing } from '../../../contract/devices/thing.ts'
import { hubMessages } from '../../../device-link/hub-messages.ts'
import type { Message } from '../../../device-link/outbox.ts'
import { EMBEDDED_USER } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { type Call, connectApi } from '../../../scripts/api.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../../../scripts/gateway-process.ts'
import { picture } from '../../support/pictures.ts'
import { createTestDb, type TestDb, testSocketDir } from '../../support/postgres.ts'
import { hasNats, type NatsServer, startNats } from '../bus/nats-server.ts'
import { PATIENT } from '../../support/patient.ts'

const installed = hasNats()
if (!installed) console.warn('SKIPPED: two gateways need nats-server (apt install nats-server)')

/** Rules that one sensor fires together. */
const LAMPS = ['lamp-1', 'lamp-2', 'lamp-3', 'lamp-4']
const UIDS = ['sensor', 'waited', 'fan', ...LAMPS]

describe.skipIf(!installed)('two gateways on one database, joined by NATS', () => {
  let nats: NatsServer
  let database: TestDb
  let directory: string
  let gateways: GatewayProcess[]
  let call: Call
  let HomeID: string
  let hub: MqttClient
  /** MQTT port of each gateway. */
  const mqttPorts: number[] = []
  let say: ReturnType<typeof hubMessages>
  /** UIDs of devices in the order of their commands. */
  const sent: string[] = []

  async function startGateway(files = 'images'): Promise<GatewayProcess> {
    const socketDir = encodeURIComponent(testSocketDir())
    const PORT = String(await freePort())
    const env = {
      DATABASE_URL: `postgres:///${database.name}?host=${socketDir}&user=${EMBEDDED_USER}`,
      BUS_URL: nats.url,
      FILES_DIR: join(directory, files),
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      MQTT_PORT: String(mqttPorts[mqttPorts.push(await freePort()) - 1]),
      MQTT_HOST: '127.0.0.1',
      DATA_DIR: directory,
      SECRET: 'of both gateways, and of nobody else',
      HOST: '127.0.0.1',
      PORT,
      SIGN_UP: 'open',
      LOG_LEVEL: 'error',
    }
    return startGatewayProcess([process.execPath, '--import', 'tsx', 'gateway/main.ts'], env, () => {})
  }
  const publish = ({ topic, payload }: Message) => hub.publishAsync(topic, payload, { qos: 1 })
  const report = (PeripheralUID: string, Switch: 0 | 1) =>
    publish(say.status(Date.now(), [{ PeripheralUID, Switch } as { PeripheralUID: string }]))

  /** Hub whose devices execute commands immediately. */
  async function connectHub(ThingName: string, password: string, rootId: string): Promise<void> {
    say = hubMessages({ rootId, HomeID, ThingName })
    // Its load balancer connects it to the next gateway when one fails.
    hub = await connectAsync({
      servers: mqttPorts.map((port) => ({ host: '127.0.0.1', port, protocol: 'mqtt' as const })),
      reconnectPeriod: 500,
      protocolVersion: 4,
      clientId: ThingName,
      username: ThingName,
      password,
    })
    hub.on('message', (_topic, payload) => {
      const { RequestID, PeripheralUID, Values } = controlCommand.payload.parse(
        JSON.parse(payload.toString()),
      )
      sent.push(PeripheralUID)
      void publish(say.ack({ RequestID, PeripheralUID, Result: 'ok' }))
      void report(PeripheralUID, Values['Switch'] as 0 | 1)
    })
    const place = { rootId, homeId: HomeID, thingName: ThingName }
    await hub.subscribeAsync(controlCommand.topic(place), { qos: 1 })
    await publish(say.info(true, Date.now()))
    for (const message of say.announce(
      UIDS.map((PeripheralUID) => ({ PeripheralUID, PeripheralType: '516' })),
    ))
      await publish(message)
  }

  const follow = (watched: string, PeripheralUID: string, For = 0) =>
    call(automation.operations.create, {
      HomeID,
      AutomationType: 3,
      AutomationName: `${watched} to ${PeripheralUID}`,
      Conditions: {
        PeripheralUIDs: [{ PeripheralUID: watched, Field: 'Switch', Logical: '=', Status: 1 }],
        For,
      },
      Actions: [{ PeripheralUID, Values: { Switch: 1 } }],
    })
  const states = async () =>
    (await database.db.query<{ state: string }>(sql`select state from automation_runs`)).map(
      ({ state }) => state,
    )
  /** Number of decisions with the outcome `moved` at a gateway. */
  const moved = async ({ url }: GatewayProcess): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^automation_decisions_total\{outcome="moved"\} (\d+)/m.exec(text)?.[1] ?? 0)
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'two-gateways-'))
    ;[nats, database] = await Promise.all([startNats(), createTestDb()])
    gateways = await Promise.all([startGateway(), startGateway()])
    const api = await connectApi((gateways[0] as GatewayProcess).url)
    const owner = { Email: 'owner@two.example', Password: 'both4work' }
    await api.signUp({ ...owner, FirstName: 'Owner', LastName: 'Two' })
    call = await api.signIn(owner.Email, owner.Password)
    const { RootCognitoId } = await call(session.initializeUser, {})
    ;({ HomeID } = await call(home.operations.create, { HomeName: 'A', TimeZone: 'Asia/Taipei' }))
    const made = await call(thing.operations.create, { HomeID, DeviceName: 'hub', RoomID: 0 })
    await connectHub(made.ThingName, made.Secret, RootCognitoId)
    const discovered = () => call(peripheralCalls.listDiscovered, { HomeID })
    // oxlint-disable-next-line vitest/no-standalone-expect -- precondition of the tests
    await vi.waitFor(async () => expect(await discovered()).toHaveLength(UIDS.length), PATIENT)
    const Peripherals = UIDS.map((uid) => ({ PeripheralUID: uid, PeripheralName: uid }))
    await call(peripheral.operations.create, { HomeID, RoomID: 0, Peripherals })
    for (const uid of UIDS) await report(uid, 0)
    for (const lamp of LAMPS) await follow('sensor', lamp)
    await follow('waited', 'fan', 2)
  })
  afterAll(async () => {
    await hub?.endAsync(true)
    for (const gateway of gateways ?? []) await gateway.stop()
    await nats.stop()
    await database.dropDatabase()
    await rm(directory, { recursive: true, force: true })
  })

  it('share a picture that one of them stored, and reject a third with another picture store', async () => {
    const { FloorID } = await call(floor.operations.create, { HomeID, FloorName: '1F', Order: 1 })
    const ContentType = 'image/png'
    const { UploadUrl, ImageUrl } = await call(floorCalls.uploadPlan, { HomeID, FloorID, ContentType })
    const [taker, other] = gateways.map(({ url }) => url) as [string, string]
    const { ok } = await fetch(new URL(UploadUrl, taker), {
      method: 'PUT',
      headers: { 'content-type': ContentType },
      body: new Uint8Array(await picture('png', 640, 400)),
    })
    expect(ok).toBe(true)
    for (const url of [taker, other]) {
      const answer = await fetch(new URL(ImageUrl, url))
      expect([url, answer.status, answer.headers.get('content-type')]).toEqual([url, 200, 'image/webp'])
    }
    await expect(startGateway('elsewhere')).rejects.toThrow('The gateway did not start')
  })

  it('store what hubs report while the bus is down, and reconnect to it afterwards', async () => {
    const onBus = async (): Promise<string[]> =>
      Promise.all(
        gateways.map(
          async ({ url }) => /^bus_up (\d)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? '',
        ),
      )
    await expect.poll(onBus, PATIENT).toEqual(['1', '1'])
    await nats.kill()
    await expect.poll(onBus, PATIENT).toEqual(['0', '0'])
    // Resolves when it is acknowledged, and therefore stored.
    await report('fan', 0)
    await nats.comeBack()
    await expect.poll(onBus, PATIENT).toEqual(['1', '1'])
  })

  it('fire a rule exactly once, and continue timers of a killed one', async () => {
    const armed = () =>
      database.db.query(sql`select 1 from automation_states where state -> 'truth' ->> 'truth' = 'false'`)
    await expect.poll(async () => (await armed()).length, PATIENT).toBe(LAMPS.length + 1)
    await report('sensor', 1)
    await expect.poll(states, PATIENT).toEqual(LAMPS.map(() => 'done'))
    expect(sent.toSorted()).toEqual(LAMPS)

    const before = await Promise.all(gateways.map(moved))
    await report('waited', 1)
    const waiting = () => database.db.query(sql`select 1 from automation_waits where kind = 'hold'`)
    await expect.poll(async () => (await waiting()).length, PATIENT).toBe(1)
    const after = await Promise.all(gateways.map(moved))
    const which = after.findIndex((count, i) => count > (before[i] ?? 0))
    const { process: child } = gateways[which] as GatewayProcess
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await waiting()).toHaveLength(1)
    await expect.poll(() => sent.length, PATIENT).toBe(LAMPS.length + 1)
    await expect.poll(states, PATIENT).toEqual([...LAMPS, 'fan'].map(() => 'done'))
    expect(sent.toSorted()).toEqual(['fan', ...LAMPS])
    // It reconnected to the other gateway before it was considered offline.
    expect(
      await database.db.query(sql`select 1 from hub_absences where until is null or until > since`),
    ).toEqual([])
  })
})
