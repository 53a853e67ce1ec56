import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

/** Tasmota's discovery format, with names of our own. */
const config = (more: object = {}) => ({
  ip: '192.0.2.10',
  dn: '插座',
  fn: ['插座', null, null],
  hn: 'tasmota-2233',
  mac: 'A0B1C2112233',
  md: 'Plug',
  ofln: 'Offline',
  onln: 'Online',
  state: ['OFF', 'ON', 'TOGGLE', 'HOLD'],
  sw: '15.1.0',
  t: 'tasmota_112233',
  ft: '%prefix%/%topic%/',
  tp: ['cmnd', 'stat', 'tele'],
  rl: [1, 0, 0],
  lt_st: 0,
  ver: 1,
  ...more,
})
const ENERGY = {
  Total: 0,
  Yesterday: 0,
  Today: 0,
  Power: 0,
  ApparentPower: 0,
  Factor: 0,
  Voltage: 0,
  Current: 0,
}
const TOPIC = 'tasmota/discovery/A0B1C2112233'

describe('Tasmota', () => {
  it('is a metered switch when it has a relay and energy, asked for its state and told by any of its topics', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config())
    expect(world.types()).toEqual(['533'])
    world.say(`${TOPIC}/sensors`, { sn: { Time: '2026-01-05T09:00:00', ENERGY }, ver: 1 })
    expect(world.list()).toEqual([['a0b1c2112233-518', '518', '插座']])
    expect(world.asked).toContainEqual({ topic: 'cmnd/tasmota_112233/STATUS', payload: '10' })

    world.say('stat/tasmota_112233/RESULT', { POWER: 'ON' })
    expect(world.status()).toBeUndefined()
    world.say('tele/tasmota_112233/LWT', 'Online')
    expect(world.status()).toEqual({ Switch: 1 })
    world.say('stat/tasmota_112233/POWER', 'OFF')
    world.say('stat/tasmota_112233/STATUS10', { StatusSNS: { ENERGY: { ...ENERGY, Total: 3.5 } } })
    expect(world.status()).toMatchObject({ Switch: 0, AccumulatePower: 3.5 })
    world.say('tele/tasmota_112233/SENSOR', {
      Time: '2026-01-05T09:05:00',
      ENERGY: { ...ENERGY, Total: 3.6, Power: 120, Voltage: 221, Current: 0.55, Factor: 0.98 },
    })
    expect(world.status()).toEqual({
      Switch: 0,
      AccumulatePower: 3.6,
      Power: 120,
      Voltage: 221,
      AvgElectricCurrent: 0.55,
      PowerFactor: 0.98,
    })
    expect(world.command('518', { Switch: 1 })).toEqual([
      { topic: 'cmnd/tasmota_112233/POWER1', payload: 'ON' },
    ])
    world.say('tele/tasmota_112233/LWT', 'Offline')
    expect(world.status()).toBeUndefined()
    expect(() => world.command('518', { Switch: 1 })).toThrow('not reachable')
  })

  it('uses topics and words as it was told to', () => {
    const world = play()
    world.say(
      `${TOPIC}/config`,
      config({
        ft: '%topic%/%prefix%/%id%',
        tp: ['c', 's', 't'],
        state: ['AUS', 'EIN'],
        rl: [1, 1, 0],
        onln: 'hi',
      }),
    )
    world.say('tasmota_112233/t/112233/LWT', 'hi')
    world.say('tasmota_112233/t/112233/STATE', { POWER1: 'EIN', POWER2: 'AUS' })
    expect(world.status('534')).toEqual({ Switch1: 1, Switch2: 0 })
    expect(world.command('534', { Switch2: 1 })).toEqual([
      { topic: 'tasmota_112233/c/112233/POWER2', payload: 'EIN' },
    ])
  })

  it('dims a light, measures fine dust, and leaves a shutter out', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config({ rl: [2, 3, 0], lt_st: 1 }))
    world.say(`${TOPIC}/sensors`, {
      sn: { SDS0X1: { 'PM2.5': 4.2, PM10: 9 }, AM2301: { Temperature: 77, Humidity: 40 }, TempUnit: 'F' },
    })
    world.say('tele/tasmota_112233/LWT', 'Online')
    world.say('tele/tasmota_112233/STATE', { POWER1: 'ON', Dimmer: 35 })
    world.say('tele/tasmota_112233/SENSOR', {
      SDS0X1: { 'PM2.5': 5.5 },
      AM2301: { Temperature: 77, Humidity: 41 },
    })
    expect(world.types().sort()).toEqual(['532', '753', '905'])
    expect(world.status('532')).toEqual({ Switch: 1, Brightness: 35 })
    expect(world.command('532', { Brightness: 60 })).toEqual([
      { topic: 'cmnd/tasmota_112233/Dimmer', payload: '60' },
    ])
    expect(world.status('753')).toEqual({ PM25: 5.5, Temperature: 25, Humidity: 41 })
    expect(world.told().join()).toContain('no type for a shutter')
  })

  it('is the meter that its reader reads (SML), with what is fed in and phases, also beside a relay', () => {
    const world = play()
    const SML = { Total_in: 12345.6, Total_out: 7.5, Power_curr: 10, Meter_Number: 'x' }
    world.say(`${TOPIC}/config`, config())
    world.say(`${TOPIC}/sensors`, { sn: { SML, SCD40: { CarbonDioxide: 600 } } })
    world.say('tele/tasmota_112233/LWT', 'Online')
    world.say('tele/tasmota_112233/SENSOR', {
      SML: { ...SML, Total_in: 12346.5, Total_out: 8, Power_curr: -300 },
      SCD40: { CarbonDioxide: 700 },
    })
    expect(world.types().toSorted()).toEqual(['520', '533', '905'])
    expect(world.status('520')).toEqual({ AccumulatePower: 12346.5, AccumulateReturn: 8, Power: -300 })
    expect(world.status('905')).toMatchObject({ Value: 700, Unit: 'ppm', Quantity: 'co2' })
    expect(world.told().join()).toContain('SML.Meter_Number: no figure')
    const phases = { E_in: 1, P1: 10, P2: 20, P3: 30, Volt_p1: 230, Volt_p2: 231, Volt_p3: 232 }
    world.say(`${TOPIC}/sensors`, { sn: { MT681: phases } })
    world.say('tele/tasmota_112233/SENSOR', { MT681: phases })
    expect(world.status('522')).toMatchObject({ AccumulatePower: 1, Power: 60, Power2: 20, Voltage3: 232 })
  })

  it('shows values of readers without a counter, whose names it does not know', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config({ rl: [0] }))
    world.say(`${TOPIC}/sensors`, { sn: { GAS: { Count: 12 }, SML: { Total_out: 7.5 } } })
    expect(world.types()).toEqual(['905', '905'])
  })

  it('passes on the energy that it exports', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config({ rl: [0] }))
    world.say(`${TOPIC}/sensors`, { sn: { ENERGY: { ...ENERGY, ExportActive: 0, ExportReactive: 0 } } })
    world.say('tele/tasmota_112233/LWT', 'Online')
    world.say('tele/tasmota_112233/SENSOR', {
      ENERGY: { ...ENERGY, Total: 5, ExportActive: 2, ExportReactive: 1 },
    })
    expect(world.status('520')).toMatchObject({ AccumulatePower: 5, AccumulateReturn: 2 })
  })

  it('does not take the temperature of its own processor for that of the air', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config({ rl: [0] }))
    world.say(`${TOPIC}/sensors`, {
      sn: {
        ESP32: { Temperature: 50 },
        DS18B20: { Temperature: 20 },
        'DS18B20-2': { Temperature: 30 },
        TempUnit: 'C',
      },
    })
    expect(world.types().toSorted()).toEqual(['753', '905', '905'])
  })

  it('measures the air beside a relay', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config())
    world.say(`${TOPIC}/sensors`, { sn: { AM2301: { Temperature: 20, Humidity: 40 }, TempUnit: 'C' } })
    world.say('tele/tasmota_112233/LWT', 'Online')
    world.say('tele/tasmota_112233/SENSOR', { AM2301: { Temperature: 21.5, Humidity: 41 } })
    expect(world.types().sort()).toEqual(['533', '753'])
    expect(world.status('753')).toEqual({ Temperature: 21.5, Humidity: 41 })
  })

  it('refuses a counter with more digits than can be kept', () => {
    const world = play()
    world.say(`${TOPIC}/config`, config({ rl: [0] }))
    world.say(`${TOPIC}/sensors`, { sn: { ENERGY: { Total: 1, Power: 2 } } })
    world.say('tele/tasmota_112233/LWT', 'Online')
    world.say('tele/tasmota_112233/SENSOR', '{"ENERGY":{"Total":9007199254740993,"Power":5}}')
    expect(world.status()).toEqual({ Power: 5 })
    expect(world.told().join()).toContain('"9007199254740993" has more digits than can be kept')
  })

  it('reads three phases from lists', () => {
    const world = play()
    const phases = { Total: 10, Power: [1, 2, 3], Voltage: [220, 221, 222], Current: [0.1, 0.2, 0.3] }
    world.say(`${TOPIC}/config`, config({ rl: [0] }))
    world.say(`${TOPIC}/sensors`, { sn: { ENERGY: phases } })
    world.say('tele/tasmota_112233/LWT', 'Online')
    world.say('tele/tasmota_112233/SENSOR', { ENERGY: { ...phases, Power: [100, 200, 300] } })
    expect(world.status('522')).toMatchObject({ AccumulatePower: 10, Power: 600, Power2: 200, Voltage3: 222 })
  })

  it('goes when its announcement does, and is not upset by a broken one', () => {
    const world = play()
    world.say(`${TOPIC}/config`, '{"t": ')
    world.say(`${TOPIC}/config`, {})
    expect(world.counts()).toEqual({ announcement: 2 })
    world.say(`${TOPIC}/config`, config())
    expect(world.types()).toEqual(['533'])
    world.say(`${TOPIC}/config`, '')
    expect(world.types()).toEqual([])
    expect([...world.heard]).toEqual([])
  })
})
