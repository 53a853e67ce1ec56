import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const ID = 'shellyplus2pm-a0b1c2d3e4f5'
const channel = (id: number, output: boolean, total: number) => ({
  id,
  source: 'init',
  output,
  apower: 12.5,
  voltage: 221.3,
  current: 0.06,
  aenergy: { total, by_minute: [0, 0, 0], minute_ts: 1 },
  temperature: { tC: 40, tF: 104 },
})
const config = (components: object) => ({
  sys: { device: { name: '走道', mac: 'A0B1C2D3E4F5' } },
  mqtt: { enable: true, topic_prefix: ID, rpc_ntf: true, status_ntf: false },
  ...components,
})

/** Answers the bridge's requests to the device: its configuration, then its state. */
function appear(components: object, status: object) {
  const world = play()
  world.say(`${ID}/online`, 'true')
  const [first, second] = world.asked.map(({ payload }) => JSON.parse(payload))
  expect(first).toMatchObject({ method: 'Shelly.GetConfig', src: `building-hub/${ID}` })
  expect(second).toMatchObject({ method: 'Shelly.GetStatus' })
  const answer = (id: number, result: object) =>
    world.say(`building-hub/${ID}/rpc`, { id, src: ID, dst: `building-hub/${ID}`, result })
  answer(first.id, config(components))
  answer(second.id, status)
  // The bridge receives the retained online state when it subscribes to it.
  world.say(`${ID}/online`, 'true')
  return { ...world, answer }
}

describe('Shelly of the second generation and later', () => {
  it('tells what it is when asked, and has its state at once', () => {
    const world = appear(
      { 'switch:0': { id: 0, name: '燈' }, 'switch:1': { id: 1, name: null } },
      { 'switch:0': channel(0, true, 1500), 'switch:1': channel(1, false, 0), sys: { uptime: 1 } },
    )
    expect(world.list()).toEqual([
      ['a0b1c2d3e4f5-518-0', '518', '走道 燈'],
      ['a0b1c2d3e4f5-518-1', '518', '走道'],
    ])
    expect(world.status()).toEqual({
      Switch: 1,
      AccumulatePower: 1.5,
      Power: 12.5,
      Voltage: 221.3,
      AvgElectricCurrent: 0.06,
    })
  })

  it('is followed by notifications of what changed and by status topics, and switched by call', () => {
    const world = appear({ 'switch:0': { id: 0 } }, { 'switch:0': channel(0, false, 0) })
    world.say(`${ID}/events/rpc`, {
      src: ID,
      dst: `${ID}/events`,
      method: 'NotifyStatus',
      params: { ts: 1, 'switch:0': { id: 0, output: true, source: 'switch' } },
    })
    expect(world.status()).toMatchObject({ Switch: 1, Power: 12.5 })
    world.say(`${ID}/status/switch:0`, channel(0, false, 2000))
    expect(world.status()).toMatchObject({ Switch: 0, AccumulatePower: 2 })
    const [told] = world.command('518', { Switch: 1 })
    expect(told?.topic).toBe(`${ID}/rpc`)
    expect(JSON.parse(told?.payload ?? '')).toMatchObject({
      method: 'Switch.Set',
      params: { id: 0, on: true },
    })
  })

  it.each([
    ['light', 'Light'],
    ['rgbcct', 'RGBCCT'],
  ])('dims a %s', (component, method) => {
    const world = appear({}, { [`${component}:0`]: { id: 0, output: true, brightness: 40 } })
    expect(world.status('532')).toEqual({ Switch: 1, Brightness: 40 })
    const [told] = world.command('532', { Brightness: 70 })
    expect(JSON.parse(told?.payload ?? '')).toMatchObject({
      method: `${method}.Set`,
      params: { id: 0, brightness: 70 },
    })
  })

  it('says once which parts have no counterpart, and nothing of its housekeeping', () => {
    const world = appear(
      { 'cover:0': { id: 0 }, 'input:0': { id: 0 } },
      { 'cover:0': { id: 0, state: 'open' }, 'input:0': { id: 0 }, 'script:1': { id: 1 }, wifi: {} },
    )
    expect(world.types()).toEqual([])
    expect(world.told()).toEqual([
      `shelly/${ID}#cover:0: no type for cover`,
      `shelly/${ID}#input:0: no type for input`,
    ])
  })

  it('measures three phases', () => {
    const phase = (name: string, power: number) => ({
      [`${name}_act_power`]: power,
      [`${name}_voltage`]: 220,
      [`${name}_current`]: power / 220,
    })
    const em = {
      id: 0,
      ...phase('a', 220),
      ...phase('b', 440),
      ...phase('c', 660),
      n_current: null,
      total_act_power: 1320,
    }
    const world = appear(
      { 'em:0': { id: 0 }, 'emdata:0': {} },
      { 'em:0': em, 'emdata:0': { id: 0, total_act: 2_500_000, total_act_ret: 10 } },
    )
    expect(world.status('522')).toMatchObject({
      AccumulatePower: 2500,
      Power: 1320,
      Power1: 220,
      Current3: 3,
      AvgElectricCurrent: 2,
    })
  })

  it('is away when it says so, and asked afresh when it returns', () => {
    const world = appear({ 'light:0': { id: 0 } }, { 'light:0': { id: 0, output: true, brightness: 70 } })
    expect(world.status('532')).toEqual({ Switch: 1, Brightness: 70 })
    world.say(`${ID}/online`, 'false')
    expect(world.status('532')).toBeUndefined()
    world.asked.length = 0
    world.say(`${ID}/online`, 'true')
    world.answer(2, { 'light:0': { id: 0, output: false, brightness: 70 } })
    expect(world.asked).toHaveLength(2)
    expect(world.status('532')).toEqual({ Switch: 0, Brightness: 70 })
  })

  it('is not upset by answers that are none', () => {
    const world = play()
    world.say(`building-hub/${ID}/rpc`, 'hello')
    world.say(`building-hub/${ID}/rpc`, { id: 1, error: { code: -114, message: 'no such method' } })
    world.say(`building-hub/${ID}/rpc`, { id: 2, result: { 'switch:0': null } })
    expect(world.types()).toEqual([])
    expect(world.counts()).toEqual({ announcement: 1 })
  })
})
