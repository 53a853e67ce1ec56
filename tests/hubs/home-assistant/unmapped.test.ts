import { describe, expect, it } from 'vitest'
import { MAX_UNMAPPED, unmappedReport } from '../../../contract/devices/channels/hub-setup.ts'
import { play } from './play.ts'

const reasons = (world: ReturnType<typeof play>) =>
  world.devices.unmapped().Entries.map(({ Topic, Reason }) => [Topic, Reason])

describe('what the bridge receives and does not show', () => {
  it('is listed with topic, name and reason, settings last', () => {
    const world = play()
    const dev = { ids: 'x', name: 'Pump' }
    world.announce('sensor', 'a', {
      dev,
      name: 'Setting',
      ent_cat: 'diagnostic',
      stat_t: 'x',
      unit_of_meas: 's',
    })
    world.announce('lock', 'b', { dev, name: 'Lock', stat_t: 'x' })
    world.announce('sensor', 'c', { dev, dev_cla: 'power', unit_of_meas: 'furlong', stat_t: 'x' })
    world.announce('sensor', 'd', { dev, dev_cla: 'power', unit_of_meas: 'W', stat_t: 'x' })
    world.announce('sensor', 'e', {
      dev,
      dev_cla: 'power',
      unit_of_meas: 'W',
      stat_t: 'x',
      val_tpl: '{% for %}',
    })
    world.announce('switch', 'f', { dev, stat_t: 'x' })
    world.say('homeassistant/switch/g/config', '{')
    expect(reasons(world)).toEqual([
      ['homeassistant/lock/b/config', 'noType'],
      ['homeassistant/sensor/c/config', 'unit'],
      ['homeassistant/sensor/d/config', 'noCounter'],
      ['homeassistant/sensor/e/config', 'template'],
      ['homeassistant/switch/f/config', 'incomplete'],
      ['homeassistant/switch/g/config', 'malformed'],
      ['homeassistant/sensor/a/config', 'setting'],
    ])
    expect(world.devices.unmapped().Entries[0]).toEqual({
      ...{ Topic: 'homeassistant/lock/b/config', Name: 'Lock', Reason: 'noType', Detail: 'no type for lock' },
    })
  })

  it('is no longer listed once it is shown or was removed', () => {
    const world = play()
    const dev = { ids: 'x', name: 'Pump' }
    const power = { dev, dev_cla: 'power', unit_of_meas: 'W', stat_t: 'x/p' }
    world.announce('sensor', 'p', power)
    world.announce('lock', 'b', { dev, stat_t: 'x' })
    world.say('homeassistant/sensor/e/config', '{')
    expect(reasons(world)).toHaveLength(3)
    world.announce('sensor', 'e', { dev, dev_cla: 'energy', unit_of_meas: 'kWh', stat_t: 'x/e' })
    world.say('homeassistant/lock/b/config', '')
    expect(reasons(world)).toEqual([])
    world.say('x/p', 'much')
    expect(reasons(world)).toEqual([['homeassistant/sensor/p/config', 'template']])
    world.say('x/p', '5')
    expect(reasons(world)).toEqual([])
  })

  it('does not contain a topic that another announcement shows', () => {
    const world = play()
    world.say('shellies/shelly1-A/relay/0', 'on')
    expect(reasons(world)).toEqual([['shellies/shelly1-A/relay/0', 'unannounced']])
    world.announce('switch', 's', {
      stat_t: 'shellies/shelly1-A/relay/0',
      cmd_t: 'c',
      pl_on: 'on',
      pl_off: 'off',
    })
    expect(reasons(world)).toEqual([])
  })

  it('contains values outside of their limits while they are', () => {
    const world = play()
    world.announce('sensor', 'h', { dev_cla: 'humidity', unit_of_meas: '%', stat_t: 'h' })
    world.say('h', '130')
    world.status()
    expect(reasons(world)).toEqual([['h-753-h Humidity', 'value']])
    world.say('h', '60')
    world.status()
    expect(reasons(world)).toEqual([])
  })

  it('is reported up to a limit and counted beyond it', () => {
    const world = play()
    for (let i = 0; i < MAX_UNMAPPED + 5; i++) world.announce('lock', `l${i}`, { stat_t: 'x' })
    const report = world.devices.unmapped()
    expect([report.Total, report.Entries.length]).toEqual([MAX_UNMAPPED + 5, MAX_UNMAPPED])
    expect(unmappedReport.payload.parse(report)).toEqual(report)
  })
})
