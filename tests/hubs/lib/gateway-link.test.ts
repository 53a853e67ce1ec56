import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import type { AnnouncedDevice } from '../../../device-link/hub-messages.ts'
import { CommandRefused } from '../../../hubs/lib/commands.ts'
import { openGatewayLink, type GatewayLink, type GatewayLinkOptions } from '../../../hubs/lib/gateway-link.ts'
import { holdClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { startPeer, type Peer } from '../../simulator/peer.ts'

const MORNING = Date.UTC(2026, 0, 5, 1)
const place = { rootId: 'root-1', homeId: 'home-1' }
const lamp = { PeripheralUID: 'lamp', PeripheralType: '533', PeripheralName: '燈' }
const door = { PeripheralUID: 'door', PeripheralType: '755', PeripheralName: '門' }

let peer: Peer
let clock: ReturnType<typeof holdClock>
let link: GatewayLink
let log: ReturnType<typeof createLogBook>
let devices: AnnouncedDevice[]
let states: Map<string, Record<string, unknown>>
let obey: GatewayLinkOptions['command']
let obeyed: unknown[]

beforeEach(async () => {
  peer = await startPeer()
  clock = holdClock(MORNING)
  log = createLogBook()
  devices = [lamp, door]
  states = new Map<string, Record<string, unknown>>([
    ['lamp', { Switch: 0 }],
    ['door', { DoorState: 1 }],
  ])
  obeyed = []
  obey = (_, values) => void obeyed.push(values)
  link = openGatewayLink({
    url: peer.url,
    rootId: 'root-1',
    HomeID: 'home-1',
    ThingName: 'hub-1',
    Secret: 'secret',
    log,
    clock,
    random: () => 0.5,
    devices: () => devices,
    status: (uid) => states.get(uid),
    command: (device, values) => obey(device, values),
  })
  await peer.message('status/report')
})
afterEach(async () => {
  const stopped = link.stop()
  clock.advance(2_000)
  await stopped
  await peer.close()
})

const reports = () => peer.heard.filter(({ topic }) => topic.endsWith('status/report'))
/** Next report after those received so far. */
const nextReport = () => {
  const before = reports().length
  return peer.message(
    'status/report',
    (message) => reports().indexOf(message) >= before || !peer.heard.includes(message),
  )
}
const command = (values: object, more: object = {}) =>
  peer.send(channels.controlCommand.topic({ ...place, thingName: 'hub-1' }), {
    RequestID: 'c-1',
    PeripheralUID: 'lamp',
    Values: values,
    Timestamp: clock.now(),
    ExpiresIn: 5000,
    ...more,
  })
const acks = () => peer.heard.filter(({ topic }) => topic.endsWith('control/ack'))

describe('the line of a hub to the gateway', () => {
  it('begins with its presence, its devices and all states, in shapes of the contract', () => {
    const [info, registration, report] = peer.heard
    expect(info?.topic).toBe('$aws/things/hub-1/shadow/name/info/update')
    expect(info?.body.state.reported).toMatchObject({ online: true, Timestamp: MORNING })
    expect(registration?.body.state.reported.Peripherals).toEqual([lamp, door])
    expect(channels.statusReport.payload.parse(report?.body)).toEqual({
      ThingName: 'hub-1',
      Timestamp: MORNING,
      Peripherals: [
        { PeripheralUID: 'lamp', Switch: 0 },
        { PeripheralUID: 'door', DoorState: 1 },
      ],
    })
  })

  it('reports changes that come together in one message, as they are then', async () => {
    const report = nextReport()
    link.changed('lamp')
    states.set('lamp', { Switch: 1 })
    link.changed('door')
    link.changed('lamp')
    clock.advance(50)
    expect((await report).body.Peripherals).toEqual([
      { PeripheralUID: 'lamp', Switch: 1 },
      { PeripheralUID: 'door', DoorState: 1 },
    ])
    expect(reports()).toHaveLength(2)
  })

  it('leaves out a device of which nothing is known, in the heartbeat too', async () => {
    states.delete('door')
    const report = nextReport()
    clock.advance(60_000)
    expect((await report).body.Peripherals).toEqual([{ PeripheralUID: 'lamp', Switch: 0 }])
  })

  it('answers requests for status that come together once', async () => {
    const report = nextReport()
    for (let i = 0; i < 3; i++) await peer.send(channels.statusRequest.topic(place), { Timestamp: MORNING })
    await peer.send(channels.controlCommand.topic({ ...place, thingName: 'hub-1' }), 'not a command')
    await expect.poll(() => log.lines.some(({ text }) => text === 'invalid command')).toBe(true)
    clock.advance(200)
    await report
    expect(reports()).toHaveLength(2)
  })

  it('announces a new device soon', async () => {
    devices = [lamp, door, { PeripheralUID: 'new', PeripheralType: '754' }]
    link.announce()
    link.announce()
    clock.advance(300)
    const again = await peer.message('registration/update', ({ text }) => text.includes('"new"'))
    expect(again.body.state.reported.Peripherals).toHaveLength(3)
    expect(peer.heard.filter(({ topic }) => topic.endsWith('registration/update'))).toHaveLength(2)
  })

  it('keeps readings over a break, and starts with all states again after it', async () => {
    peer.hold('meter/report')
    link.readings([{ PeripheralUID: 'meter', Timestamp: MORNING, AccumulatePower: 7 }])
    await peer.message('meter/report')
    await expect.poll(() => link.stats()).toMatchObject({ inFlight: 1 })
    peer.cut()
    await expect.poll(() => link.online).toBe(false)
    states.set('lamp', { Switch: 1 })
    link.changed('lamp')
    peer.release()
    const again = peer.message(
      'meter/report',
      () => peer.heard.filter(({ topic }) => topic.endsWith('meter/report')).length > 1,
    )
    const report = nextReport()
    clock.advance(1_000)
    expect((await again).body.Readings).toEqual([
      { PeripheralUID: 'meter', Timestamp: MORNING, AccumulatePower: 7 },
    ])
    expect((await report).body.Peripherals).toContainEqual({ PeripheralUID: 'lamp', Switch: 1 })
    await expect.poll(() => link.stats()).toMatchObject({ waiting: 0, inFlight: 0 })
  })

  it('says that it goes before it goes', async () => {
    await link.stop()
    expect(peer.heard.at(-1)?.body.state.reported).toMatchObject({ online: false, Timestamp: MORNING })
  })
})

describe('a command over the line', () => {
  it('is passed on once, answered, and followed by the state', async () => {
    await command({ Switch: 1 })
    expect((await peer.message('control/ack')).body).toEqual({
      ThingName: 'hub-1',
      RequestID: 'c-1',
      PeripheralUID: 'lamp',
      Result: 'ok',
    })
    await command({ Switch: 1 })
    await expect.poll(() => acks().length).toBe(2)
    expect(obeyed).toEqual([{ Switch: 1 }])
    const report = nextReport()
    clock.advance(50)
    expect((await report).body.Peripherals).toEqual([{ PeripheralUID: 'lamp', Switch: 0 }])
  })

  it.each([
    ['values its type does not have', { Brightness: 5 }, {}, 'the device cannot do that'],
    ['a device that is not there', { Switch: 1 }, { PeripheralUID: 'nobody' }, 'no such device on this hub'],
  ])('fails for %s', async (_, values, more, Reason) => {
    await command(values, more)
    expect((await peer.message('control/ack')).body).toMatchObject({ Result: 'failed', Reason })
    expect(obeyed).toEqual([])
  })

  it('fails with the reason of the device, or without the words of a fault', async () => {
    obey = () => {
      throw new CommandRefused('the lamp is locked')
    }
    await command({ Switch: 1 })
    expect((await peer.message('control/ack')).body).toMatchObject({
      Result: 'failed',
      Reason: 'the lamp is locked',
    })
    obey = () => Promise.reject(new TypeError('x is not a function'))
    await command({ Switch: 1 }, { RequestID: 'c-2' })
    const second = await peer.message('control/ack', ({ text }) => text.includes('c-2'))
    expect(second.body).toMatchObject({ Result: 'failed', Reason: 'the hub could not pass it on' })
    expect(log.lines.at(-1)).toMatchObject({ level: 'error', text: 'command failed' })
  })

  it('is dropped when it comes too late', async () => {
    await command({ Switch: 1 }, { Timestamp: MORNING - 6_000 })
    await command({ Switch: 0 }, { RequestID: 'c-2' })
    await peer.message('control/ack')
    expect(acks().map(({ body }) => body.RequestID)).toEqual(['c-2'])
    expect(obeyed).toEqual([{ Switch: 0 }])
  })
})
