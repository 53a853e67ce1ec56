import { describe, expect, it } from 'vitest'
import { parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import { play } from './play.ts'

const dev = { ids: 'aa:bb:cc:00:11:22', name: '會議室', mf: 'Some maker' }
const LIST = 'zigbee2mqtt/bridge/devices'
const zigbee = (world: ReturnType<typeof play>, exposes: object[]) =>
  world.say(LIST, [
    {
      ieee_address: '0x00158d00000000aa',
      type: 'EndDevice',
      friendly_name: '會議室',
      power_source: 'Battery',
      definition: { vendor: 'Maker', model: 'M-1', description: 'A device', exposes },
    },
  ])
const numeric = (name: string, unit: string | undefined, more: object = {}) => ({
  type: 'numeric',
  name,
  property: name,
  access: 1,
  ...(unit !== undefined && { unit }),
  ...more,
})

/** Status of the device of this type, validated like a report of a hub. */
const checked = (world: ReturnType<typeof play>, type: string) => {
  const status = world.status(type)
  expect(parseStatusFields(type, status)?.success).toBe(true)
  return status
}

describe('a cover of discovery', () => {
  const blind = {
    dev,
    cmd_t: 'blind/set',
    stat_t: 'blind/state',
    pos_t: 'blind/position',
    set_pos_t: 'blind/position/set',
    pos_open: 0,
    pos_clsd: 200,
    pl_open: 'UP',
    pl_cls: 'DOWN',
    stat_clsd: 'shut',
  }

  it('tells where it stands in percent open, whichever way round its maker counts', () => {
    const world = play()
    world.announce('cover', 'blind', blind)
    expect(world.types()).toEqual(['901'])
    world.say('blind/state', 'opening')
    world.say('blind/position', '150')
    expect(checked(world, '901')).toEqual({ CoverState: 3, Position: 25 })
    world.say('blind/state', 'shut')
    world.say('blind/position', '200')
    expect(checked(world, '901')).toEqual({ CoverState: 1, Position: 0 })
    world.say('blind/position', '100')
    world.say('blind/state', 'stopped')
    expect(checked(world, '901')).toEqual({ CoverState: 2, Position: 50 })
  })

  it('is moved with its own words, and what was asked is known at once', () => {
    const world = play()
    world.announce('cover', 'blind', blind)
    const topics = (values: Record<string, unknown>) =>
      world.command('901', values).map(({ topic, payload }) => `${topic} ${payload}`)
    expect(topics({ Move: 1 })).toEqual(['blind/set UP'])
    expect(topics({ Move: 2 })).toEqual(['blind/set DOWN'])
    expect(topics({ Move: 0 })).toEqual(['blind/set STOP'])
    expect(topics({ TargetPosition: 25 })).toEqual(['blind/position/set 150'])
    expect(world.command('901', { Move: 1 })).toMatchObject([{ assumedValue: { aspect: 'move', value: 1 } }])
    expect(world.command('901', { TargetPosition: 25 })).toMatchObject([
      { assumedValue: { aspect: 'targetPosition', value: 25 } },
    ])
  })

  it('is a gate where it may hurt somebody, and refuses what it cannot do', () => {
    const world = play()
    world.announce('cover', 'gate', { dev, dev_cla: 'garage', cmd_t: 'gate/set', pl_stop: null })
    expect(world.types()).toEqual(['902'])
    expect(() => world.command('902', { Move: 0 })).toThrow('it cannot be stopped')
    expect(() => world.command('902', { TargetPosition: 50 })).toThrow('the device cannot do that')
    world.announce('cover', 'other', { dev: { ids: 'b' }, stat_t: 'x' })
    expect(world.told().join('\n')).toContain('nothing to move it by')
  })
})

describe('a siren of discovery', () => {
  it('is switched by JSON, and tells its state as JSON or as a word', () => {
    const world = play()
    world.announce('siren', 'siren', { dev, cmd_t: 'siren/set', stat_t: 'siren/state' })
    expect(world.command('904', { Switch: 1 })).toMatchObject([
      { topic: 'siren/set', payload: '{"state":"ON"}' },
    ])
    world.say('siren/state', { state: 'ON' })
    expect(checked(world, '904')).toEqual({ Switch: 1 })
    world.say('siren/state', 'OFF')
    expect(checked(world, '904')).toEqual({ Switch: 0 })
  })
})

describe('a button of discovery', () => {
  const event = {
    dev,
    dev_cla: 'button',
    stat_t: 'button/event',
    evt_typ: ['btn_down', 'single_push', 'double_push', 'long_push', 'triple_push'],
  }
  const trigger = (type: string, pl: string, stype = 'button_1') => ({
    dev,
    atype: 'trigger',
    type,
    stype,
    t: 'button/raw',
    pl,
  })

  it('counts its presses, equal ones too, and nothing that is none', () => {
    const world = play()
    world.announce('event', 'button', event)
    expect(world.status('903')).toBeUndefined()
    const press = (event_type: string) => world.say('button/event', { event_type })
    press('btn_down')
    expect(world.status('903')).toBeUndefined()
    press('single_push')
    press('single_push')
    expect(checked(world, '903')).toEqual({ Press: 1, Presses: 2 })
    press('double_push')
    press('triple_push')
    expect(checked(world, '903')).toEqual({ Press: 2, Presses: 3 })
    press('long_push')
    expect(checked(world, '903')).toEqual({ Press: 3, Presses: 4 })
    expect(world.changed).toHaveLength(4)
  })

  it('goes on counting when it is announced again', () => {
    const world = play()
    world.announce('event', 'button', event)
    world.say('button/event', { event_type: 'single_push' })
    world.announce('event', 'button', event)
    expect(world.status('903')).toEqual({ Press: 1, Presses: 1 })
  })

  it('is one for all the triggers that it has, and for each of several', () => {
    const world = play()
    world.announce('device_automation', 'short', trigger('button_short_press', 'short'))
    world.announce('device_automation', 'long', trigger('button_long_press', 'long'))
    expect(world.list()).toEqual([['aabbcc001122-903-button_1', '903', '會議室']])
    world.say('button/raw', 'short')
    world.clock.advance(1_000)
    world.say('button/raw', 'long')
    expect(checked(world, '903')).toEqual({ Press: 3, Presses: 2 })
    world.announce('device_automation', 'other', trigger('button_short_press', 'other', 'button_2'))
    expect(world.types()).toEqual(['903', '903'])
  })

  it('is not counted twice where it is announced as an event and by triggers', () => {
    const world = play()
    world.announce('event', 'button', event)
    world.announce('device_automation', 'short', trigger('button_short_press', 'short'))
    expect(world.types()).toEqual(['903'])
    expect(world.told().join('\n')).toContain('an event stands for this trigger')
  })

  it.each([
    ['an event that is no press', 'event', { ...event, evt_typ: ['motion'] }],
    ['a trigger that is no press', 'device_automation', trigger('button_release', 'x')],
  ])('is not %s', (_, component, config) => {
    const world = play()
    world.announce(component, 'one', config)
    expect(world.types()).toEqual([])
  })
})

describe('a sensor of any unit', () => {
  it.each([
    ['carbon_dioxide', 'ppm', '812', { Value: 812, Unit: 'ppm', Quantity: 'co2' }],
    ['atmospheric_pressure', 'hPa', '1013.2', { Value: 1013.2, Unit: 'hPa', Quantity: 'pressure' }],
    ['illuminance', 'lx', '5', { Value: 5, Unit: 'lx', Quantity: 'illuminance' }],
    ['irradiance', 'W/m²', '800', { Value: 800, Unit: 'W/m²', Quantity: 'irradiance' }],
  ])('of class %s is one', (dev_cla, unit_of_meas, said, status) => {
    const world = play()
    world.announce('sensor', 'one', { dev, dev_cla, unit_of_meas, stat_t: 'one' })
    world.say('one', said)
    expect(checked(world, '905')).toEqual(status)
    world.say('one', 'unknown')
    expect(world.status('905')).toBeUndefined()
  })

  it('without a class is called as its part', () => {
    const world = play()
    world.announce('sensor', 'queue', { dev, unit_of_meas: '人', stat_t: 'one', name: '等候人數' })
    world.say('one', '3')
    expect(world.status('905')).toEqual({ Value: 3, Unit: '人', Quantity: 'queue' })
  })

  it.each([
    ['a text', { stat_t: 'one' }],
    ['a moment', { dev_cla: 'timestamp', stat_t: 'one', stat_cla: 'measurement' }],
    ['a diagnosis', { dev_cla: 'temperature', unit_of_meas: '°C', ent_cat: 'diagnostic', stat_t: 'one' }],
    ['a unit longer than 16 characters', { unit_of_meas: 'x'.repeat(17), stat_t: 'one' }],
  ])('is not %s', (_, config) => {
    const world = play()
    world.announce('sensor', 'one', { dev, ...config })
    expect(world.types()).toEqual([])
  })
})

describe('battery and link quality', () => {
  it('of discovery are fields of what the device is, also where they are a diagnosis', () => {
    const world = play()
    world.announce('binary_sensor', 'door', { dev, dev_cla: 'door', stat_t: 'door' })
    const more = { dev, ent_cat: 'diagnostic' }
    world.announce('sensor', 'x_battery', {
      ...more,
      dev_cla: 'battery',
      unit_of_meas: '%',
      stat_t: 'battery',
    })
    world.announce('sensor', 'x_linkquality', { ...more, unit_of_meas: 'lqi', stat_t: 'lqi' })
    expect(world.types()).toEqual(['755'])
    world.say('door', 'ON')
    world.say('battery', '14')
    world.say('lqi', '90')
    expect(checked(world, '755')).toEqual({ DoorState: 2, Battery: 14, LinkQuality: 90 })
  })

  it('of a device that is nothing else are told of in the log', () => {
    const world = play()
    world.announce('sensor', 'x', { dev, dev_cla: 'battery', unit_of_meas: '%', stat_t: 'battery' })
    expect(world.types()).toEqual([])
    expect(world.told().join('\n')).toContain('of a device that is nothing')
  })
})

describe('Zigbee2MQTT', () => {
  it('tells of covers, their position, battery and link', () => {
    const world = play()
    zigbee(world, [
      {
        type: 'cover',
        features: [
          { type: 'enum', name: 'state', property: 'state', access: 7, values: ['OPEN', 'CLOSE', 'STOP'] },
          numeric('position', '%', { access: 7 }),
        ],
      },
      numeric('battery', '%', { category: 'diagnostic' }),
      numeric('linkquality', 'lqi', { category: 'diagnostic' }),
    ])
    world.say('zigbee2mqtt/會議室', { state: 'OPEN', position: 60, battery: 9, linkquality: 77 })
    expect(checked(world, '901')).toEqual({ CoverState: 2, Position: 60, Battery: 9, LinkQuality: 77 })
    expect(world.command('901', { Move: 0 })).toMatchObject([
      { topic: 'zigbee2mqtt/會議室/set', payload: '{"state":"STOP"}' },
    ])
    expect(world.command('901', { TargetPosition: 30 })).toMatchObject([{ payload: '{"position":30}' }])
  })

  it('tells of buttons by their actions', () => {
    const world = play()
    zigbee(world, [
      { type: 'enum', name: 'action', property: 'action', access: 1, values: ['single', 'double', 'hold'] },
    ])
    for (const action of ['single', '', 'hold', null]) world.say('zigbee2mqtt/會議室', { action })
    expect(checked(world, '903')).toEqual({ Press: 3, Presses: 2 })
  })

  it('tells of sirens and of sensors of any unit, but of no settings', () => {
    const world = play()
    zigbee(world, [
      { type: 'binary', name: 'alarm', property: 'alarm', access: 3, value_on: true, value_off: false },
      numeric('co2', 'ppm'),
      numeric('duration', 's', { access: 3 }),
      numeric('voltage', 'mV'),
      numeric('strength', undefined),
    ])
    expect(world.types().sort()).toEqual(['904', '905'])
    world.say('zigbee2mqtt/會議室', { alarm: true, co2: 640 })
    expect(checked(world, '904')).toEqual({ Switch: 1 })
    expect(checked(world, '905')).toEqual({ Value: 640, Unit: 'ppm', Quantity: 'co2' })
    expect(world.command('904', { Switch: 0 })).toMatchObject([{ payload: '{"alarm":false}' }])
  })
})
