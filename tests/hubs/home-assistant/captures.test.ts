import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

/**
 * Messages of real devices, if the captures exist next to the project; they are not part of it. Discovery of six devices:
 * bieniu/ha-shellies-discovery-gen2 @9a1660b9; dumps of four: home-assistant-libs/aioshelly @ea7a88f4. Both Apache-2.0.
 */
const DATA = join(import.meta.dirname, '../../../../shared/data')
const DISCOVERY = join(DATA, 'ha_discovery_shelly_gen2plus.jsonl')
const DUMPS = join(DATA, 'shelly_gen2_device_dumps.jsonl')
// oxlint-disable-next-line typescript/no-explicit-any -- third-party data
const lines = (file: string): any[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe.skipIf(!existsSync(DISCOVERY))('discovery as real devices had it', () => {
  it.each([
    ['shelly_plus_1pm', ['518', '903']],
    ['shelly_plug_pm_gen3', ['520']],
    ['shelly_pro_3em', ['522']],
    ['shelly_plus_rgbw_pm', ['520', '532']],
    ['linkedgo_st1820', ['525']],
    ['shelly_flood_s_gen4', []],
  ])('%s becomes %s', (fixture, types) => {
    const world = play()
    const own = lines(DISCOVERY).filter(({ device_fixture }) => device_fixture === fixture)
    for (const { topic, payload } of own) world.say(topic, payload)
    expect(world.types().sort()).toEqual(types)
    expect(Object.keys(world.counts())).toEqual(['unmapped'])
    for (const { topic } of own) world.say(topic, '')
    expect(world.types()).toEqual([])
  })

  it('switches the real plug with its own words', () => {
    const world = play()
    for (const { topic, payload } of lines(DISCOVERY))
      if (topic.includes('shellyplus1pm-')) world.say(topic, payload)
    world.say('shellyplus1pm-aabbccddeeff/online', 'true')
    world.say('shellyplus1pm-aabbccddeeff/status/switch:0', { output: true, aenergy: { total: 110.046 } })
    expect(world.status('518')).toEqual({ Switch: 1, AccumulatePower: 0.110046 })
    const [told] = world.command('518', { Switch: 0 })
    expect(JSON.parse(told?.payload ?? '')).toMatchObject({ method: 'Switch.Set', params: { on: false } })
  })
})

describe.skipIf(!existsSync(DUMPS))('what real devices answer', () => {
  it.each([
    ['Plus 1PM', ['518'], { Switch: 0, AccumulatePower: 0.110046, Voltage: 232.8 }],
    ['Plug S', ['518'], { Switch: 1, AccumulatePower: 7.258589, Power: 2.7 }],
    ['Pro 3EM', ['522'], { AccumulatePower: 2589.77339, Power: 558.965, Voltage2: 229 }],
    ['Pro 4PM', ['518', '518', '518', '518'], { Switch: 0, AccumulatePower: 0, PowerFactor: 0 }],
  ])('%s', (name, types, status) => {
    const { dump } = lines(DUMPS).find(({ fixture }) => fixture.includes(name))
    const world = play()
    const id = dump.shelly.id
    world.say(`building-hub/${id}/rpc`, { id: 1, src: id, result: dump.config })
    world.say(`building-hub/${id}/rpc`, { id: 2, src: id, result: dump.status })
    world.say(`${id}/online`, 'true')
    expect(world.types()).toEqual(types)
    expect(world.status()).toMatchObject(status)
  })
})
