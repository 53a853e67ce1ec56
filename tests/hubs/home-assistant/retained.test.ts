import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDeviceBroker } from '../../../hubs/home-assistant/device-broker.ts'
import { createLogBook } from '../../support/log-book.ts'
import { startDeviceBroker, type DeviceBroker } from './device-broker.ts'
import { play } from './play.ts'

const retained = { retained: true }
type World = ReturnType<typeof play>

/** Door sensor that publishes its state on a configurable topic. */
const door = (world: World, id: string, config: object = {}) =>
  world.announce('binary_sensor', id, { dev: { ids: id, name: id }, dev_cla: 'door', stat_t: id, ...config })
const stateOf = (world: World, id: string) => world.devices.status(`${id}-755-${id}`)

/** Device whose topics are already subscribed for another one. */
function afterAnother() {
  const world = play()
  door(world, 'first', { avty_t: 'gate/status', stat_t: 'gate/doors' })
  world.say('gate/status', 'online', retained)
  world.say('gate/doors', 'ON', retained)
  return world
}
const second = (world: World) => door(world, 'second', { avty_t: 'gate/status', stat_t: 'gate/doors' })

describe('what the broker retains on a topic that is heard already', () => {
  it('is heard by a device that is announced later', () => {
    const world = afterAnother()
    second(world)
    expect(stateOf(world, 'second')).toEqual({ DoorState: 2 })
  })

  it('is what was said last, also when that came while the topic was heard', () => {
    const world = afterAnother()
    world.say('gate/doors', 'OFF')
    second(world)
    expect(stateOf(world, 'second')).toEqual({ DoorState: 1 })
    world.say('gate/status', 'offline')
    door(world, 'third', { avty_t: 'gate/status', stat_t: 'gate/doors' })
    expect(stateOf(world, 'third')).toBeUndefined()
  })

  it('is an availability that was said once and is retained since', () => {
    const world = play()
    door(world, 'first', { avty_t: 'gate/status' })
    world.say('gate/status', 'online')
    door(world, 'second', { avty_t: 'gate/status' })
    world.say('second', 'ON')
    expect(stateOf(world, 'second')).toEqual({ DoorState: 2 })
  })

  it('is no message that is over when it was said', () => {
    const world = play()
    door(world, 'first', { stat_t: 'gate/doors' })
    world.say('gate/doors', 'ON')
    door(world, 'second', { stat_t: 'gate/doors' })
    expect(stateOf(world, 'second')).toBeUndefined()
  })

  it('is cleared by an empty message', () => {
    const world = afterAnother()
    world.say('gate/doors', '')
    second(world)
    expect(stateOf(world, 'second')).toBeUndefined()
  })

  it('is forgotten with the last device that hears the topic, and not before', () => {
    const world = afterAnother()
    // A changed announcement: it is removed and added immediately, and the broker repeats no retained message.
    door(world, 'first', { avty_t: 'gate/status', stat_t: 'gate/doors', name: 'Gate' })
    expect(stateOf(world, 'first')).toEqual({ DoorState: 2 })
    world.say('homeassistant/binary_sensor/first/config', '')
    expect([...world.heard]).toEqual([])
    second(world)
    expect(stateOf(world, 'second')).toBeUndefined()
    world.say('gate/status', 'online', retained)
    world.say('gate/doors', 'OFF', retained)
    expect(stateOf(world, 'second')).toEqual({ DoorState: 1 })
  })

  it('is forgotten when the connection begins again, for then the broker says it again', () => {
    const world = afterAnother()
    world.devices.begin()
    second(world)
    expect(stateOf(world, 'second')).toBeUndefined()
  })

  it('is as old as it is for a value that grows too old', () => {
    const world = play()
    door(world, 'first', { stat_t: 'gate/doors' })
    world.say('gate/doors', 'ON', retained)
    world.clock.advance(61_000)
    door(world, 'second', { stat_t: 'gate/doors', exp_aft: 60 })
    expect(stateOf(world, 'second')).toBeUndefined()
    door(world, 'third', { stat_t: 'gate/doors', exp_aft: 62 })
    expect(stateOf(world, 'third')).toEqual({ DoorState: 2 })
  })

  it('is not kept where it is too large', () => {
    const world = play()
    const val_tpl = '{{ value_json.door }}'
    door(world, 'first', { stat_t: 'gate/doors', val_tpl })
    world.say('gate/doors', { door: 'ON' }, retained)
    world.say('gate/doors', { door: 'OFF', more: 'x'.repeat(300_000) })
    expect(stateOf(world, 'first')).toEqual({ DoorState: 1 })
    door(world, 'second', { stat_t: 'gate/doors', val_tpl })
    expect(stateOf(world, 'second')).toBeUndefined()
  })
})

describe('a state topic with wildcards', () => {
  const BEACON = '+/+/BTtoMQTT/A4C138112233'
  const thermometer = (world: World, id: string, stat_t = BEACON) =>
    world.announce('sensor', id, {
      dev: { ids: id, name: id },
      dev_cla: 'temperature',
      unit_of_meas: '°C',
      stat_t,
      val_tpl: '{{ value_json.tempc | is_defined }}',
    })
  const temperatures = (world: World) =>
    world.devices
      .peripherals()
      .map(({ PeripheralUID }) => world.devices.status(PeripheralUID)?.['Temperature'])

  it('hears the device behind whichever gateway hears it', () => {
    const world = play()
    thermometer(world, 'beacon')
    expect([...world.heard]).toEqual([BEACON])
    world.say('home/OMG_hall/BTtoMQTT/A4C138112233', { tempc: 21.5 })
    expect(temperatures(world)).toEqual([21.5])
    world.say('home/OMG_attic/BTtoMQTT/A4C138112233', { tempc: 22 })
    expect(temperatures(world)).toEqual([22])
    for (const other of [
      'home/OMG_hall/BTtoMQTT/A4C138999999',
      'home/OMG_hall/more/BTtoMQTT/A4C138112233',
      'home/BTtoMQTT/A4C138112233',
      'home/OMG_hall/BTtoMQTT/A4C138112233/more',
      '$SYS/OMG_hall/BTtoMQTT/A4C138112233',
    ])
      world.say(other, { tempc: 5 })
    expect(temperatures(world)).toEqual([22])
    world.say('homeassistant/sensor/beacon/config', '')
    expect([...world.heard]).toEqual([])
  })

  it('hears all below a topic that is told far enough', () => {
    const world = play()
    thermometer(world, 'beacon', 'home/BTtoMQTT/#')
    world.say('home/BTtoMQTT/hall/A4C138112233', { tempc: 21.5 })
    expect(temperatures(world)).toEqual([21.5])
  })

  it('says what is retained to a device that is announced later, until the last one leaves', () => {
    const world = play()
    thermometer(world, 'beacon')
    world.say('home/OMG_hall/BTtoMQTT/A4C138112233', { tempc: 21.5 }, retained)
    thermometer(world, 'again')
    expect(temperatures(world)).toEqual([21.5, 21.5])
    thermometer(world, 'fixed', 'home/OMG_hall/BTtoMQTT/A4C138112233')
    for (const id of ['beacon', 'again', 'fixed']) world.say(`homeassistant/sensor/${id}/config`, '')
    thermometer(world, 'late')
    expect(temperatures(world)).toEqual([undefined])
  })
})

describe('the client of the device broker', () => {
  let broker: DeviceBroker
  beforeAll(async () => {
    broker = await startDeviceBroker()
  })
  afterAll(() => broker.close())

  it('tells what was retained from what is said now', async () => {
    await broker.say('gate/status', 'online', { retain: true })
    const heard: [string, boolean][] = []
    const client = connectDeviceBroker({
      url: broker.url,
      clientId: 'bridge',
      log: createLogBook(),
      onOnline: () => client.subscribe(['gate/status']),
      onMessage(_topic, payload, isRetained) {
        heard.push([payload.toString(), isRetained])
        if (heard.length < 2) void broker.say('gate/status', 'offline', { retain: true })
      },
    })
    await expect
      .poll(() => heard)
      .toEqual([
        ['online', true],
        ['offline', false],
      ])
    await client.stop()
  })
})
