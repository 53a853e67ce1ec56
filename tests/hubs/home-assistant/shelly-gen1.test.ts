import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

/** Announcements in the format of first-generation devices, with addresses of our own. */
const announce = (world: ReturnType<typeof play>, id: string, model: string, mac = '98F4ABAABBCC') =>
  world.say('shellies/announce', {
    ...{ id, model, mac, ip: '192.0.2.7', new_fw: false, fw_ver: '20210115-103659/v1.9.4@e2732e05' },
  })

describe('Shelly of the first generation', () => {
  it('is a metered switch by the topics that it publishes, and counts watt-minutes', () => {
    const world = play()
    const id = 'shelly1pm-AABBCC'
    announce(world, id, 'SHSW-PM')
    world.say(`shellies/${id}/online`, 'true')
    world.say(`shellies/${id}/relay/0`, 'on')
    world.say(`shellies/${id}/relay/0/power`, '41.50')
    world.say(`shellies/${id}/relay/0/energy`, '120000')
    expect(world.list()).toEqual([['98f4abaabbcc-518-0', '518', id]])
    expect(world.status()).toEqual({ Switch: 1, AccumulatePower: 2, Power: 41.5 })
    expect(world.command('518', { Switch: 0 })).toEqual([
      { topic: `shellies/${id}/relay/0/command`, payload: 'off' },
    ])
    world.say(`shellies/${id}/online`, 'false')
    expect(world.status()).toBeUndefined()
  })

  it('is three phases as a 3EM, and two clamps as an EM, beside a relay that they do not measure', () => {
    const world = play()
    announce(world, 'shellyem3-112233', 'SHEM-3', '98F4AB112233')
    announce(world, 'shellyem-112244', 'SHEM', '98F4AB112244')
    const fields = { power: '100.5', voltage: '230.1', total: '1000.5', total_returned: '10' }
    for (const [field, value] of Object.entries(fields)) {
      for (const i of [0, 1, 2]) world.say(`shellies/shellyem3-112233/emeter/${i}/${field}`, value)
      for (const i of [0, 1]) world.say(`shellies/shellyem-112244/emeter/${i}/${field}`, value)
    }
    world.say('shellies/shellyem3-112233/relay/0', 'off')
    expect(world.types().toSorted()).toEqual(['514', '514', '522', '533'])
    expect(world.status('522')).toMatchObject({
      AccumulatePower: 3.0015,
      AccumulateReturn: 0.03,
      Power: 301.5,
    })
    expect(world.status('514')).toMatchObject({ AccumulatePower: 1.0005, AccumulateReturn: 0.01 })
  })

  it('measures temperature, humidity and its battery', () => {
    const world = play()
    announce(world, 'shellyht-AABBCC', 'SHHT-1')
    world.say('shellies/shellyht-AABBCC/sensor/temperature', '21.5')
    world.say('shellies/shellyht-AABBCC/sensor/humidity', '48.5')
    world.say('shellies/shellyht-AABBCC/sensor/battery', '80')
    expect(world.status('753')).toEqual({ Temperature: 21.5, Humidity: 48.5, Battery: 80 })
  })

  it('lists what has no counterpart with its topic and the reason', () => {
    const world = play()
    world.say('shellies/shellyswitch25-1/roller/0', 'open')
    expect(world.told()).toEqual([
      'shellies/shellyswitch25-1/roller/0: of a device that has not announced itself',
    ])
    announce(world, 'shellyswitch25-1', 'SHSW-25')
    world.say('shellies/shellyplus1-1/status/switch:0', { output: true })
    announce(world, 'shellyplus1-1', '')
    expect(world.told().slice(1)).toEqual([
      'shellies/shellyswitch25-1/roller/0: no type for roller/n',
      'shellies/shellyplus1-1/status/switch:0: of a device that has not announced itself',
      'shellies/shellyplus1-1/status/switch:0: a Shelly of the second generation needs a prefix without "/"',
    ])
    expect(world.types()).toEqual([])
  })

  it('is hidden by an announcement for Home Assistant, which tells more of it', () => {
    const world = play()
    announce(world, 'shelly1-AABBCC', 'SHSW-1')
    world.say('shellies/shelly1-AABBCC/relay/0', 'on')
    world.announce('light', 'shelly1-AABBCC-relay-0', {
      ...{ name: 'Hall', dev: { ids: '98f4abaabbcc', name: 'Hall' }, pl_on: 'on', pl_off: 'off' },
      ...{ stat_t: 'shellies/shelly1-AABBCC/relay/0', cmd_t: 'shellies/shelly1-AABBCC/relay/0/command' },
    })
    expect(world.list()).toEqual([['98f4abaabbcc-533', '533', 'Hall']])
  })

  it('is not upset by an announcement that is none', () => {
    const world = play()
    world.say('shellies/announce', 'hello')
    world.say('shellies/announce', { id: 7 })
    expect(world.counts()).toEqual({ announcement: 2 })
  })
})
