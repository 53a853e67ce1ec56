import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Subject } from '../../../../contract/features.ts'
import { channels } from '../../../../contract/index.ts'
import { createExternalBroker } from '../../../../gateway/broker/external/external.ts'
import type { HubClient, OutsideAccounts } from '../../../../gateway/broker/port.ts'
import { systemClock, systemRandom } from '../../../../gateway/ports.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { hasMosquitto, startMosquitto } from './mosquitto.ts'
import {
  ALL,
  connect,
  connectHub,
  connectScreen,
  createEars,
  createFigures,
  hangUp,
  hub as hubOf,
  HUBS,
  OTHER,
  root,
  screen,
  secretOf,
  TENANT,
} from '../rig.ts'
import { behavesAsABroker } from '../same-behaviour.ts'

const REPORT = channels.meterReport.topic({ rootId: TENANT, homeId: 'home-1' })
/** What the database says of accounts. */
interface Database {
  hubs: Map<string, HubClient>
  enrolments: Map<string, string>
  people: Record<string, { tenant: string; subject: Subject }>
  /** Sign-ins that stand; left out where another pool keeps them. */
  sessions?: Record<string, string[]>
}
const accountsOf = ({ hubs, enrolments, people }: Database): OutsideAccounts => ({
  hubs: async () => [...hubs.keys()],
  people: async (ids) =>
    new Map(ids.flatMap((id) => (people[id] ? [[id, people[id].subject] as const] : []))),
  enrolments: async (only) =>
    [...enrolments]
      .filter(([name]) => only === undefined || name === only)
      .map(([name, secret]) => ({ hub: hubs.get(name) as HubClient, secret })),
  enrolled: async (name, secret) => void (enrolments.get(name) === secret && enrolments.delete(name)),
})
const installed = hasMosquitto()
if (!installed)
  console.warn(
    'SKIPPED: the tests of an outside broker need Mosquitto 2 with its dynamic-security plugin (apt install mosquitto)',
  )

describe.skipIf(!installed)('with Mosquitto', () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  beforeAll(async () => {
    mosquitto = await startMosquitto()
  })
  afterAll(() => mosquitto.stop())

  const running = new Set<() => Promise<void>>()
  afterEach(async () => {
    await hangUp()
    await Promise.all([...running].map((stop) => stop()))
  })

  async function start({
    clientId = 'gateway-1',
    shared = true,
    database,
  }: { clientId?: string; shared?: boolean; database?: Database } = {}) {
    const ears = createEars()
    if (database) {
      ears.accounts = accountsOf(database)
      ears.tenantOf = async (thingName) => database.hubs.get(thingName)?.tenant
    }
    ears.personOf = async (id) => database?.people[id]
    ears.sessionsOf = async () => database?.sessions && new Map(Object.entries(database.sessions))
    const figures = createFigures()
    const broker = createExternalBroker({
      url: mosquitto.url,
      screenUrl: mosquitto.screenUrl,
      clientId,
      shared,
      clock: systemClock,
      random: systemRandom,
      log: createLogBook(),
      metrics: figures,
      proofKey: Buffer.alloc(32, 7),
    })
    await broker.start(ears)
    if (!database) for (const hub of Object.values(HUBS)) await broker.enrol(hub, secretOf(hub.thingName))
    const { hubUrl, screenUrl } = mosquitto
    const stop = async () => {
      if (running.delete(stop)) await broker.close()
    }
    running.add(stop)
    return { broker, ears, figures, hubUrl, screenUrl, stop }
  }

  behavesAsABroker(start)

  it('gives the broker a message back that the gateway had not stored when it ended', async () => {
    const first = await start()
    first.ears.store = () => new Promise(() => {})
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    await hub.publishAsync(REPORT, '{"ThingName":"hub-1"}', { qos: 1 })
    await first.ears.until(1)
    await first.stop()
    const second = await start()
    await second.ears.until(1)
    expect(second.ears.received[0]?.topic).toBe(REPORT)
  })

  it('shares the messages between gateways, each to one of them', async () => {
    const one = await start()
    const two = await start({ clientId: 'gateway-2' })
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    for (let i = 0; i < 20; i++) await hub.publishAsync(REPORT, `{"ThingName":"hub-1","i":${i}}`, { qos: 1 })
    while (one.ears.received.length + two.ears.received.length < 20)
      await Promise.race([
        one.ears.until(one.ears.received.length + 1),
        two.ears.until(two.ears.received.length + 1),
      ])
    expect(one.ears.received.length).toBeGreaterThan(0)
    expect(two.ears.received.length).toBeGreaterThan(0)
  })

  it('comes back after the broker was away and sends what waited', async () => {
    const rig = await start()
    const command = channels.controlCommand.topic({ rootId: TENANT, homeId: 'home-1', thingName: 'hub-1' })
    await mosquitto.goAway()
    const sent = rig.broker.publish(command, 'after')
    await mosquitto.comeBack()
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    await sent
    await hub.subscribeAsync(command, { qos: 1 })
    await rig.broker.publish(command, 'again')
    expect(await hub.hear(command)).toBe('"again"')
    expect(rig.broker.healthy()).toBe(true)
  })

  it('loses no report when the broker is restarted under load and the gateway is alone', async () => {
    const rig = await start({ shared: false })
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1', {
      clean: false,
      reconnectPeriod: 100,
      resubscribe: false,
    })
    const COUNT = 400
    const sent = Array.from({ length: COUNT }, (_, i) =>
      hub.publishAsync(REPORT, `{"ThingName":"hub-1","number":${i}}`, { qos: 1 }),
    )
    await rig.ears.until(50)
    await mosquitto.goAway()
    await mosquitto.comeBack()
    await Promise.all(sent)
    const numbers = () =>
      new Set(
        rig.ears.received.map(({ payload }) => /"number":(\d+)/.exec(Buffer.from(payload).toString())?.[1]),
      )
    await vi.waitFor(() => expect(numbers().size).toBe(COUNT), { timeout: 20_000, interval: 50 })
  })

  it('hears each message once after the only gateway stopped sharing', async () => {
    const before = await start({ clientId: 'gateway-3' })
    await before.stop()
    const rig = await start({ clientId: 'gateway-3', shared: false })
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    for (const number of [1, 2, 3])
      await hub.publishAsync(REPORT, `{"ThingName":"hub-1","number":${number}}`, { qos: 1 })
    const numbers = () =>
      rig.ears.received.map(
        ({ payload }) => (JSON.parse(Buffer.from(payload).toString()) as { number: number }).number,
      )
    await vi.waitFor(() => expect(numbers()).toContain(3), 10_000)
    expect(numbers()).toEqual([1, 2, 3])
  })

  describe('keeps its accounts as the database says', () => {
    let database: Database
    beforeEach(() => {
      database = { hubs: new Map(), enrolments: new Map(), people: {} }
    })
    const lets = async (thingName: string, password: string) => {
      const hub = await connectHub(mosquitto.hubUrl, thingName, { password }).catch(() => undefined)
      await hub?.endAsync(true)
      return hub !== undefined
    }
    const PATIENT = { timeout: 15_000, interval: 100 }

    it('also what was changed while the broker was away', async () => {
      const rig = await start({ database })
      for (const name of ['stays', 'rotated', 'removed', 'hung-up']) {
        database.hubs.set(name, hubOf(name))
        database.enrolments.set(name, 'first')
        await rig.broker.enrol(hubOf(name), 'first')
      }
      const person = screen(ALL)
      const disabled = screen(ALL, '44444444-4444-4444-8444-444444444444')
      const fewer = screen(ALL, '55555555-5555-4555-8555-555555555555')
      const left = screen(ALL, '66666666-6666-4666-8666-666666666666')
      const held = new Map<string, { clientId: string; username: string; password: string }>()
      for (const each of [person, disabled, fewer, left]) {
        database.people[each.cognitoId] = each
        const clientId = `${each.cognitoId}-0001`
        held.set(each.cognitoId, { clientId, ...(await rig.broker.credentials(each, clientId)) })
      }

      await mosquitto.goAway()
      database.enrolments.set('rotated', 'second')
      await rig.broker.disconnect({ thingName: 'rotated' })
      await rig.broker.enrol(hubOf('rotated'), 'second')
      database.hubs.set('added', hubOf('added'))
      database.enrolments.set('added', 'first')
      await rig.broker.enrol(hubOf('added'), 'first')
      database.hubs.delete('removed')
      await rig.broker.disconnect({ thingName: 'removed' })
      await rig.broker.disconnect({ thingName: 'hung-up' })
      delete database.people[disabled.cognitoId]
      database.people[fewer.cognitoId] = screen([], fewer.cognitoId)
      await rig.broker.disconnect({ cognitoId: left.cognitoId })
      await mosquitto.comeBack()

      await vi.waitFor(() => expect(database.enrolments.size).toBe(0), PATIENT)
      await vi.waitFor(async () => expect(await lets('removed', 'first')).toBe(false), PATIENT)
      expect(await lets('rotated', 'second')).toBe(true)
      expect(await lets('rotated', 'first')).toBe(false)
      expect(await lets('added', 'first')).toBe(true)
      expect(await lets('stays', 'first')).toBe(true)
      expect(await lets('hung-up', 'first')).toBe(true)
      const comesIn = ({ cognitoId }: { cognitoId: string }) =>
        connect(mosquitto.screenUrl, held.get(cognitoId) ?? {}).then(
          () => true,
          () => false,
        )
      expect(await Promise.all([person, disabled, fewer, left].map(comesIn))).toEqual([
        true,
        false,
        false,
        false,
      ])
    })

    it('also of a sign-in that ended before a gateway that died could tell the broker', async () => {
      const person = screen(ALL)
      const { cognitoId } = person
      database.people[cognitoId] = person
      database.sessions = { [cognitoId]: ['stands', 'ends'] }
      const first = await start({ database })
      const held: { clientId: string; username: string; password: string }[] = []
      for (const sessionId of ['stands', 'ends']) {
        const clientId = `${cognitoId}-${sessionId}`
        held.push({ clientId, ...(await first.broker.credentials({ ...person, sessionId }, clientId)) })
      }
      await first.stop()
      database.sessions = { [cognitoId]: ['stands'] }
      await start({ database })
      const comesIn = (i: number) =>
        connect(mosquitto.screenUrl, held[i] ?? {}).then(
          () => true,
          () => false,
        )
      await vi.waitFor(async () => expect(await comesIn(1)).toBe(false), PATIENT)
      expect(await comesIn(0)).toBe(true)
    })

    it('and a gateway that died before it told the broker', async () => {
      const first = await start({ database })
      database.hubs.set('gone', hubOf('gone'))
      database.enrolments.set('gone', 'first')
      await first.broker.enrol(hubOf('gone'), 'first')
      await first.stop()
      database.hubs.delete('gone')
      database.hubs.set('new', hubOf('new'))
      database.enrolments.set('new', 'first')
      await start({ database })
      await vi.waitFor(() => expect(database.enrolments.size).toBe(0), PATIENT)
      expect(await lets('new', 'first')).toBe(true)
      expect(await lets('gone', 'first')).toBe(false)
    })
  })

  it('knows who sends a command by the proof in it, and takes none without', async () => {
    const person = screen(ALL)
    const database: Database = {
      hubs: new Map(),
      enrolments: new Map(),
      people: { [person.cognitoId]: person, [OTHER]: root(OTHER) },
    }
    const rig = await start({ database })
    const tab = await connectScreen(rig.screenUrl, rig.broker, person)
    const { proof } = await rig.broker.credentials(person, 'another')
    const foreign = await rig.broker.credentials(root(OTHER), 'foreign')
    const topic = channels.controlRequest.topic({ rootId: TENANT, homeId: 'home-1' })
    const [who = '', until = '', code = ''] = (proof ?? '').split('.')
    const wrong = [
      undefined,
      'x',
      foreign.proof,
      [TENANT, until, code].join('.'),
      [who, Number(until) + 1, code].join('.'),
      { $ne: '' },
    ]
    for (const Proof of wrong) await tab.publishAsync(topic, JSON.stringify({ Proof }), { qos: 1 })
    await rig.figures.until('person', wrong.length)
    await tab.publishAsync(topic, JSON.stringify({ Proof: proof }), { qos: 1 })
    await rig.ears.until(1)
    expect(rig.ears.received).toHaveLength(1)
    expect(rig.ears.received[0]?.client).toMatchObject({
      party: 'screen',
      tenant: TENANT,
      cognitoId: person.cognitoId,
      subject: { isRoot: false, permissions: ALL },
    })
    delete database.people[person.cognitoId]
    await tab.publishAsync(topic, JSON.stringify({ Proof: proof }), { qos: 1 })
    await rig.figures.until('person', wrong.length + 1)
  })

  it('tries a message again that could not be stored, and acknowledges it no earlier', async () => {
    const first = await start()
    first.ears.store = async () => {
      throw new Error('a fault of ours')
    }
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    await hub.publishAsync(REPORT, '{"ThingName":"hub-1","kept":true}', { qos: 1 })
    await first.ears.until(2)
    expect(first.figures.counts['failed']).toBeGreaterThan(0)
    await first.stop()
    const second = await start()
    await second.ears.until(1)
    expect(Buffer.from(second.ears.received[0]?.payload ?? []).toString()).toContain('"kept":true')
    await second.stop()
    const third = await start()
    const again = await connectHub(mosquitto.hubUrl, 'hub-1')
    await again.publishAsync(REPORT, '{"ThingName":"hub-1","later":true}', { qos: 1 })
    await third.ears.until(1)
    expect(Buffer.from(third.ears.received[0]?.payload ?? []).toString()).toContain('"later":true')
  })
})
