import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const LIST = 'zigbee2mqtt/bridge/devices'
const state = (endpoint?: string) => ({
  type: 'switch',
  ...(endpoint && { endpoint }),
  features: [
    {
      type: 'binary',
      name: 'state',
      property: endpoint ? `state_${endpoint}` : 'state',
      access: 7,
      value_on: 'ON',
      value_off: 'OFF',
      ...(endpoint && { endpoint }),
    },
  ],
})
const numeric = (name: string, unit: string, more: object = {}) => ({
  type: 'numeric',
  name,
  property: name,
  access: 1,
  unit,
  ...more,
})
const binary = (name: string, value_on: unknown = true, value_off: unknown = false) => ({
  type: 'binary',
  name,
  property: name,
  access: 1,
  value_on,
  value_off,
})
const device = (ieee_address: string, friendly_name: string, exposes: object[], more: object = {}) => ({
  ieee_address,
  type: 'Router',
  friendly_name,
  power_source: 'Mains (single phase)',
  definition: { vendor: 'Maker', model: 'M-1', description: 'A device', exposes },
  ...more,
})
const COORDINATOR = {
  ieee_address: '0x00124b0000000001',
  type: 'Coordinator',
  friendly_name: 'Coordinator',
  definition: null,
}

describe('Zigbee2MQTT', () => {
  it('tells of every device at once; the coordinator and what it does not know are none', () => {
    const world = play()
    world.say(LIST, [
      COORDINATOR,
      device(
        '0x00158d0000000011',
        '大門',
        [binary('contact', false, true), binary('battery_low'), numeric('voltage', 'mV')],
        {
          power_source: 'Battery',
        },
      ),
      device('0x00158d0000000012', '走道', [binary('occupancy'), numeric('illuminance', 'lx')]),
      device('0x00158d0000000013', '機房', [binary('smoke'), binary('tamper')]),
      device('0x00158d0000000014', '窗台', [
        numeric('pm25', 'µg/m³'),
        numeric('temperature', '°C'),
        numeric('humidity', '%'),
      ]),
      device('0x00158d0000000015', 'radar', [binary('presence')]),
      { ...device('0x00158d0000000016', 'new', []), definition: null },
    ])
    expect(world.list()).toEqual([
      ['0x00158d0000000011-755-contact', '755', '大門'],
      ['0x00158d0000000012-754-occupancy', '754', '走道'],
      ['0x00158d0000000012-905-illuminance', '905', '走道 illuminance'],
      ['0x00158d0000000013-756-smoke', '756', '機房'],
      ['0x00158d0000000014-753-pm25', '753', '窗台'],
      ['0x00158d0000000015-529-presence', '529', 'radar'],
    ])
    world.say('zigbee2mqtt/大門', { contact: true, voltage: 2980 })
    expect(world.status('755')).toEqual({ DoorState: 1 })
    world.say('zigbee2mqtt/大門', { contact: false })
    expect(world.status('755')).toEqual({ DoorState: 2 })
    world.say('zigbee2mqtt/窗台', { pm25: 18, temperature: 26.4, humidity: null })
    expect(world.status('753')).toEqual({ PM25: 18, Temperature: 26.4 })
    expect(world.told().join('\n')).toContain('the voltage of a battery')
  })

  it('takes temperature and humidity for the air of a device that is nothing else', () => {
    const world = play()
    const air = [numeric('temperature', '°C'), numeric('humidity', '%'), numeric('battery', '%')]
    world.say(LIST, [
      device('0x00158d0000000051', '冷藏庫', air, { power_source: 'Battery' }),
      device('0x00158d0000000052', '插座', [state(), numeric('temperature', '°C')]),
    ])
    expect(world.list()).toEqual([
      ['0x00158d0000000051-753-temperature', '753', '冷藏庫'],
      ['0x00158d0000000052-533', '533', '插座'],
    ])
    world.say('zigbee2mqtt/冷藏庫', { temperature: 4.2, humidity: 71 })
    expect(world.status('753')).toEqual({ Temperature: 4.2, Humidity: 71 })
    expect(world.told().join('\n')).toContain('no field for the temperature of a device')
  })

  it('need not ask a device that has told its state meanwhile', () => {
    const world = play()
    const lamps = ['one', 'two'].map((name, i) => device(`0x00158d000000004${i}`, name, [state()]))
    world.say(LIST, lamps)
    expect(world.open()).toEqual(['zigbee2mqtt/one/get', 'zigbee2mqtt/two/get'])
    world.say('zigbee2mqtt/two/availability', { state: 'online' })
    world.say('zigbee2mqtt/one', { state: 'ON' })
    expect(world.open()).toEqual(['zigbee2mqtt/two/get'])
    // A removed device is not asked, either.
    world.say(LIST, lamps.slice(0, 1))
    expect(world.open()).toEqual([])
  })

  it('gives each gang of a switch its field, and sets it by its own property', () => {
    const world = play()
    world.say(LIST, [device('0x00158d0000000021', '會議室', [state('left'), state('right')])])
    expect(world.types()).toEqual(['534'])
    expect(world.asked.map(({ topic, payload }) => `${topic} ${payload}`)).toEqual([
      'zigbee2mqtt/會議室/get {"state_left":""}',
      'zigbee2mqtt/會議室/get {"state_right":""}',
    ])
    world.say('zigbee2mqtt/會議室', { state_left: 'ON', state_right: 'OFF' })
    expect(world.status()).toEqual({ Switch1: 1, Switch2: 0 })
    expect(world.command('534', { Switch2: 1 })).toEqual([
      { topic: 'zigbee2mqtt/會議室/set', payload: '{"state_right":"ON"}' },
    ])
  })

  it('switches a fan, whose speeds have no counterpart', () => {
    const world = play()
    const fan = {
      type: 'fan',
      features: [
        { type: 'binary', name: 'state', property: 'fan_state', access: 7, value_on: 'ON', value_off: 'OFF' },
        { type: 'enum', name: 'mode', property: 'fan_mode', access: 7, values: ['low', 'high'] },
      ],
    }
    world.say(LIST, [device('0x00158d0000000031', '排風扇', [fan])])
    world.say('zigbee2mqtt/排風扇', { fan_state: 'ON', fan_mode: 'low' })
    expect(world.status('533')).toEqual({ Switch: 1 })
    expect(world.command('533', { Switch: 0 })).toEqual([
      { topic: 'zigbee2mqtt/排風扇/set', payload: '{"fan_state":"OFF"}' },
    ])
  })

  it('dims, and reads thermostats and meters of three phases', () => {
    const world = play()
    const brightness = {
      type: 'numeric',
      name: 'brightness',
      property: 'brightness',
      access: 7,
      value_max: 254,
    }
    world.say(LIST, [
      device('0x00158d0000000031', 'lamp', [{ type: 'light', features: [state().features[0], brightness] }]),
      device('0x00158d0000000032', 'valve', [
        {
          type: 'climate',
          features: [
            { ...numeric('occupied_heating_setpoint', '°C'), access: 7 },
            numeric('local_temperature', '°C'),
            {
              type: 'enum',
              name: 'system_mode',
              property: 'system_mode',
              access: 7,
              values: ['off', 'heat'],
            },
          ],
        },
      ]),
      device('0x00158d0000000033', 'board', [
        numeric('energy', 'kWh'),
        numeric('power', 'W'),
        ...['voltage', 'current', 'power'].flatMap((name) => [
          ...(name === 'power' ? [] : [numeric(name, name === 'voltage' ? 'V' : 'A')]),
          numeric(`${name}_phase_b`, { voltage: 'V', current: 'A', power: 'W' }[name] as string),
          numeric(`${name}_phase_c`, { voltage: 'V', current: 'A', power: 'W' }[name] as string),
        ]),
      ]),
    ])
    world.say('zigbee2mqtt/lamp', { state: 'ON', brightness: 254 })
    expect(world.status('532')).toEqual({ Switch: 1, Brightness: 100 })
    expect(world.command('532', { Brightness: 50 })).toEqual([
      { topic: 'zigbee2mqtt/lamp/set', payload: '{"brightness":127}' },
    ])
    world.say('zigbee2mqtt/valve', {
      occupied_heating_setpoint: 21.5,
      local_temperature: 20.1,
      system_mode: 'heat',
    })
    expect(world.status('525')).toEqual({
      ThermostatTable: [{ NodeID: 1, Switch: 1, Temperature: 20.1, TargetTemperature: 21.5 }],
    })
    world.say('zigbee2mqtt/board', {
      energy: 100.5,
      power: 100,
      power_phase_b: 200,
      power_phase_c: 300,
      voltage: 220,
      voltage_phase_b: 221,
      voltage_phase_c: 222,
      current: 1,
      current_phase_b: -2,
      current_phase_c: 3,
    })
    expect(world.status('522')).toMatchObject({
      AccumulatePower: 100.5,
      Power: 600,
      Voltage: 221,
      AvgElectricCurrent: 2,
      Power1: 100,
      Power2: 200,
      Power3: 300,
    })
  })

  it('knows by the bridge and by the device, in JSON and in the bare word of old, whether a device is there', () => {
    const world = play()
    world.say(LIST, [device('0x00158d0000000041', 'door', [binary('contact', false, true)])])
    world.say('zigbee2mqtt/door', { contact: true })
    const there = () => world.status() !== undefined
    expect(there()).toBe(true)
    world.say('zigbee2mqtt/door/availability', { state: 'offline' })
    expect(there()).toBe(false)
    world.say('zigbee2mqtt/door/availability', 'online')
    expect(there()).toBe(true)
    world.say('zigbee2mqtt/bridge/state', { state: 'offline' })
    expect(there()).toBe(false)
  })

  it('keeps states when the list comes again, follows a new name, and lets go of what has left', () => {
    const world = play()
    const one = device('0x00158d0000000051', 'one', [binary('contact', false, true)])
    const two = device('0x00158d0000000052', 'two', [binary('occupancy')])
    world.say(LIST, [one, two])
    world.say('zigbee2mqtt/one', { contact: true })
    world.say(LIST, [{ ...one, interviewing: false }, two])
    expect(world.status('755')).toEqual({ DoorState: 1 })
    world.say(LIST, [{ ...one, friendly_name: '後門' }])
    expect(world.list()).toEqual([['0x00158d0000000051-755-contact', '755', '後門']])
    expect(world.heard).not.toContain('zigbee2mqtt/two')
    world.say('zigbee2mqtt/後門', { contact: false })
    expect(world.status('755')).toEqual({ DoorState: 2 })
  })

  it('hides what Home Assistant discovery says of the same device', () => {
    const world = play()
    world.announce('switch', 'x', {
      dev: { ids: ['zigbee2mqtt_0x00158d0000000061'], name: 'socket' },
      stat_t: 'zigbee2mqtt/socket',
      cmd_t: 'zigbee2mqtt/socket/set',
      val_tpl: '{{ value_json.state }}',
    })
    expect(world.list()).toEqual([['0x00158d0000000061-533', '533', 'socket']])
    world.say(LIST, [device('0x00158d0000000061', 'socket', [state(), numeric('energy', 'kWh')])])
    expect(world.list()).toEqual([['0x00158d0000000061-518', '518', 'socket']])
  })

  it.each(['[', '{}', '"devices"', '[1, null, {}]'])('is not upset by %s', (payload) => {
    const world = play()
    world.say(LIST, payload)
    expect(world.types()).toEqual([])
  })
})
