import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { channels } from '../../contract/index.ts'
import { startFleet, type Fleet, type FleetMemory, type FleetOptions } from '../../simulator/fleet.ts'
import type { FleetHub, HubDevice } from '../../simulator/building/building.ts'
import { holdClock } from '../support/clock.ts'
import { startPeer, type Peer } from './peer.ts'

/** Tuesday, 10:00 in Taipei. */
const MORNING = Date.parse('2026-07-14T10:00:00+08:00')

const lamp: HubDevice = {
  PeripheralUID: 'lamp',
  PeripheralType: '534',
  PeripheralName: '燈',
  scenario: { profile: 'untouched', key: 'lamp' },
}
const meter: HubDevice = {
  PeripheralUID: 'meter',
  PeripheralType: '514',
  PeripheralName: '電表',
  PowerMeterUpdateFrequency: 5,
  scenario: { profile: 'servers', key: 'meter', watts: 3_600_000, wiring: { kwh: 100 } },
}
const contact: HubDevice = {
  PeripheralUID: 'contact',
  PeripheralType: '517',
  PeripheralName: '接點',
  PulseDuration: 60,
  scenario: { profile: 'untouched', key: 'contact', wiring: { contactMode: 0, pulseSeconds: 60 } },
}
const hub = (devices: readonly HubDevice[], ThingName = 'hub-1'): FleetHub => ({
  rootId: 'root-1',
  HomeID: 'home-1',
  ThingName,
  Secret: 'secret',
  devices,
})

let peer: Peer
let clock: ReturnType<typeof holdClock>
let fleet: Fleet | undefined

beforeEach(async () => {
  peer = await startPeer()
  clock = holdClock(MORNING)
})
afterEach(async () => {
  const stopped = fleet?.stop()
  clock.advance(2_000)
  await stopped
  await peer.close()
  fleet = undefined
})

/** Announced fleet whose devices execute commands immediately. */
async function start(hubs: FleetHub[], options: Partial<FleetOptions> = {}): Promise<Fleet> {
  fleet = startFleet({ url: peer.url, hubs, clock, latency: [0, 0], ...options })
  await fleet.announced()
  return fleet
}
const heardOf = (device: string) => peer.heard.filter(({ text }) => text.includes(`"${device}"`))
const command = (values: object, more: object = {}) =>
  peer.send(channels.controlCommand.topic({ rootId: 'root-1', homeId: 'home-1', thingName: 'hub-1' }), {
    RequestID: 'c1',
    PeripheralUID: 'lamp',
    Values: values,
    Timestamp: clock.now(),
    ExpiresIn: 5000,
    ...more,
  })
const executed = (of: Fleet) =>
  new Promise<{ result: string }>((resolve) => of.on('command', (what) => resolve(what)))

it('delivers readings of the past, and says when the gateway has them', async () => {
  const of = await start([hub([meter])])
  peer.hold('/meter/report')
  const reading = { PeripheralUID: 'meter', Timestamp: MORNING - 86_400_000, AccumulatePower: 90 }
  let has = false
  const delivered = of.deliverLate('hub-1', [reading]).then(() => (has = true))
  const message = await peer.message('/meter/report', ({ text }) => text.includes('"AccumulatePower":90'))
  expect(message.body).toEqual({ ThingName: 'hub-1', Readings: [reading] })
  expect(has).toBe(false)
  message.acknowledge()
  await delivered
  expect(has).toBe(true)
})

it('delivers statuses of the past as reports, each with its own moment', async () => {
  const of = await start([hub([lamp])])
  const statuses = [
    { PeripheralUID: 'lamp', Timestamp: MORNING - 7_200_000, Switch1: 1 },
    { PeripheralUID: 'lamp', Timestamp: MORNING - 3_600_000, Switch1: 0 },
  ]
  await of.deliverLateStatuses('hub-1', statuses)
  const { body } = await peer.message('/status/report', ({ text }) => text.includes(`${MORNING - 7_200_000}`))
  expect(body).toEqual({ ThingName: 'hub-1', Timestamp: MORNING - 3_600_000, Peripherals: statuses })
})

describe('a hub that connects', () => {
  it('says that it is online, then announces its devices, then reports them', async () => {
    await start([hub([lamp, contact])])
    const [info, registration] = peer.heard
    expect(info?.topic).toBe('$aws/things/hub-1/shadow/name/info/update')
    expect(info?.body.state.reported).toMatchObject({ online: true, Timestamp: MORNING })
    expect(registration?.body.state.reported.Peripherals).toMatchObject([
      { PeripheralUID: 'lamp', PeripheralType: '534', PeripheralName: '燈' },
      { PeripheralUID: 'contact', PeripheralType: '517', PeripheralName: '接點' },
    ])
    const { body } = await peer.message('status/report')
    expect(body).toMatchObject({ ThingName: 'hub-1', Timestamp: MORNING })
    expect(body.Peripherals).toEqual([
      { PeripheralUID: 'lamp', Switch1: 0, Switch2: 0 },
      { PeripheralUID: 'contact', Switch: 0, ContactMode: 0 },
    ])
  })

  it('announces more devices than a shadow can hold in several updates', async () => {
    const many = Array.from({ length: 300 }, (_, i): HubDevice => ({ ...lamp, PeripheralUID: `lamp-${i}` }))
    await start([hub(many)])
    const updates = peer.heard.filter(({ topic }) => topic.endsWith('registration/update'))
    expect(updates.length).toBeGreaterThan(1)
    for (const { text } of updates) expect(Buffer.byteLength(text)).toBeLessThan(8192)
    const uids = updates
      .flatMap(({ body }) => body.state.reported.Peripherals)
      .map((one) => one.PeripheralUID)
    expect(uids).toEqual(many.map(({ PeripheralUID }) => PeripheralUID))
  })

  it('tells why the gateway refused its shadow', async () => {
    peer.reject('The document is larger than 8 KB')
    fleet = startFleet({ url: peer.url, hubs: [hub([lamp])], clock })
    const refusal = await new Promise((resolve) => fleet?.on('rejected', (name, why) => resolve([name, why])))
    expect(refusal).toEqual(['hub-1', 'The document is larger than 8 KB'])
  })

  it('says that it goes offline when it is stopped', async () => {
    const running = await start([hub([lamp])])
    await running.stop()
    fleet = undefined
    const last = await peer.message('info/update', ({ body }) => body.state.reported.online === false)
    expect(last.body.state.reported.Timestamp).toBe(MORNING)
  })
})

describe('a command', () => {
  it('is acknowledged, and then the device reports what it does now', async () => {
    await start([hub([lamp])])
    await command({ Switch2: 1 })
    const ack = await peer.message('control/ack')
    expect(ack.body).toEqual({ ThingName: 'hub-1', RequestID: 'c1', PeripheralUID: 'lamp', Result: 'ok' })
    const report = await peer.message('status/report', ({ body }) => body.Peripherals[0].Switch2 === 1)
    expect(report.body.Peripherals).toEqual([{ PeripheralUID: 'lamp', Switch1: 0, Switch2: 1 }])
    expect(peer.heard.indexOf(report)).toBeGreaterThan(peer.heard.indexOf(ack))
  })

  it.each([
    ['what the device cannot do', { Switch3: 1 }, {}],
    ['a value that is none', { Switch1: 'on' }, {}],
    ['a device that is not here', { Switch1: 1 }, { PeripheralUID: 'other' }],
  ])('for %s is refused', async (_case, values, more) => {
    await start([hub([lamp])])
    await command(values, more)
    expect((await peer.message('control/ack')).body.Result).toBe('failed')
  })

  it('that has expired is dropped without an answer', async () => {
    const running = await start([hub([lamp])])
    const done = executed(running)
    await command({ Switch1: 1 }, { Timestamp: MORNING - 5001 })
    expect(await done).toMatchObject({ result: 'expired' })
    expect(peer.heard.some(({ topic }) => topic.endsWith('control/ack'))).toBe(false)
  })

  it('that comes twice is executed once and answered twice', async () => {
    const running = await start([hub([contact])])
    await command({ Switch: 1 }, { PeripheralUID: 'contact' })
    await peer.message('control/ack')
    clock.advance(61_000)
    await peer.message('status/report', ({ body }) => body.Timestamp > MORNING)
    const done = executed(running)
    await command({ Switch: 1 }, { PeripheralUID: 'contact', Timestamp: clock.now() })
    expect(await done).toMatchObject({ result: 'repeated' })
    running.refresh()
    const last = await peer.message(
      'status/report',
      ({ body }) => body.Timestamp === clock.now() && peer.heard.at(-1)?.body === body,
    )
    expect(last.body.Peripherals[0]).toMatchObject({ Switch: 0 })
  })

  it('closes a pulsed contact, which reports by itself that it has opened again', async () => {
    await start([hub([contact])])
    await command({ Switch: 1 }, { PeripheralUID: 'contact' })
    await peer.message('status/report', ({ body }) => body.Peripherals[0].Switch === 1)
    clock.advance(59_000)
    expect(heardOf('contact').at(-1)?.body.Peripherals[0].Switch).toBe(1)
    clock.advance(2_000)
    const opened = await peer.message(
      'status/report',
      ({ body }) => body.Timestamp > MORNING + 59_000 && body.Peripherals[0].Switch === 0,
    )
    expect(opened.body.Timestamp).toBeLessThanOrEqual(MORNING + 62_000)
  })
})

describe('a hub that is told what people set', () => {
  const tell = (settings: object) =>
    peer.send(channels.settingsOf.topic({ rootId: 'root-1', homeId: 'home-1', thingName: 'hub-1' }), {
      Settings: [
        {
          PeripheralUID: 'contact',
          PowerMeterUpdateFrequency: 900,
          ControlMode: 0,
          PulseDuration: null,
          LightHouseThreshold: null,
          ...settings,
        },
      ],
    })

  it('asks for it when it connects', async () => {
    await start([hub([contact])])
    const asked = await peer.message('settings/request/hub-1')
    expect(asked.topic).toBe('root-1/home-1/settings/request/hub-1')
  })

  it('closes a pulsed contact for as long as they want', async () => {
    await start([hub([contact])])
    await tell({ PulseDuration: 300 })
    await command({ Switch: 1 }, { PeripheralUID: 'contact' })
    await peer.message('status/report', ({ body }) => body.Peripherals[0].Switch === 1)
    clock.advance(299_000)
    expect(heardOf('contact').at(-1)?.body.Peripherals[0].Switch).toBe(1)
    clock.advance(2_000)
    await peer.message(
      'status/report',
      ({ body }) => body.Peripherals[0].Switch === 0 && body.Timestamp > MORNING,
    )
  })

  it('sends readings as often as they want, at once when that is more often', async () => {
    await start([hub([{ ...meter, PowerMeterUpdateFrequency: 900 }])])
    clock.advance(1_000)
    await peer.message('meter/report')
    await tell({ PeripheralUID: 'meter', PowerMeterUpdateFrequency: 10 })
    // The response to a later command shows that the settings have been received.
    await command({ Switch1: 1 })
    await peer.message('control/ack')
    clock.advance(12_000)
    const { body } = await peer.message(
      'meter/report',
      (message) => message.body.Readings[0].Timestamp > MORNING + 9_000,
    )
    expect(body.Readings[0].Timestamp).toBeLessThan(MORNING + 900_000)
  })
})

describe('reports', () => {
  it('come for all devices when status is requested, once for requests that come together', async () => {
    await start([hub([lamp, contact])])
    await peer.message('status/report')
    const before = peer.heard.filter(({ topic }) => topic.endsWith('status/report')).length
    const request = channels.statusRequest.topic({ rootId: 'root-1', homeId: 'home-1' })
    await peer.send(request, { Timestamp: MORNING })
    await peer.send(request, { Timestamp: MORNING })
    // The response to a later command shows that the requests have been received.
    await command({ Switch1: 1 })
    await peer.message('control/ack')
    clock.advance(200)
    await peer.message('status/report', ({ body }) => body.Timestamp === MORNING + 200)
    const after = peer.heard.filter(({ topic }) => topic.endsWith('status/report')).slice(before)
    expect(after.filter(({ body }) => body.Peripherals.length === 2)).toHaveLength(1)
  })

  it('of states that do not change come only with the heartbeat of a minute', async () => {
    await start([hub([lamp])])
    clock.advance(59_000)
    clock.advance(3_000)
    await peer.message('status/report', ({ body }) => body.Timestamp >= MORNING + 60_000)
    expect(peer.heard.filter(({ topic }) => topic.endsWith('status/report'))).toHaveLength(2)
  })

  it('of meters come before the last is out of date, and count what their power says', async () => {
    await start([hub([meter])])
    for (let second = 0; second < 30; second++) clock.advance(1000)
    await peer.message('meter/report', ({ body }) => body.Readings[0].Timestamp > MORNING + 24_000)
    const readings = peer.heard
      .filter(({ topic }) => topic.endsWith('meter/report'))
      .map(({ body }) => body.Readings[0])
    expect(readings.length).toBeGreaterThanOrEqual(5)
    for (const [i, reading] of readings.entries()) {
      const previous = readings[i - 1]
      if (!previous) continue
      const seconds = (reading.Timestamp - previous.Timestamp) / 1000
      expect(seconds).toBeGreaterThanOrEqual(4)
      expect(seconds).toBeLessThanOrEqual(5)
      const kwh = (reading.Power * seconds) / 3_600_000
      expect(reading.AccumulatePower - previous.AccumulatePower).toBeCloseTo(kwh, 0)
      expect(reading.AccumulatePower).toBeGreaterThan(previous.AccumulatePower)
    }
  })

  it('follow the people of the building, faster with speed', async () => {
    const desk: HubDevice = {
      ...lamp,
      PeripheralUID: 'desk',
      scenario: { profile: 'officeLight', key: 'desk' },
    }
    const night = Date.parse('2026-07-14T05:00:00+08:00')
    await start([hub([desk])], { worldStart: night, speed: 3600 })
    expect((await peer.message('status/report')).body.Peripherals[0]).toMatchObject({ Switch1: 0 })
    for (let second = 0; second < 6; second++) clock.advance(1000)
    const lit = await peer.message('status/report', ({ body }) => body.Peripherals[0].Switch1 === 1)
    expect(lit.body.Timestamp).toBeLessThanOrEqual(clock.now())
  })
})

describe('what goes wrong', () => {
  it('a reading that was not acknowledged is sent again after a break', async () => {
    const running = await start([hub([meter])])
    peer.hold('meter/report')
    clock.advance(1000)
    const first = await peer.message('meter/report')
    const offline = new Promise((resolve) => running.on('offline', resolve))
    peer.cut()
    await offline
    peer.release()
    const online = new Promise((resolve) => running.on('online', resolve))
    clock.advance(2000)
    await online
    const again = await peer.message(
      'meter/report',
      (message) => message !== first && message.text === first.text,
    )
    expect(again.body.Readings[0].PeripheralUID).toBe('meter')
  })

  it('a hub whose power fails leaves its last will, and comes back by itself', async () => {
    const running = await start([hub([lamp])], { faults: { die: 1 } })
    const offline = new Promise((resolve) => running.on('offline', resolve))
    clock.advance(2000)
    await offline
    const will = await peer.message('info/update', ({ body }) => body.state.reported.online === false)
    expect(will.topic).toBe('$aws/things/hub-1/shadow/name/info/update')
    const online = new Promise((resolve) => running.on('online', resolve))
    clock.advance(60_000)
    await online
    expect(running.stats().faults.die).toBeGreaterThan(0)
  })

  it('a hub that is lost stays away until it is found, and then tells of its devices', async () => {
    const running = await start([hub([lamp])])
    const offline = new Promise((resolve) => running.on('offline', resolve))
    running.powerOff('hub-1')
    await offline
    clock.advance(20 * 60_000)
    expect(running.stats().online).toBe(0)

    const before = heardOf('lamp').length
    const online = new Promise((resolve) => running.on('online', resolve))
    await running.powerOn('hub-1')
    await online
    await expect.poll(() => heardOf('lamp').length).toBeGreaterThan(before)
  })

  it('a device that says nothing is heard again when somebody has been there', async () => {
    const defects = [{ from: 0, silent: true as const }]
    const running = await start([hub([lamp, { ...meter, scenario: { ...meter.scenario, defects } }])])
    clock.advance(120_000)
    await expect.poll(() => heardOf('lamp').length).toBeGreaterThan(2)
    const reports = () => heardOf('meter').filter(({ topic }) => !topic.includes('shadow')).length
    expect(reports()).toBe(0)
    running.repair('meter')
    clock.advance(10_000)
    await expect.poll(reports).toBeGreaterThan(0)
  })

  it('a counter goes on from what was kept before a restart, and never falls', async () => {
    let kept: FleetMemory | undefined
    const first = await start([hub([meter])], { onMemory: (memory) => (kept = structuredClone(memory)) })
    for (let second = 0; second < 10; second++) clock.advance(1000)
    await peer.message('meter/report', ({ body }) => body.Readings[0].Timestamp > MORNING + 5_000)
    const memory = kept as unknown as FleetMemory
    await first.stop()
    const highest = Math.max(
      ...peer.heard.flatMap(({ body }) => body?.Readings ?? []).map((reading) => reading.AccumulatePower),
    )
    clock.advance(3_600_000)
    await start([hub([meter])], { memory })
    const report = await peer.message('status/report', ({ body }) => body.Timestamp >= MORNING + 3_600_000)
    // The meter counted on during the disconnect: most of 3.6 MW for an hour.
    expect(report.body.Peripherals[0].AccumulatePower).toBeGreaterThan(highest + 2_500)
  })

  it('waits longer after each failure to connect, never the same for two hubs', async () => {
    await peer.close()
    const delays: number[] = []
    const noted = {
      ...clock,
      after: (ms: number, task: () => void) => (delays.push(ms), clock.after(ms, task)),
    }
    const server = (await import('node:net')).createServer((socket) => socket.destroy())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    fleet = startFleet({ url: `mqtt://127.0.0.1:${port}`, hubs: [hub([])], clock: noted })
    delays.length = 0
    for (let attempt = 0; attempt < 4; attempt++) {
      await once(server, 'connection')
      while (delays.filter((ms) => ms !== 1000).length <= attempt) await new Promise(setImmediate)
      clock.advance(120_000)
    }
    await fleet.stop()
    fleet = undefined
    server.close()
    const pauses = delays.filter((ms) => ms !== 1000).slice(0, 4)
    for (const [i, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(500 * 2 ** i)
      expect(pause).toBeLessThan(1500 * 2 ** i)
    }
    peer = await startPeer()
  })
})
