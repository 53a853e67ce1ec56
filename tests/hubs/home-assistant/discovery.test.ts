import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import { Name } from '../../../contract/kernel/scalars.ts'
import { reportOf } from '../../../hubs/home-assistant/bridge.ts'
import { play } from './play.ts'

const dev = { ids: 'aa:bb:cc:00:11:22', name: '機房', mf: 'Some maker' }
const meter = (id: string, dev_cla: string, unit_of_meas: string, more: object = {}) =>
  [id, { dev, dev_cla, unit_of_meas, stat_t: `meter/${id}`, ...more }] as const

describe('Home Assistant discovery', () => {
  it('reads abbreviations, the base topic, templates and words for on and off', () => {
    const world = play()
    world.announce('switch', 'relay', {
      '~': 'plug/',
      dev,
      stat_t: '~status',
      cmd_t: 'to/~',
      val_tpl: '{{ value_json.on }}',
      stat_on: true,
      stat_off: false,
      pl_on: '{"on":1}',
      pl_off: '{"on":0}',
    })
    expect(world.list()).toEqual([['aabbcc001122-533', '533', '機房']])
    expect(world.status()).toBeUndefined()
    world.say('plug/status', { on: true })
    expect(world.status()).toEqual({ Switch: 1 })
    world.say('plug/status', { on: false })
    expect(world.status()).toEqual({ Switch: 0 })
    expect(world.command('533', { Switch: 1 })).toEqual([{ topic: 'to/plug/', payload: '{"on":1}' }])
  })

  it('reads the device form, and a component that is taken out of it', () => {
    const world = play()
    const topic = 'homeassistant/device/0a1b/config'
    const config = {
      dev,
      o: { name: 'maker2mqtt' },
      stat_t: 'x/state',
      cmps: {
        door: {
          p: 'binary_sensor',
          dev_cla: 'door',
          uniq_id: 'd',
          val_tpl: '{{ value_json.open }}',
          pl_on: 'yes',
          pl_off: 'no',
        },
        move: { p: 'binary_sensor', dev_cla: 'motion', uniq_id: 'm', stat_t: 'x/move' },
      },
    }
    world.say(topic, config)
    expect(world.types().sort()).toEqual(['754', '755'])
    world.say('x/state', { open: 'yes' })
    world.say('x/move', 'ON')
    expect(world.status('755')).toEqual({ DoorState: 2 })
    expect(world.status('754')).toEqual({ MotionState: 1 })
    world.say(topic, { ...config, cmps: { ...config.cmps, move: { p: 'binary_sensor' } } })
    expect(world.types()).toEqual(['755'])
    expect(world.status('755')).toEqual({ DoorState: 2 })
    expect(world.heard).not.toContain('x/move')
  })

  it('forgets what is announced with an empty message', () => {
    const world = play()
    world.announce('binary_sensor', 'smoke', { dev, dev_cla: 'smoke', stat_t: 's' })
    expect(world.types()).toEqual(['756'])
    world.say('homeassistant/binary_sensor/smoke/config', '')
    expect(world.types()).toEqual([])
    expect([...world.heard]).toEqual([])
  })

  it.each([
    ['latest', 'online', 'offline', false],
    ['any', 'online', 'offline', true],
    ['all', 'online', 'offline', false],
    ['all', 'online', 'online', true],
    ['latest', 'offline', 'online', true],
  ])('knows by %s of several topics whether a device is there', (avty_mode, first, second, there) => {
    const world = play()
    world.announce('binary_sensor', 'v', {
      '~': 'v/',
      dev,
      dev_cla: 'vibration',
      stat_t: '~s',
      avty_mode,
      avty: [{ t: '~a', val_tpl: '{{ value_json.state }}' }, { t: '~b' }],
    })
    world.say('v/s', 'ON')
    expect(world.status()).toBeUndefined()
    world.say('v/a', { state: first })
    world.say('v/b', second)
    expect(world.status()).toEqual(there ? { ShockState: 2 } : undefined)
  })

  it('lets a value that is not repeated grow too old, and a movement end by itself', () => {
    const world = play()
    world.announce('sensor', 'pm', { dev, dev_cla: 'pm25', unit_of_meas: 'µg/m³', stat_t: 'pm', exp_aft: 60 })
    world.announce('binary_sensor', 'pir', { dev, dev_cla: 'motion', stat_t: 'pir', off_dly: 30 })
    world.say('pm', '12.5')
    world.say('pir', 'ON')
    world.clock.advance(29_000)
    expect(world.status('754')).toEqual({ MotionState: 1 })
    world.changed.length = 0
    world.clock.advance(2_000)
    expect(world.status('754')).toEqual({ MotionState: 0 })
    expect(world.changed).toEqual([expect.stringContaining('-754-')])
    expect(world.status('753')).toEqual({ PM25: 12.5 })
    world.clock.advance(30_000)
    expect(world.status('753')).toBeUndefined()
  })

  it('carries when a device said anything last, the same again too, but not how long it is remembered', () => {
    const world = play()
    world.announce('binary_sensor', 'pir', { dev, dev_cla: 'door', stat_t: 'd', avty: [{ t: 'd/there' }] })
    world.announce('sensor', 'w', { dev, dev_cla: 'temperature', unit_of_meas: '°C', stat_t: 'w' })
    const uid = world.devices
      .peripherals()
      .find(({ PeripheralType }) => PeripheralType === '755')?.PeripheralUID
    const report = () => reportOf(world.devices, uid as string)
    expect(report()).toBeUndefined()
    world.say('d/there', 'online')
    world.say('d', 'ON')
    const first = world.clock.now()
    expect(report()).toEqual({ DoorState: 2, Timestamp: first })
    world.clock.advance(26 * 3_600_000)
    world.say('d/there', 'online')
    world.say('w', '20')
    expect(report()).toEqual({ DoorState: 2, Timestamp: first })
    world.say('d', 'ON')
    expect(report()).toEqual({ DoorState: 2, Timestamp: first + 26 * 3_600_000 })
  })

  it('leaves the moment of a meter to its readings', () => {
    const world = play()
    world.announce(...(['sensor', ...meter('e', 'energy', 'Wh')] as const))
    world.say('meter/e', '12345')
    const [uid] = world.devices.peripherals().map(({ PeripheralUID }) => PeripheralUID)
    expect(reportOf(world.devices, uid as string)).toEqual({ AccumulatePower: 12.345 })
  })

  it('makes one metered switch of a relay and its sensors, in our units', () => {
    const world = play()
    world.announce('switch', 'r', { dev, stat_t: 'r', cmd_t: 'r/set' })
    world.announce(...(['sensor', ...meter('e', 'energy', 'Wh')] as const))
    world.announce(...(['sensor', ...meter('p', 'power', 'kW')] as const))
    world.announce(...(['sensor', ...meter('u', 'voltage', 'mV')] as const))
    world.announce(...(['sensor', ...meter('i', 'current', 'mA')] as const))
    world.announce(...(['sensor', ...meter('f', 'power_factor', '%')] as const))
    expect(world.types()).toEqual(['518'])
    for (const [topic, value] of Object.entries({ e: 12_345, p: 1.5, u: 221_400, i: 6_800, f: 98 }))
      world.say(`meter/${topic}`, String(value))
    world.say('r', 'ON')
    expect(world.status()).toEqual({
      Switch: 1,
      AccumulatePower: 12.345,
      Power: 1500,
      Voltage: 221.4,
      AvgElectricCurrent: 6.8,
      PowerFactor: 0.98,
    })
  })

  it('takes no unit that is none, no counter of a day or of what was fed in, and no meter without counter', () => {
    const world = play()
    world.announce(...(['sensor', ...meter('lie', 'energy', 'L')] as const))
    world.announce(...(['sensor', ...meter('energy_today', 'energy', 'kWh')] as const))
    world.announce(...(['sensor', ...meter('energy_returned', 'energy', 'kWh')] as const))
    world.announce(...(['sensor', ...meter('power', 'power', 'W')] as const))
    expect(world.types()).toEqual([])
    expect(world.told().join('\n')).toMatch(/"L" is no unit of energy/)
    expect(world.told().join('\n')).toMatch(/a meter without a counter/)
    expect(world.counts()).toMatchObject({ unmapped: 5 })
  })

  it.each([
    ['production_line_1_energy', 'Production line 1 energy'],
    ['injection_molding_energy', 'Injection molding energy'],
    ['feeder_3_energy', 'Feeder 3 energy'],
    ['return_air_fan_energy', 'Return air fan energy'],
    ['reverse_osmosis_energy', 'Reverse osmosis energy'],
    ['export_warehouse_energy', 'Export warehouse energy'],
    ['energy', '生產線'],
  ])('counts the energy of a factory’s %s', (id, name) => {
    const world = play()
    world.announce('sensor', id, { dev, name, dev_cla: 'energy', unit_of_meas: 'kWh', stat_t: 'x' })
    expect(world.types()).toEqual(['520'])
  })

  it.each([
    ['total_act_ret_energy', 'Total active returned energy', ''],
    ['energy_export', 'Energy export', ''],
    ['export_total', 'Export total', ''],
    ['pv_generation', 'PV generation', ''],
    ['production', 'Production', ''],
    ['feed_in_energy', 'Feed-in energy', ''],
    ['reverse_active_energy', 'Reverse active energy', ''],
    ['energy_2', 'Energy 2', '{{ value_json.energy.export }}'],
    ['energy_month', 'Energy this month', ''],
    ['energy_3', '今日用電量', ''],
    ['energy_4', '逆送電量', ''],
  ])('leaves the counter %s out', (id, name, val_tpl) => {
    const world = play()
    const more = val_tpl ? { val_tpl } : {}
    world.announce('sensor', id, { dev, name, dev_cla: 'energy', unit_of_meas: 'kWh', stat_t: 'x', ...more })
    expect(world.types()).toEqual([])
  })

  it('tells what a meter feeds in beside what it takes', () => {
    const world = play()
    world.announce(...(['sensor', ...meter('total_act_energy', 'energy', 'kWh')] as const))
    world.announce(...(['sensor', ...meter('total_act_ret_energy', 'energy', 'Wh')] as const))
    world.say('meter/total_act_energy', '120')
    expect(world.status()).toEqual({ AccumulatePower: 120 })
    world.say('meter/total_act_ret_energy', '4500')
    expect(world.types()).toEqual(['520'])
    expect(world.status()).toEqual({ AccumulatePower: 120, AccumulateReturn: 4.5 })
  })

  it('keeps devices behind a gateway apart whose ids begin alike', () => {
    const world = play()
    for (const circuit of ['bai', '700', 'hmu'])
      world.announce('binary_sensor', `ebusd_${circuit}_door`, {
        dev: { ids: `ebusd_${circuit}`, name: `ebusd ${circuit}`, via_device: 'ebusd' },
        dev_cla: 'door',
        stat_t: `ebusd/${circuit}`,
      })
    expect(world.list().map(([uid]) => uid)).toEqual(
      ['bai', '700', 'hmu'].map((circuit) => `ebusd_${circuit}-755-door`),
    )
  })

  it('adds up the three phases of a meter that are told by their topics alone', () => {
    const world = play()
    const em3 = { ids: 'shellyem3-112233445566', name: 'Main meter', mdl: 'Shelly 3EM' }
    for (const i of [0, 1, 2])
      for (const [what, dev_cla, unit_of_meas] of [
        ['total', 'energy', 'Wh'],
        ['power', 'power', 'W'],
      ] as const)
        world.announce('sensor', `shellyem3-112233445566-emeter-${what}-${i}`, {
          dev: em3,
          name: `Phase ${what}`,
          dev_cla,
          unit_of_meas,
          stat_t: `shellies/shellyem3-112233445566/emeter/${i}/${what}`,
        })
    for (const i of [0, 1, 2]) {
      world.say(`shellies/shellyem3-112233445566/emeter/${i}/total`, String(1000 * (i + 1)))
      world.say(`shellies/shellyem3-112233445566/emeter/${i}/power`, String(100 * (i + 1)))
    }
    expect(world.types()).toEqual(['522'])
    expect(world.status()).toMatchObject({ AccumulatePower: 6, Power: 600, Power1: 100, Power3: 300 })
  })

  it('takes the letter of a hall for no phase', () => {
    const world = play()
    const hall = { ids: '0a:1b:2c:3d:4e:5f', name: 'Hall A' }
    const sensor = (id: string, dev_cla: string, unit_of_meas: string) =>
      world.announce('sensor', `hall_a_${id}`, {
        dev: hall,
        name: `Hall A ${id}`,
        dev_cla,
        unit_of_meas,
        stat_t: id,
      })
    sensor('energy', 'energy', 'kWh')
    sensor('power', 'power', 'W')
    sensor('voltage', 'voltage', 'V')
    for (const [topic, value] of [
      ['energy', '12'],
      ['power', '340'],
      ['voltage', '221'],
    ] as const)
      world.say(topic, value)
    expect(world.status('520')).toEqual({ AccumulatePower: 12, Power: 340, Voltage: 221 })

    const other = play()
    for (const [id, dev_cla, unit_of_meas] of [
      ['line_b_energy', 'energy', 'kWh'],
      ['line_b_power', 'power', 'W'],
    ] as const)
      other.announce('sensor', id, { dev, dev_cla, unit_of_meas, stat_t: id })
    other.say('line_b_energy', '7')
    other.say('line_b_power', '90')
    expect(other.status('520')).toEqual({ AccumulatePower: 7, Power: 90 })
  })

  it('makes a meter of each clamp of a device that has many', () => {
    const world = play()
    const clamps = { ids: '0a:1b:2c:3d:4e:60', name: 'Panel' }
    for (const n of [1, 2, 12])
      for (const [of, dev_cla, unit_of_meas] of [
        ['energy', 'energy', 'kWh'],
        ['power', 'power', 'W'],
      ] as const) {
        const id = `panel_circuit_${n}_${of}`
        world.announce('sensor', id, { dev: clamps, dev_cla, unit_of_meas, stat_t: id })
        world.say(id, String(n))
      }
    const shown = world
      .list()
      .map(([uid, type, name]) => [`${type} ${name}`, world.devices.status(uid ?? '')])
    expect(Object.fromEntries(shown)).toEqual({
      '520 Panel #1': { AccumulatePower: 1, Power: 1 },
      '520 Panel #2': { AccumulatePower: 2, Power: 2 },
      '520 Panel #12': { AccumulatePower: 12, Power: 12 },
    })
  })

  it.each(['l%', 'phase_%'])('takes %s for the phases of a meter', (pattern) => {
    const world = play()
    const topics = [1, 2, 3].map((n) => `voltage_${pattern.replace('%', String(n))}`)
    for (const topic of topics)
      world.announce('sensor', topic, { dev, dev_cla: 'voltage', unit_of_meas: 'V', stat_t: topic })
    world.announce('sensor', 'total', { dev, dev_cla: 'energy', unit_of_meas: 'kWh', stat_t: 'total' })
    world.say('total', '5')
    for (const [i, topic] of topics.entries()) world.say(topic, String(220 + i))
    expect(world.status('522')).toEqual({
      AccumulatePower: 5,
      Voltage: 221,
      Voltage1: 220,
      Voltage2: 221,
      Voltage3: 222,
    })
  })

  it('takes them for those of its relays, where relays are called so', () => {
    const world = play()
    for (const gang of ['l1', 'l2']) {
      world.announce('switch', `relay_${gang}`, { dev, stat_t: gang, cmd_t: `${gang}/set` })
      const sensor = { dev, dev_cla: 'energy', unit_of_meas: 'kWh', stat_t: `energy_${gang}` }
      world.announce('sensor', `energy_${gang}`, sensor)
    }
    expect(world.types()).toEqual(['518', '518'])
  })

  it.each([
    ['pv_energy', ['grid_power'], undefined],
    ['pv_energy', ['grid_power', 'pv_power'], 'pv_power'],
    ['pvEnergyTotal', ['gridPower', 'pvPower'], 'pvPower'],
    ['main_panel_energy', ['main_power', 'main_panel_power', 'grid_power'], 'main_panel_power'],
    ['grid_energy', ['power', 'pv_power'], 'power'],
    ['energy', ['pump_power'], 'pump_power'],
    ['energy', ['grid_power', 'pv_power'], undefined],
    ['energy', ['act_power', 'total_act_power'], 'total_act_power'],
  ])('beside the counter %s of %j it takes the power %s', (counter, powers, paired) => {
    const world = play()
    const sensor = (id: string, dev_cla: string, unit_of_meas: string) =>
      world.announce('sensor', id, { dev, dev_cla, unit_of_meas, stat_t: id })
    for (const [i, id] of powers.entries()) {
      sensor(id, 'power', 'W')
      world.say(id, String(100 + i))
    }
    sensor(counter, 'energy', 'kWh')
    world.say(counter, '5')
    for (const [i, id] of powers.entries()) world.say(id, String(100 + i))
    const Power = paired === undefined ? {} : { Power: 100 + powers.indexOf(paired) }
    expect(world.status('520')).toEqual({ AccumulatePower: 5, ...Power })
    const told = world.told().filter((line) => line.includes('not of what the counter counts'))
    expect(told).toHaveLength(paired === undefined ? powers.length : 0)
  })

  it('believes the unit of a counter that Tasmota 7 announces with the class of a power', () => {
    const world = play()
    const tele = { stat_t: 'tele/pow/SENSOR', dev: { ids: 'BADF00', name: 'Pow' }, dev_cla: 'power' }
    for (const [of, unit_of_meas] of [
      ['Total', 'kWh'],
      ['Today', 'kWh'],
      ['Yesterday', 'kWh'],
      ['Period', 'Wh'],
      ['Power', 'W'],
      ['ApparentPower', 'VA'],
    ] as const)
      world.announce('sensor', `BADF00_ENERGY_${of}`, {
        ...tele,
        name: `Pow ENERGY ${of}`,
        unit_of_meas,
        val_tpl: `{{value_json['ENERGY'].${of}}}`,
      })
    const ENERGY = { Total: 3.185, Today: 0.2, Yesterday: 1, Period: 4, Power: 40, ApparentPower: 44 }
    world.say('tele/pow/SENSOR', { ENERGY })
    expect(world.status('520')).toEqual({ AccumulatePower: 3.185, Power: 40 })
    expect(world.told().join()).toContain('"VA" is no unit of power')
  })

  it('takes no energy for a counter that is measured again each time, whatever its class', () => {
    const world = play()
    const forecast = { dev, dev_cla: 'power', unit_of_meas: 'kWh', stat_cla: 'measurement', stat_t: 'f' }
    world.announce('sensor', 'forecast', forecast)
    expect(world.types()).toEqual([])
    expect(world.told().join()).toContain('"kWh" is no unit of power')
  })

  it('says which counter it leaves out beside another', () => {
    const world = play()
    for (const id of ['energy_import', 'energy_total'])
      world.announce('sensor', id, { dev, dev_cla: 'energy', unit_of_meas: 'kWh', stat_t: id })
    expect(world.types()).toEqual(['520'])
    expect(world.told().join('\n')).toMatch(/energy_import\S*: another counter stands for this meter/)
  })

  it('believes what it sent to a device that does not tell its state', () => {
    const world = play()
    world.announce('switch', 'silent', { dev, cmd_t: 'silent/set' })
    expect(world.status()).toBeUndefined()
    const sent = world.command('533', { Switch: 1 })
    expect(sent).toMatchObject([{ topic: 'silent/set', payload: 'ON' }])
    expect(world.status()).toBeUndefined()
    world.changed.length = 0
    for (const publication of sent) world.devices.applyAssumption(publication)
    expect(world.changed).toHaveLength(1)
    expect(world.status()).toEqual({ Switch: 1 })
  })

  it('dims lights of both schemas', () => {
    const world = play()
    world.announce('light', 'j', {
      dev: { ids: 'j' },
      schema: 'json',
      brightness: true,
      bri_scl: 254,
      stat_t: 'j',
      cmd_t: 'j/set',
    })
    world.say('j', { state: 'ON', brightness: 127 })
    expect(world.status()).toEqual({ Switch: 1, Brightness: 50 })
    expect(world.command('532', { Brightness: 25 })).toEqual([
      { topic: 'j/set', payload: '{"state":"ON","brightness":64}' },
    ])
    expect(world.command('532', { Switch: 0 })).toEqual([{ topic: 'j/set', payload: '{"state":"OFF"}' }])

    const other = play()
    other.announce('light', 'b', {
      dev: { ids: 'b' },
      stat_t: 'b',
      cmd_t: 'b/set',
      bri_stat_t: 'b/level',
      bri_cmd_t: 'b/level/set',
      bri_scl: 100,
    })
    other.say('b', 'OFF')
    other.say('b/level', '40')
    expect(other.status()).toEqual({ Switch: 0, Brightness: 40 })
    expect(other.command('532', { Switch: 1, Brightness: 80 })).toEqual([
      { topic: 'b/level/set', payload: '80' },
      { topic: 'b/set', payload: 'ON' },
    ])
  })

  it('groups up to three relays, and keeps more of them apart', () => {
    const world = play()
    const relay = (n: number) =>
      world.announce('switch', `r${n}`, { dev, name: `R${n}`, stat_t: `r${n}`, cmd_t: `r${n}/set` })
    relay(1)
    relay(2)
    expect(world.types()).toEqual(['534'])
    world.say('r2', 'ON')
    expect(world.status()).toEqual({ Switch2: 1 })
    expect(world.command('534', { Switch1: 1, Switch2: 0 })).toEqual([
      { topic: 'r1/set', payload: 'ON' },
      { topic: 'r2/set', payload: 'OFF' },
    ])
    relay(3)
    expect(world.types()).toEqual(['535'])
    relay(4)
    expect(world.list().map(([, type, name]) => `${type} ${name}`)).toEqual([
      '533 機房 R1',
      '533 機房 R2',
      '533 機房 R3',
      '533 機房 R4',
    ])
  })

  it('tells an air conditioner from a thermostat, and sets both', () => {
    const world = play()
    const topics = {
      mode_stat_t: 'm',
      mode_cmd_t: 'm/set',
      temp_stat_t: 't',
      temp_cmd_t: 't/set',
      curr_temp_t: 'c',
    }
    world.announce('climate', 'ac', {
      dev: { ids: 'ac' },
      ...topics,
      modes: ['off', 'cool', 'dry', 'fan_only', 'heat_cool'],
      fan_mode_stat_t: 'f',
      fan_mode_cmd_t: 'f/set',
    })
    expect(world.types()).toEqual(['527'])
    for (const [topic, text] of [
      ['m', 'cool'],
      ['t', '25.5'],
      ['c', '28.4'],
      ['f', 'high'],
    ])
      world.say(topic!, text)
    expect(world.status()).toEqual({
      TaiSEIAType: 1,
      Switch: 1,
      ACMode: 0,
      FanSpeed: 5,
      TargetTemperature: 26,
      IndoorTemperature: 28.4,
    })
    expect(world.command('527', { ACMode: 3, TargetTemperature: 24 })).toEqual([
      { topic: 'm/set', payload: 'heat_cool' },
      { topic: 't/set', payload: '24' },
    ])
    expect(() => world.command('527', { ACMode: 4 })).toThrow('does not have that mode')
    expect(world.command('527', { Switch: 0 })).toEqual([{ topic: 'm/set', payload: 'off' }])

    // The last set value, not the first one of its list.
    world.say('m', 'off')
    world.status()
    expect(world.command('527', { Switch: 1 })).toEqual([{ topic: 'm/set', payload: 'cool' }])

    const other = play()
    other.announce('climate', 'valve', {
      dev: { ids: 'v' },
      ...topics,
      modes: ['off', 'heat'],
      temp_unit: 'F',
    })
    other.say('m', 'heat')
    other.say('t', '68')
    expect(other.status()).toEqual({ ThermostatTable: [{ NodeID: 1, Switch: 1, TargetTemperature: 20 }] })
    const values = { ThermostatTable: [{ NodeID: 1, TargetTemperature: 25 }] }
    expect(other.command('525', values)).toEqual([{ topic: 't/set', payload: '77' }])
    expect(() => other.command('525', { ThermostatTable: [{ NodeID: 2, Switch: 1 }] })).toThrow(
      'no such zone',
    )
  })

  it.each([
    [['off', 'heat', 'cool', 'dry'], 'cool'],
    [['off', 'heat', 'cool', 'heat_cool'], 'heat_cool'],
    [['off', 'dry', 'fan_only'], 'dry'],
  ])('turns an air conditioner with %s on without heating in summer', (modes, payload) => {
    const world = play()
    world.announce('climate', 'ac', { dev, modes, mode_stat_t: 'm', mode_cmd_t: 'm/set' })
    world.say('m', 'off')
    expect(world.command('527', { Switch: 1 })).toEqual([{ topic: 'm/set', payload }])
  })

  it('turns an air conditioner with a switch of its own on before it sets the mode', () => {
    const world = play()
    const topics = { mode_stat_t: 'm', mode_cmd_t: 'm/set', pow_cmd_t: 'p/set' }
    world.announce('climate', 'ac', { dev, modes: ['cool', 'dry'], ...topics })
    world.say('m', 'dry')
    expect(world.command('527', { Switch: 1, ACMode: 0 })).toMatchObject([
      { topic: 'p/set', payload: 'ON' },
      { topic: 'm/set', payload: 'cool' },
    ])
  })

  it.each([
    ['Aqara human body movement and illuminance sensor', '754'],
    ['Motion sensor', '754'],
    ['mmWave radar 24GHz', '529'],
    ['Human presence sensor', '529'],
  ])('takes the occupancy of a %s for %s', (mdl, type) => {
    const world = play()
    world.announce('binary_sensor', 'o', { dev: { ids: 'o', mdl }, dev_cla: 'occupancy', stat_t: 'o' })
    expect(world.types()).toEqual([type])
  })

  it('knows a dehumidifier and a ventilator, takes another fan for a switch, and no humidifier', () => {
    const world = play()
    world.announce('humidifier', 'h', {
      dev: { ids: 'h' },
      dev_cla: 'dehumidifier',
      stat_t: 'h',
      cmd_t: 'h/set',
      hum_stat_t: 'h/target',
      hum_cmd_t: 'h/target/set',
      curr_hum_t: 'h/now',
    })
    world.say('h', 'ON')
    world.say('h/target', '52')
    expect(world.status()).toEqual({ TaiSEIAType: 4, Switch: 1, TargetHumidity: 50 })
    expect(world.command('527', { TargetHumidity: 60 })).toEqual([{ topic: 'h/target/set', payload: '60' }])
    world.announce('humidifier', 'wet', { dev: { ids: 'w' }, cmd_t: 'w', hum_cmd_t: 'w/t' })
    world.announce('fan', 'wall', {
      dev: { ids: 'd', name: '排風扇' },
      stat_t: 'd',
      stat_val_tpl: '{{ value_json.fan }}',
      cmd_t: 'd/set',
      pct_cmd_t: 'd/speed',
    })
    world.announce('fan', 'erv', {
      dev: { ids: 'e', name: '全熱交換器' },
      stat_t: 'e',
      cmd_t: 'e/set',
      pct_cmd_t: 'e/pct',
    })
    expect(world.types()).toEqual(['527', '533', '527'])
    world.say('d', { fan: 'ON' })
    expect(world.status('533')).toEqual({ Switch: 1 })
    expect(world.command('533', { Switch: 0 })).toEqual([{ topic: 'd/set', payload: 'OFF' }])
    world.say('e', 'ON')
    const erv = world.devices.peripherals()[2]!.PeripheralUID
    expect(world.devices.status(erv)).toEqual({ TaiSEIAType: 14, Switch: 1 })
    expect(world.devices.command(erv, { FanSpeed: 1 })).toMatchObject([{ topic: 'e/pct', payload: '100' }])
  })
})

describe('what lies, is broken or too much', () => {
  it.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['a number', '7'],
  ])('%s is counted and changes nothing', (_, payload) => {
    const world = play()
    world.announce('binary_sensor', 'd', { dev, dev_cla: 'door', stat_t: 'd' })
    world.say('homeassistant/binary_sensor/d/config', payload)
    expect(world.counts()).toEqual({ announcement: 1 })
    expect(world.types()).toEqual(['755'])
  })

  it.each(['#', '+', '+/+', 'home/#', '+/+/+/x', 'home/+', 'a/#/b', 'a/b/c+', '//+', 'a/b/#c'])(
    'listens to no wildcards that take in too much: %s',
    (stat_t) => {
      const world = play()
      world.announce('binary_sensor', 'd', { dev, dev_cla: 'door', stat_t })
      expect([...world.heard]).toEqual([])
      expect(world.types()).toEqual([])
      expect(world.told().join()).toContain('the wildcards of state_topic take in too much')
    },
  )

  it('commands no wildcards', () => {
    const world = play()
    world.announce('switch', 's', { dev, stat_t: 's', cmd_t: 'a/b/+/set' })
    expect([...world.heard]).toEqual([])
    expect(world.types()).toEqual([])
  })

  it.each([
    ['', '9007199254740993'],
    ['{{ value_json.wh }}', '{"wh":9007199254740993}'],
    ['{{ value_json.wh | float }}', '{"wh":9007199254740993}'],
    ['{{ value_json.wh / 1000 }}', '{"wh":9007199254740993}'],
    ['{{ value | multiply(0.001) }}', '9007199254740993'],
  ])('a counter with more digits than can be kept is refused, not rounded: %s', (val_tpl, payload) => {
    const world = play()
    const counter = { dev, dev_cla: 'energy', unit_of_meas: 'Wh', stat_t: 'e', ...(val_tpl && { val_tpl }) }
    world.announce('sensor', 'energy', counter)
    world.say('e', payload)
    expect(world.status()).toBeUndefined()
    expect(world.counts()).toEqual({ template: 1 })
    world.say('e', payload.replace('9007199254740993', '5000'))
    expect(world.status('520')?.['AccumulatePower']).toBeGreaterThan(0)
  })

  it('a value of the wrong kind keeps the last good one, and one out of range stays here', () => {
    const world = play()
    world.announce('sensor', 'pm', { dev, dev_cla: 'pm25', unit_of_meas: 'µg/m³', stat_t: 'pm' })
    world.say('pm', '20')
    world.say('pm', 'warm')
    expect(world.counts()).toEqual({ template: 1 })
    expect(world.status()).toEqual({ PM25: 20 })
    world.say('pm', '-5')
    expect(world.status()).toBeUndefined()
    expect(world.counts()).toMatchObject({ value: 1 })
    world.say('pm', 'None')
    expect(world.status()).toBeUndefined()
    world.say('pm', '30')
    expect(world.status()).toEqual({ PM25: 30 })
  })

  it(
    'ten thousand entities are taken in seconds, twenty thousand and one are not',
    { timeout: 60_000 },
    () => {
      const world = play()
      for (let i = 0; i < 20_001; i++)
        world.devices.receive(
          `homeassistant/binary_sensor/n${i}/config`,
          Buffer.from(JSON.stringify({ dev: { ids: `n${i}` }, dev_cla: 'door', stat_t: `n${i}` })),
        )
      world.devices.buildPeripherals()
      expect(world.devices.figures()).toMatchObject({ entities: 20_000, peripherals: 20_000 })
      expect(world.counts()).toMatchObject({ tooMany: 1 })
    },
  )

  it('makes ids that fit of keys that do not, without two becoming one', () => {
    const world = play()
    for (const id of ['客廳:a', '客廳_a', 'x'.repeat(200)])
      world.announce('binary_sensor', `o${id.length}${id}`.slice(0, 60), {
        dev: { ids: id },
        dev_cla: 'door',
        stat_t: 'd',
      })
    const uids = world.list().map(([uid]) => uid)
    expect(new Set(uids).size).toBe(3)
    for (const uid of uids) expect(uid).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })
})

describe('whatever is announced', () => {
  const topics = fc.constantFrom('t', 'x/y', '~/s', '#', '', 7, null)
  const templates = fc.constantFrom(
    '{{ value_json.a }}',
    '{{ value_json.a.b | float }}',
    '{{',
    '{{ nope() }}',
    '',
    3,
    null,
  )
  const config = fc.record(
    {
      '~': fc.constantFrom('base', 5, null),
      name: fc.oneof(fc.string(), fc.jsonValue()),
      dev: fc.oneof(fc.constant({ ids: ['a'], name: 'A' }), fc.jsonValue()),
      dev_cla: fc.constantFrom('door', 'energy', 'power', 'pm25', 'motion', 'dehumidifier', '', {}),
      unit_of_meas: fc.constantFrom('kWh', 'W', 'µg/m³', '°C', 5),
      stat_t: topics,
      cmd_t: topics,
      mode_cmd_t: topics,
      temp_cmd_t: topics,
      hum_cmd_t: topics,
      bri_cmd_t: topics,
      bri_stat_t: topics,
      val_tpl: templates,
      schema: fc.constantFrom('json', 'template', 'basic', 1),
      brightness: fc.boolean(),
      bri_scl: fc.oneof(fc.integer(), fc.jsonValue()),
      modes: fc.oneof(fc.array(fc.constantFrom('off', 'cool', 'heat')), fc.jsonValue()),
      avty: fc.oneof(fc.array(fc.record({ t: topics, val_tpl: templates })), fc.jsonValue()),
      avty_mode: fc.constantFrom('all', 'any', 'latest', 'odd'),
      exp_aft: fc.oneof(fc.integer(), fc.jsonValue()),
      off_dly: fc.oneof(fc.integer(), fc.jsonValue()),
      cmps: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const component = fc.constantFrom(
    'switch',
    'light',
    'sensor',
    'binary_sensor',
    'climate',
    'humidifier',
    'fan',
    'device',
    'odd',
  )
  const said = fc.oneof(
    fc.constantFrom('ON', 'OFF', 'online', '20.5', '{"a":{"b":1}}', '{"state":"ON","brightness":9}', ''),
    fc.json(),
    fc.string(),
  )

  it('is never a crash, and every device that comes of it has an id, a name and a state that fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(component, config), { minLength: 1, maxLength: 6 }),
        fc.array(said),
        (announced, words) => {
          const world = play()
          announced.forEach(([kind, one], i) => world.say(`homeassistant/${kind}/o${i}/config`, one))
          for (const topic of world.heard) for (const word of words) world.say(topic, word)
          for (const { PeripheralUID, PeripheralType, PeripheralName } of world.devices.peripherals()) {
            expect(PeripheralUID).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
            expect(Name.safeParse(PeripheralName).success).toBe(true)
            const status = world.devices.status(PeripheralUID)
            expect(!status || parseStatusFields(PeripheralType, status)?.success).toBe(true)
          }
        },
      ),
    )
  })
})
