import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect as openSocket, type AddressInfo } from 'node:net'
import { generate } from 'mqtt-packet'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { channels } from '../../../../contract/index.ts'
import {
  createEmbeddedBroker,
  type EmbeddedBrokerOptions,
} from '../../../../gateway/broker/embedded/embedded.ts'
import { CREDENTIALS_TTL_MS } from '../../../../gateway/broker/embedded/sign-in.ts'
import { GatewayError } from '../../../../gateway/kernel/errors.ts'
import {
  DISCONNECTED_AFTER,
  FORGIVE_INTERVAL_MS,
  SLOWED_AFTER,
  SLOWED_INTERVAL_MS,
} from '../../../../gateway/lib/payloads/malformed-senders.ts'
import { systemClock } from '../../../../gateway/kernel/ports.ts'
import { holdClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'
import {
  ALL,
  connect,
  connectHub,
  connectScreen,
  createEars,
  createFigures,
  type Ear,
  hangUp,
  next,
  root,
  screen,
  subscribes,
  TENANT,
  type Ears,
  type Figures,
} from '../rig.ts'
import { PATIENT } from '../../../support/patient.ts'

const REPORT = channels.meterReport.topic({ rootId: TENANT, homeId: 'home-1' })
const REPORT_2 = channels.meterReport.topic({ rootId: TENANT, homeId: 'home-2' })
const COMMAND = channels.controlCommand.topic({ rootId: TENANT, homeId: 'home-1', thingName: 'hub-1' })
const REQUEST = channels.statusRequest.topic({ rootId: TENANT, homeId: 'home-1' })
const INFO = channels.shadowUpdate.topic({ thingName: 'hub-1', shadowName: 'info' })

let broker: ReturnType<typeof createEmbeddedBroker>
let ears: Ears
let figures: Figures
let http: Server
let url: string
let screenUrl: string

async function start(options: Partial<EmbeddedBrokerOptions> = {}) {
  figures = createFigures()
  ears = createEars()
  broker = createEmbeddedBroker({
    screenKey: Buffer.alloc(32, 5),
    tcp: { port: 0, host: '127.0.0.1' },
    clock: systemClock,
    log: createLogBook(),
    metrics: figures,
    ...options,
  })
  await broker.start(ears)
  http = createServer()
  broker.attach?.(http)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `mqtt://127.0.0.1:${broker.ports().tcp}`
  screenUrl = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mqtt`
}

async function stop() {
  await hangUp()
  await broker.close()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
}

afterEach(stop)

it('disconnects hubs and closes their port, keeps screens, and accepts hubs again on the same port', async () => {
  await start()
  const hub = await connectHub(url, 'hub-1')
  const person = await connectScreen(screenUrl, broker, screen(ALL))
  const gone = next(hub, 'close')
  const drained = broker.drain?.()
  await gone
  await expect(raw()).rejects.toThrow('ECONNREFUSED')
  await broker.acceptHubs?.()
  await drained
  expect((await connectHub(url, 'hub-1')).connected).toBe(true)
  expect(person.connected).toBe(true)
  // A second call opens no second listener.
  await broker.acceptHubs?.()
})

/** Raw TCP connection without an MQTT client library. */
async function raw() {
  const socket = openSocket(broker.ports().tcp as number, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  return socket
}

const HELLO = {
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  clientId: 'raw',
  keepalive: 60,
  username: 'hub-1',
  password: Buffer.from('secret-of-hub-1'),
} as const

describe('a connection close', () => {
  const endingOf = async (end: (hub: Awaited<ReturnType<typeof connectHub>>) => unknown) => {
    await start()
    const hub = await connectHub(url, 'hub-1')
    void end(hub)
    await ears.until('-hub-1')
    return ears.endings
  }

  it.each([
    ['by a goodbye', true, (hub) => hub.endAsync()],
    ['because it may not come back', true, () => broker.disconnect({ thingName: 'hub-1' })],
    ['because it was cut off', false, (hub) => hub.stream.destroy()],
    ['because its gateway lets hubs go', false, () => broker.drain?.()],
  ] satisfies [string, boolean, Parameters<typeof endingOf>[0]][])(
    '%s is final: %s',
    async (_, final, end) => {
      expect(await endingOf(end)).toEqual([{ isFinal: final, silentMs: 0 }])
    },
  )

  it('after a keep-alive timeout logs its duration', async () => {
    await start()
    const socket = await raw()
    socket.write(generate({ ...HELLO, keepalive: 1 }))
    await ears.until('-hub-1')
    expect(ears.endings).toEqual([{ isFinal: false, silentMs: 1_501 }])
  })
})

/** A promise that the test resolves. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

describe('signing in', () => {
  it('accepts a hub by name and secret and rejects everyone else', async () => {
    await start()
    await connectHub(url, 'hub-1')
    await ears.until('+hub-1')
    await expect(connectHub(url, 'hub-2', { password: 'wrong' })).rejects.toThrow(/username/i)
    await expect(connect(url, { clientId: 'x' })).rejects.toThrow(/username/i)
    expect(figures.counts.credentials).toBe(2)
  })

  it('answers "unavailable" while the store cannot identify the client', async () => {
    await start()
    ears.authenticate = async () => {
      throw new GatewayError('UNAVAILABLE', 'away')
    }
    await expect(connectHub(url, 'hub-1')).rejects.toThrow(/unavailable/i)
  })

  it('gives a screen credentials for one client id and one hour', async () => {
    const clock = holdClock()
    await start({ clock })
    const person = screen(ALL)
    const { username, password, expiresAt } = await broker.credentials(person, 'id-1')
    expect(expiresAt - clock.now()).toBe(CREDENTIALS_TTL_MS)
    await connect(screenUrl, { clientId: 'id-1', username, password })
    await expect(connect(screenUrl, { clientId: 'id-2', username, password })).rejects.toThrow(
      /refused|closed/i,
    )
    clock.advance(CREDENTIALS_TTL_MS)
    await expect(connect(screenUrl, { clientId: 'id-1', username, password })).rejects.toThrow(
      /refused|closed/i,
    )
  })

  it('closes a screen within a minute of its sign-out, and at the latest when credentials expire', async () => {
    const clock = holdClock()
    await start({ clock })
    const person = root()
    let standing = ['one', 'two']
    ears.findSessions = () => Promise.resolve(new Map([[person.cognitoId, standing]]))
    const signIn = (sessionId: string) =>
      connectScreen(screenUrl, broker, { ...person, sessionId }, { reconnectPeriod: 0 })
    const [signedOut, stays] = [await signIn('one'), await signIn('two')]
    standing = ['two']
    clock.advance(60_000)
    // During the last second clients receive the reason for the disconnect.
    const isGone = (client: typeof stays) =>
      vi.waitFor(() => {
        clock.advance(1_000)
        expect(client.connected).toBe(false)
      }, PATIENT)
    await isGone(signedOut)
    expect(stays.connected).toBe(true)
    clock.advance(CREDENTIALS_TTL_MS)
    await isGone(stays)
  })

  it('binds a client id to its owner: another hub that uses it takes over nothing', async () => {
    await start()
    const one = await connectHub(url, 'hub-1', { clientId: 'same' })
    await connectHub(url, 'hub-2', { clientId: 'same' })
    await one.publishAsync(REPORT, '{}', { qos: 1 })
    expect(ears.received).toHaveLength(1)
    expect(ears.log).toEqual(['+hub-1', '+hub-2'])
  })

  it('limits connections per address', async () => {
    await start({ limits: { connectionsPerAddress: 1 } })
    await connectHub(url, 'hub-1')
    await expect(connectHub(url, 'hub-2')).rejects.toThrow(/refused|closed/i)
    expect(figures.counts['address-limit']).toBe(1)
  })
})

describe('what clients send', () => {
  it('acknowledges a report only after it is stored', async () => {
    await start()
    const { open, opened } = gate()
    ears.store = () => opened
    const hub = await connectHub(url, 'hub-1')
    let acknowledged = false
    const sent = hub.publishAsync(REPORT, '{"a":1}', { qos: 1 }).then(() => (acknowledged = true))
    await ears.until(1)
    expect(acknowledged).toBe(false)
    expect(figures.held()).toBe(1)
    open()
    await sent
    expect(ears.received[0]).toMatchObject({
      match: { name: 'meterReport', values: { rootId: TENANT, homeId: 'home-1' } },
      client: { thingName: 'hub-1' },
    })
    expect(figures.held()).toBe(0)
  })

  it('queues messages in order while the database is unavailable, and acknowledges them afterwards', async () => {
    const clock = holdClock()
    await start({ clock })
    let away = true
    const stored: string[] = []
    ears.store = async ({ payload }) => {
      if (away) throw new GatewayError('UNAVAILABLE', 'away')
      stored.push(Buffer.from(payload).toString())
    }
    const hub = await connectHub(url, 'hub-1')
    const sent = ['1', '2', '3'].map((text) => hub.publishAsync(REPORT, text, { qos: 1 }))
    await ears.until(1)
    const tried = ears.received.length
    clock.advance(250)
    await ears.until(tried + 1)
    away = false
    // The failed attempt settles in a few microtasks and sets the next timer.
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(60_000)
    await Promise.all(sent)
    expect(stored).toEqual(['1', '2', '3'])
    expect(ears.log).toEqual(['+hub-1'])
  })

  it('drops, counts and acknowledges what the ACL rejects, and keeps the connection', async () => {
    await start()
    const hub = await connectHub(url, 'hub-1')
    await hub.publishAsync(REPORT_2, '{}', { qos: 1 })
    await hub.publishAsync(REPORT, '{}', { qos: 1, retain: true })
    await hub.publishAsync(REPORT, 'last', { qos: 1 })
    expect(ears.received.map(({ topic }) => topic)).toEqual([REPORT])
    expect(figures.counts).toMatchObject({ home: 1, retain: 1 })
  })

  it('routes what a screen publishes to the gateway only, and hubs receive only from the gateway', async () => {
    await start()
    const hub = await connectHub(url, 'hub-1')
    const foreign = await connectHub(url, 'hub-2')
    await hub.subscribeAsync([REQUEST, COMMAND], { qos: 1 })
    await foreign.subscribeAsync(REQUEST.replace('home-1', 'home-2'), { qos: 1 })
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    await person.publishAsync(REQUEST, '{"Timestamp":1,"more":"x"}', { qos: 1 })
    expect(ears.received).toHaveLength(1)
    await broker.publish(REQUEST, { Timestamp: 2 }, { qos: 0 })
    await hub.hear(REQUEST)
    expect(hub.heard).toEqual([{ topic: REQUEST, text: '{"Timestamp":2}' }])
    expect(foreign.heard).toEqual([])
  })

  it.each([
    ['a NUL', Buffer.from(`${REPORT}\0`)],
    ['no UTF-8', Buffer.concat([Buffer.from(REPORT), Buffer.from([0xff])])],
  ])('closes a connection whose topic has %s, and stores nothing', async (_, topic) => {
    await start()
    for (const cmd of ['publish', 'subscribe'] as const) {
      const socket = await raw()
      socket.write(generate(HELLO))
      await once(socket, 'data')
      // The packet library itself rejects such topics.
      const length = Buffer.from([0, topic.length])
      const rest =
        cmd === 'publish'
          ? Buffer.concat([length, topic, Buffer.from([0, 1]), Buffer.from('{}')])
          : Buffer.concat([Buffer.from([0, 1]), length, topic, Buffer.from([1])])
      socket.write(Buffer.concat([Buffer.from([cmd === 'publish' ? 0x32 : 0x82, rest.length]), rest]))
      await once(socket, 'close')
    }
    expect(figures.counts['protocol']).toBe(2)
    expect(ears.received).toEqual([])
  })

  it('survives any bytes on every topic', async () => {
    await start()
    ears.store = async ({ payload }) => void new TextDecoder().decode(payload)
    const hub = await connectHub(url, 'hub-1')
    const person = await connectScreen(screenUrl, broker, root())
    const values = {
      rootId: TENANT,
      homeId: 'home-1',
      thingName: 'hub-1',
      shadowName: 'info',
      entity: 'home',
      event: 'add',
      cognitoId: TENANT,
    }
    const bytes = [
      Buffer.alloc(0),
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('{"a":'),
      Buffer.from('null'),
      Buffer.alloc(9000, '['),
    ]
    for (const channel of Object.values(channels)) {
      const topic = (channel.topic as (v: typeof values) => string)(values)
      for (const payload of bytes)
        for (const client of [hub, person]) await client.publishAsync(topic, payload, { qos: 1 })
    }
    expect(ears.log).toEqual(['+hub-1'])
    expect(broker.isRunning()).toBe(true)
  })
})

describe('invalid connections', () => {
  it('closes only the connection that sends invalid data', async () => {
    await start()
    const hub = await connectHub(url, 'hub-1')
    for (const bytes of [
      'GET / HTTP/1.1\r\n\r\n',
      '\x00\x00\x00\x00',
      '\xff\xff\xff\xff\xff\xff',
      '\x30\x05\x00\x03a/b',
    ]) {
      const socket = await raw()
      socket.write(bytes, 'latin1')
      await once(socket, 'close')
    }
    await hub.publishAsync(REPORT, '{}', { qos: 1 })
    expect(ears.received).toHaveLength(1)
  })

  it('closes a connection as soon as a packet header exceeds the maximum length', async () => {
    await start({ limits: { packetBytes: 1000 } })
    const socket = await raw()
    socket.write(generate(HELLO))
    await ears.until('+hub-1')
    // Header of a PUBLISH packet of 256 MB.
    socket.write(Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f]))
    await once(socket, 'close')
    expect(figures.counts['packet-size']).toBe(1)
  })

  it('accepts a long first packet, however soon after the CONNACK it comes', async () => {
    await start()
    const message = generate({
      cmd: 'publish',
      topic: REPORT,
      payload: Buffer.alloc(27_856, ' '),
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    })
    for (let i = 1; i <= 20; i += 1) {
      const socket = await raw()
      socket.write(generate(HELLO))
      await once(socket, 'data')
      socket.write(message)
      const cut = once(socket, 'close').then(() => 'cut off')
      expect(await Promise.race([once(socket, 'data').then(() => 'acknowledged'), cut])).toBe('acknowledged')
      socket.destroy()
      await cut
    }
    expect(ears.received).toHaveLength(20)
  })

  it('closes a connection without a CONNECT in time', async () => {
    await start({ limits: { connectTimeoutMs: 30 } })
    const socket = await raw()
    await once(socket, 'close')
    expect(ears.log).toEqual([])
  })
})

describe('fairness', () => {
  it('queues the single message of a hub behind one of a flood, not behind all', async () => {
    await start({ limits: { maxConcurrent: 1, maxConcurrentPerClient: 1 } })
    const order: string[] = []
    const waiting: (() => void)[] = []
    ears.store = (message) => {
      order.push((message.client as { thingName: string }).thingName)
      return new Promise((resolve) => waiting.push(resolve))
    }
    const flood = await connectHub(url, 'hub-1')
    const other = await connectHub(url, 'hub-2')
    const flooded = Array.from({ length: 200 }, () => flood.publishAsync(REPORT, '{}', { qos: 1 }))
    await ears.until(1)
    const sent = other.publishAsync(REPORT_2, '{}', { qos: 1 })
    while (figures.held() < 2 || !order.includes('hub-2')) {
      waiting.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const release = setInterval(() => waiting.splice(0).forEach((go) => go()), 0)
    await Promise.all([sent, ...flooded])
    clearInterval(release)
    expect(order.indexOf('hub-2')).toBeLessThan(150)
    expect(order).toHaveLength(201)
  })

  it('throttles a hub above its rate, counts it, loses nothing and does not affect others', async () => {
    const clock = holdClock()
    await start({ clock, limits: { rate: { hub: 10, screen: 10, burstSeconds: 1 } } })
    const flood = await connectHub(url, 'hub-1')
    const other = await connectHub(url, 'hub-2')
    const flooded = Array.from({ length: 25 }, () => flood.publishAsync(REPORT, '{}', { qos: 1 }))
    await figures.until('rate')
    expect(ears.received).toHaveLength(10)
    await other.publishAsync(REPORT_2, '{}', { qos: 1 })
    expect(ears.received).toHaveLength(11)
    const tick = setInterval(() => clock.advance(100), 1)
    await Promise.all(flooded)
    clearInterval(tick)
    expect(ears.received).toHaveLength(26)
  })

  it('is not blocked by a client that does not read, and disconnects it', async () => {
    await start()
    const socket = await raw()
    socket.write(generate(HELLO))
    await ears.until('+hub-1')
    const subscriptions = [{ topic: REQUEST, qos: 0 as const }]
    socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }))
    await ears.until('subscribed')
    socket.pause()
    const awake = await connectHub(url, 'hub-1', { clientId: 'awake' })
    await awake.subscribeAsync(REQUEST, { qos: 1 })
    const payload = 'x'.repeat(20_000)
    for (let i = 0; !figures.counts['slow-reader']; i++) {
      await broker.publish(REQUEST, { i, payload }, { qos: 1 })
      await new Promise((resolve) => setImmediate(resolve))
    }
    await broker.publish(REQUEST, 'end', { qos: 1 })
    while (awake.heard.at(-1)?.text !== '"end"') await next(awake, 'message')
    while (figures.connections() > 1) await new Promise((resolve) => setImmediate(resolve))
    expect(awake.connected).toBe(true)
  })
})

describe('messages of the gateway', () => {
  it('have listeners while a client is subscribed', async () => {
    await start()
    const change = channels.statusChange.topic({ rootId: TENANT, homeId: 'home-1' })
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    const heard = () => broker.hasSubscribers?.(change)
    expect(heard()).toBe(false)
    await person.subscribeAsync(change, { qos: 0 })
    expect(heard()).toBe(true)
    expect(broker.hasSubscribers?.(change.replace('home-1', 'home-2'))).toBe(false)
    await person.endAsync()
    while (heard()) await new Promise((resolve) => setImmediate(resolve))
  })

  it('reach a screen once with overlapping filters, and each packet in one piece', async () => {
    await start()
    const change = channels.statusChange.topic({ rootId: TENANT, homeId: 'home-1' })
    const response = channels.controlResponse.topic({ rootId: TENANT, homeId: 'home-1' })
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    await person.subscribeAsync([change, change.replace('home-1', '+')], { qos: 0 })
    await person.subscribeAsync(response, { qos: 1 })
    let pieces = 0
    person.stream.on('data', () => pieces++)
    await broker.publish(change, 1, { qos: 0 })
    await broker.publish(response, 2, { qos: 1 })
    expect(await person.hear(response)).toBe('2')
    expect(person.heard.map(({ text }) => text)).toEqual(['1', '2'])
    expect(pieces).toBe(2)
  })

  it('reach subscribers in order at any quality of service', async () => {
    await start()
    const change = channels.statusChange.topic({ rootId: TENANT, homeId: 'home-1' })
    const response = channels.controlResponse.topic({ rootId: TENANT, homeId: 'home-1' })
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    expect(await subscribes(person, change)).toBe(true)
    expect(await subscribes(person, response)).toBe(true)
    const all = Array.from({ length: 200 }, (_, i) =>
      broker.publish(i % 2 ? change : response, i, { qos: i % 2 ? 0 : 1 }),
    )
    await Promise.all(all)
    while (person.heard.length < 200) await next(person, 'message')
    expect(person.heard.map(({ text }) => Number(text))).toEqual(all.map((_, i) => i))
  })

  it('reach a screen that unsubscribes and resubscribes at once, as on page changes', async () => {
    await start()
    const change = channels.statusChange.topic({ rootId: TENANT, homeId: 'home-1' })
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    await person.subscribeAsync(change, { qos: 1 })
    person.unsubscribe(change)
    expect(await subscribes(person, change)).toBe(true)
    await broker.publish(change, 1, { qos: 0 })
    expect(await person.hear(change)).toBe('1')
  })

  it('are not available to a filter of another company, another hub or a group', async () => {
    await start()
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    const hub = await connectHub(url, 'hub-1')
    expect(await subscribes(person, `$share/g/${TENANT}/+/status`)).toBe(false)
    expect(await subscribes(person, '$aws/things/hub-9/shadow/name/info/get/accepted')).toBe(false)
    expect(await subscribes(person, '$aws/things/hub-2/shadow/name/info/get/accepted')).toBe(true)
    expect(await subscribes(hub, '$aws/things/hub-2/shadow/name/info/get/accepted')).toBe(false)
    expect(figures.counts).toMatchObject({ share: 1, thing: 2 })
  })

  it('are limited in topics per connection, whatever their names', async () => {
    await start({ limits: { subscriptions: 3 } })
    const person = await connectScreen(screenUrl, broker, screen(ALL))
    const of = (homeId: string) => channels.statusChange.topic({ rootId: TENANT, homeId })
    for (const homeId of ['a', 'b', 'c']) expect(await subscribes(person, of(homeId))).toBe(true)
    // A repeated subscription does not count against the limit.
    expect(await subscribes(person, of('a'))).toBe(true)
    expect(await subscribes(person, of('d'))).toBe(false)
    await person.unsubscribeAsync(of('b'))
    expect(await subscribes(person, of('d'))).toBe(true)
    expect(await subscribes(person, of('b'))).toBe(false)
    expect(figures.counts).toMatchObject({ subscriptions: 2 })
    const other = await connectScreen(screenUrl, broker, screen(ALL))
    expect(await subscribes(other, of('e'))).toBe(true)
  })
})

describe('disconnects', () => {
  const will = {
    topic: INFO,
    payload: Buffer.from('{"state":{"reported":{"online":false}}}'),
    qos: 1 as const,
    retain: false,
  }

  it('publish the last will of a hub that vanished', async () => {
    await start()
    const hub = await connectHub(url, 'hub-1', { will })
    hub.stream.destroy()
    await ears.until(1)
    await ears.until('-hub-1')
    expect(ears.received[0]?.match).toEqual({
      name: 'shadowUpdate',
      values: { thingName: 'hub-1', shadowName: 'info' },
    })
  })

  it('publish no will after a DISCONNECT of the hub', async () => {
    await start()
    const hub = await connectHub(url, 'hub-1', { will })
    await hub.endAsync()
    await ears.until('-hub-1')
    expect(ears.received).toEqual([])
  })

  it('ignore the will of a connection whose hub has already reconnected', async () => {
    await start()
    await connectHub(url, 'hub-1', { will })
    const again = await connectHub(url, 'hub-1', { will })
    await again.publishAsync(REPORT, '{}', { qos: 1 })
    expect(ears.received.map(({ topic }) => topic)).toEqual([REPORT])
  })

  it('close every connection of a person at once and revoke their credentials', async () => {
    await start()
    const person = screen(ALL)
    const { username, password } = await broker.credentials(person, 'tab-1')
    const tab = await connect(screenUrl, { clientId: 'tab-1', username, password })
    const other = await connectScreen(screenUrl, broker, root())
    const closed = next(tab, 'close')
    ears.signedOut.add(person.cognitoId)
    await broker.disconnect({ cognitoId: person.cognitoId })
    await closed
    await expect(connect(screenUrl, { clientId: 'tab-1', username, password })).rejects.toThrow(
      /refused|closed/i,
    )
    expect(other.connected).toBe(true)
  })

  it('close a hub at once without its will, even while its secret is being checked', async () => {
    await start()
    const hub = await connectHub(url, 'hub-1', { will })
    const closed = next(hub, 'close')
    await broker.disconnect({ thingName: 'hub-1' })
    await closed
    const { open, opened } = gate()
    const { authenticate } = ears
    const asked = gate()
    ears.authenticate = async (credentials) => {
      const client = await authenticate(credentials)
      asked.open()
      await opened
      return client
    }
    const late = connectHub(url, 'hub-1')
    await asked.opened
    await broker.disconnect({ thingName: 'hub-1' })
    open()
    await expect(late).rejects.toThrow(/refused|closed/i)
    expect(ears.received).toEqual([])
  })
})

it('disconnects a tenth of its hubs each half second at shutdown, accepts no more, and keeps screens', async () => {
  const clock = holdClock()
  await start({ clock })
  const hubs: Ear[] = []
  for (let i = 0; i < 20; i++) hubs.push(await connectHub(url, 'hub-1', { clientId: `hub-1-${i}` }))
  const here = await connectScreen(screenUrl, broker, root())
  const drained = broker.drain?.()
  await expect(connectHub(url, 'hub-2')).rejects.toThrow(/./)
  for (let left = 18; left >= 0; left -= 2) {
    await vi.waitFor(() => expect(hubs.filter(({ connected }) => connected)).toHaveLength(left), PATIENT)
    clock.advance(500)
  }
  await drained
  expect(here.connected).toBe(true)
})

it('acknowledges malformed messages, throttles their hub, disconnects it if it continues, and recovers', async () => {
  const clock = holdClock()
  await start({ clock })
  ears.store = async () => 'malformed'
  const hub = await connectHub(url, 'hub-1')
  for (let i = 0; i < SLOWED_AFTER; i++) await hub.publishAsync(REPORT, '[', { qos: 1 })

  let acknowledged = false
  const slowed = hub.publishAsync(REPORT, '[', { qos: 1 }).then(() => (acknowledged = true))
  await figures.until('rate')
  expect(acknowledged).toBe(false)
  clock.advance(SLOWED_INTERVAL_MS)
  await slowed

  const gone = next(hub, 'close')
  for (let sent = SLOWED_AFTER + 1; hub.connected && sent < 2 * DISCONNECTED_AFTER; sent++) {
    const rated = figures.counts.rate ?? 0
    const done = hub.publishAsync(REPORT, '[', { qos: 1 }).catch(() => undefined)
    await Promise.race([figures.until('rate', rated + 1), gone])
    clock.advance(SLOWED_INTERVAL_MS)
    await Promise.race([done, gone])
  }
  await gone
  expect(figures.counts.malformed).toBeGreaterThanOrEqual(DISCONNECTED_AFTER)
  await expect(connectHub(url, 'hub-1')).rejects.toThrow('Server unavailable')
  const other = await connectHub(url, 'hub-2')
  expect(other.connected).toBe(true)
  clock.advance(FORGIVE_INTERVAL_MS)
  expect((await connectHub(url, 'hub-1')).connected).toBe(true)
})
