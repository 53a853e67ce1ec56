import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

/**
 * Announcements in the published format of programs: OpenDTU @b6f0353b (MqttHandleHass.cpp), Tasmota 6 to 9.1 (xdrv_12_home_assistant.ino),
 * ebusd (mqtt-hassio.cfg), wmbusmeters and meter2mqtt. Names and numbers are our own.
 */
const sensors = (world: ReturnType<typeof play>) =>
  Object.fromEntries(
    world.devices.peripherals().flatMap(({ PeripheralUID, PeripheralType }) => {
      const status = world.devices.status(PeripheralUID)
      const { Value, Unit, Quantity } = status ?? {}
      return PeripheralType === '905' ? [[PeripheralUID.split('-905-')[1], [Value, Unit, Quantity]]] : []
    }),
  )

describe('OpenDTU', () => {
  const SERIAL = '114190641177'
  const inverter = {
    ...{ name: 'HM-800', ids: SERIAL, cu: 'http://192.0.2.9', mf: 'OpenDTU', mdl: 'HM-800', sw: 'b6f0353' },
    via_device: 'OpenDTU-07F614_07F614',
  }
  const dtu = { name: 'OpenDTU-07F614', ids: 'OpenDTU-07F614_07F614', mf: 'OpenDTU', mdl: 'OpenDTU' }
  const MEASURED = { stat_cla: 'measurement' }
  const COUNTED = { dev_cla: 'energy', stat_cla: 'total_increasing' }

  it('is a meter of all inverters with their power on the side of the grid', () => {
    const world = play()
    const lwt = { avty_t: 'solar/dtu/status', pl_avail: 'online', pl_not_avail: 'offline' }
    for (const [name, stat_t, unit_of_meas, more] of [
      ['Yield Total', 'ac/yieldtotal', 'kWh', COUNTED],
      ['Yield Day', 'ac/yieldday', 'Wh', COUNTED],
      ['AC Power', 'ac/power', 'W', { dev_cla: 'power', ...MEASURED }],
      ['DC Power', 'dc/power', 'W', { dev_cla: 'power', ...MEASURED }],
    ] as const) {
      const id = name.toLowerCase().replace(' ', '_')
      world.say(`homeassistant/sensor/OpenDTU-07F614_07F614/${id}/config`, {
        ...{ dev: dtu, name, uniq_id: `OpenDTU-07F614_07F614_${id}`, stat_t: `solar/${stat_t}` },
        ...{ unit_of_meas, ...more, ...lwt },
      })
    }
    world.say('solar/dtu/status', 'online')
    world.say('solar/ac/yieldtotal', '1313.338')
    world.say('solar/ac/power', '350.2')
    world.say('solar/dc/power', '368.0')
    expect(world.types()).toEqual(['520'])
    expect(world.status()).toEqual({ AccumulatePower: 1313.338, Power: 350.2 })
  })

  it('is a meter for each inverter, with its power and not that of its panels', () => {
    const world = play()
    for (const [field, unit_of_meas, more] of [
      ['Power', 'W', { dev_cla: 'power', ...MEASURED }],
      ['PowerDC', 'W', { dev_cla: 'power', ...MEASURED }],
      ['Voltage', 'V', { dev_cla: 'voltage', ...MEASURED }],
      ['YieldDay', 'Wh', COUNTED],
      ['YieldTotal', 'kWh', COUNTED],
    ] as const) {
      const topic = `solar/${SERIAL}/0/${field.toLowerCase()}`
      const uniq_id = `${SERIAL}_ch0_${field}`
      world.say(`homeassistant/sensor/dtu_${SERIAL}/ch0_${field}/config`, {
        ...{ name: field, stat_t: topic, uniq_id, unit_of_meas, dev: inverter, exp_aft: 60, ...more },
      })
    }
    for (const [field, value] of Object.entries({
      power: '350.2',
      powerdc: '368',
      voltage: '231',
      yieldtotal: '13.3',
    }))
      world.say(`solar/${SERIAL}/0/${field}`, value)
    expect(world.status('520')).toEqual({ AccumulatePower: 13.3, Power: 350.2, Voltage: 231 })
  })
})

describe('Tasmota that announces itself for Home Assistant', () => {
  const device = { ids: ['139827'] }
  const base = {
    ...{ avty_t: 'tele/tasmota_139827/LWT', pl_avail: 'Online', pl_not_avail: 'Offline' },
    dev: device,
  }
  const value = (key: string, unit_of_meas: string, more: object = {}) => ({
    ...{ ...base, name: `Trailer Power ENERGY ${key}`, stat_t: 'tele/tasmota_139827/SENSOR', unit_of_meas },
    ...{
      uniq_id: `139827_ENERGY_${key}`,
      frc_upd: true,
      val_tpl: `{{value_json['ENERGY']['${key}']}}`,
      ...more,
    },
  })
  const say = (world: ReturnType<typeof play>, config: { uniq_id: string }, component = 'sensor') =>
    world.say(`homeassistant/${component}/${config.uniq_id}/config`, config)
  const relay = {
    ...{
      ...base,
      name: 'Trailer Power',
      stat_t: 'tele/tasmota_139827/STATE',
      val_tpl: '{{value_json.POWER}}',
    },
    ...{ cmd_t: 'cmnd/tasmota_139827/POWER', pl_off: 'OFF', pl_on: 'ON', uniq_id: '139827_RL_1' },
  }
  const POWER = { dev_cla: 'power' }

  it('is a metered switch with the values that it announces without a class, and its power is not the apparent one', () => {
    const world = play()
    say(world, relay, 'switch')
    for (const config of [
      value('Total', 'KWh', POWER),
      value('Today', 'KWh', POWER),
      value('ApparentPower', 'W', POWER),
      value('Power', 'W', POWER),
      value('Factor', 'Cos φ'),
      value('Voltage', 'V'),
      value('Current', 'A'),
    ])
      say(world, config)
    world.say('tele/tasmota_139827/LWT', 'Online')
    world.say('tele/tasmota_139827/STATE', { POWER: 'ON' })
    world.say('tele/tasmota_139827/SENSOR', {
      ENERGY: {
        Total: 12.5,
        Today: 1,
        ApparentPower: 120,
        Power: 100,
        Factor: 0.83,
        Voltage: 118,
        Current: 1.01,
      },
    })
    expect(world.list()).toEqual([['139827-518', '518', 'Trailer Power']])
    expect(world.status()).toEqual({
      ...{ Switch: 1, AccumulatePower: 12.5, Power: 100, PowerFactor: 0.83 },
      ...{ Voltage: 118, AvgElectricCurrent: 1.01 },
    })
  })

  it('has the name of its device from the announcement of its radio link, else from that of a value', () => {
    const world = play()
    say(world, value('Total', 'kWh', POWER))
    expect(world.list()).toEqual([['139827-520', '520', 'Trailer Power']])
    say(world, {
      ...{ ...base, name: 'Plug 7 status', stat_t: 'tele/tasmota_139827/HASS_STATE', unit_of_meas: '%' },
      ...{ val_tpl: "{{value_json['RSSI']}}", uniq_id: '139827_status' },
      dev: { ...device, name: 'Plug 7', mdl: 'Sonoff S31', sw: '8.5.1(tasmota)', mf: 'Tasmota' },
    } as { uniq_id: string })
    world.say('tele/tasmota_139827/LWT', 'Online')
    world.say('tele/tasmota_139827/HASS_STATE', { RSSI: '80' })
    expect(world.list()).toEqual([['139827-520', '520', 'Plug 7']])
    expect(world.status()).toEqual({ LinkQuality: 204 })
  })

  it('measures what is fed in, and phases by their place in a list', () => {
    const world = play()
    for (const config of [value('Total', 'kWh', POWER), value('ExportActive', 'kWh', POWER)])
      say(world, config)
    for (const i of [0, 1, 2])
      say(world, {
        ...value('Power', 'W', POWER),
        ...{ uniq_id: `139827_ENERGY_Power_${i}`, val_tpl: `{{value_json['ENERGY']['Power'][${i}]}}` },
      })
    world.say('tele/tasmota_139827/LWT', 'Online')
    world.say('tele/tasmota_139827/SENSOR', { ENERGY: { Total: 5, ExportActive: 2, Power: [1, 2, 3] } })
    expect(world.status('522')).toEqual({
      ...{ AccumulatePower: 5, AccumulateReturn: 2, Power: 6, Power1: 1, Power2: 2, Power3: 3 },
    })
  })
})

describe('temperatures that are not those of a room', () => {
  it('are sensors of their own at the circuits of a boiler, and not air', () => {
    const world = play()
    const bai = { identifiers: 'ebusd_bai', manufacturer: 'ebusd.eu', name: 'ebusd bai', via_device: 'ebusd' }
    for (const message of ['FlowTemp', 'ReturnTemp', 'StorageTemp', 'FlowTempDesired'])
      world.say(`homeassistant/sensor/ebusd_bai_${message}_temp/config`, {
        ...{ unique_id: `ebusd_bai_${message}_temp`, name: `${message} temp`, device: bai },
        ...{ state_topic: `ebusd/bai/${message}`, value_template: '{{ value_json["temp"].value }}' },
        ...{ unit_of_measurement: '°C', device_class: 'temperature', state_class: 'measurement' },
      })
    world.say('ebusd/bai/FlowTemp', { temp: { value: 61.5 } })
    expect(new Set(world.types())).toEqual(new Set(['905']))
    expect(sensors(world)['flowtemp_temp']).toEqual([61.5, '°C', 'temperature'])
  })

  it.each([
    ['curflowtemp', 'Current flow temperature'],
    ['dhw_storage_temp', 'DHW storage temperature'],
    ['cpu_temperature', 'CPU temperature'],
    ['battery_temperature', 'Battery temperature'],
    ['outdoor_temperature', 'Outdoor temperature'],
    ['water_temp', '冰水出水溫度'],
    ['pool', 'Pool water'],
    ['selected_room_target', 'Selected room temperature target'],
    ['dew_point', 'Dew point'],
  ])('such as %s', (id, name) => {
    const world = play()
    world.announce('sensor', id, {
      ...{ name, dev: { ids: 'x1', name: '設備' }, dev_cla: 'temperature', unit_of_meas: '°C', stat_t: 'x' },
    })
    expect(world.types()).toEqual(['905'])
  })

  it.each([
    ['temperature', 'Temperature'],
    ['zone1_room_temp', 'Room temperature'],
    ['boiler_room_temperature', 'Boiler room temperature'],
    ['floor_3_temperature', 'Floor 3 temperature'],
    ['living_temperature', '客廳 溫度'],
  ])('but not %s', (id, name) => {
    const world = play()
    world.announce('sensor', id, {
      ...{ name, dev: { ids: 'x1', name: '設備' }, dev_cla: 'temperature', unit_of_meas: '°C', stat_t: 'x' },
    })
    expect(world.types()).toEqual(['753'])
  })

  it('leave the air of a weather station what is indoors, and a second one is not lost', () => {
    const world = play()
    const station = { ids: 'ws', name: 'Station' }
    for (const [id, dev_cla, unit_of_meas] of [
      ['indoor_temperature', 'temperature', '°C'],
      ['indoor_humidity', 'humidity', '%'],
      ['outdoor_temperature', 'temperature', '°C'],
      ['outdoor_humidity', 'humidity', '%'],
      ['kitchen_temperature', 'temperature', '°C'],
    ] as const)
      world.announce('sensor', id, { name: id, dev: station, dev_cla, unit_of_meas, stat_t: `ws/${id}` })
    world.say('ws/indoor_temperature', '21')
    world.say('ws/indoor_humidity', '45')
    world.say('ws/outdoor_temperature', '33')
    world.say('ws/outdoor_humidity', '80')
    world.say('ws/kitchen_temperature', '24')
    expect(world.status('753')).toEqual({ Temperature: 21, Humidity: 45 })
    expect(sensors(world)).toEqual({
      outdoor_temperature: [33, '°C', 'temperature'],
      outdoor_humidity: [80, '%', 'humidity'],
      kitchen_temperature: [24, '°C', 'temperature'],
    })
  })
})

describe('heat meters', () => {
  const heat = (
    world: ReturnType<typeof play>,
    device: { name: string; model: string; manufacturer?: string },
  ) => {
    for (const [field, unit, device_class] of [
      ['total_energy_consumption_kwh', 'kWh', 'energy'],
      ['current_power_consumption_kw', 'kW', 'power'],
      ['total_volume_m3', 'm³', 'water'],
      ['volume_flow_m3h', 'm³/h', 'volume_flow_rate'],
      ['t1_temperature_c', '°C', 'temperature'],
      ['t2_temperature_c', '°C', 'temperature'],
    ] as const)
      world.say(`homeassistant/sensor/wmbusmeters_12345678/${field}/config`, {
        ...{
          device: { identifiers: ['wmbusmeters_12345678'], ...device },
          device_class,
          state_class: 'total',
        },
        ...{ name: `${device.name} ${field}`, state_topic: 'wmbusmeters/m', unit_of_measurement: unit },
        ...{ unique_id: `wmbusmeters_12345678_${field}`, value_template: `{{ value_json.${field} }}` },
      })
    world.say('wmbusmeters/m', {
      ...{ total_energy_consumption_kwh: 1234, current_power_consumption_kw: 2.1, total_volume_m3: 55 },
      ...{ volume_flow_m3h: 0.3, t1_temperature_c: 60, t2_temperature_c: 40 },
    })
  }

  it.each([
    { name: '熱量計', model: 'multical303', manufacturer: 'Kamstrup' },
    { name: 'Heizung', model: 'auto' },
  ])('are plain sensors and no meters of electricity: $name', (device) => {
    const world = play()
    heat(world, device)
    expect(new Set(world.types())).toEqual(new Set(['905']))
    const values = sensors(world)
    expect(values['total_energy_consumption_kwh']).toEqual([1234, 'kWh', 'heat'])
    expect(values['current_power_consumption_kw']?.[2]).toBe('heatPower')
    expect(values['t1_temperature_c']).toEqual([60, '°C', 'temperature'])
  })

  it.each([
    ['GJ', 'Energy'],
    ['MWh', 'Thermal energy'],
    ['kWh', '熱能'],
  ])('count heat by their unit or name: %s of %s', (unit_of_meas, name) => {
    const world = play()
    const dev = { ids: 'h1', name: '樓下' }
    world.announce('sensor', 'e1', { name, dev, dev_cla: 'energy', unit_of_meas, stat_t: 'h1/e' })
    world.say('h1/e', '12.5')
    expect(world.status('905')).toEqual({ Value: 12.5, Unit: unit_of_meas, Quantity: 'heat' })
  })

  it('are told from the meter of a heat pump, which counts electricity beside heat', () => {
    const world = play()
    const dev = { ids: 'hp', name: 'Heat pump' }
    for (const [id, dev_cla, unit_of_meas] of [
      ['electric_energy', 'energy', 'kWh'],
      ['electric_power', 'power', 'W'],
      ['heat_energy', 'energy', 'kWh'],
      ['flow_rate', 'volume_flow_rate', 'L/min'],
      ['flow_temperature', 'temperature', '°C'],
    ] as const)
      world.announce('sensor', id, { name: id, dev, dev_cla, unit_of_meas, stat_t: `hp/${id}` })
    for (const [id, value] of Object.entries({
      electric_energy: '5',
      electric_power: '900',
      heat_energy: '20',
    }))
      world.say(`hp/${id}`, value)
    expect(world.status('520')).toEqual({ AccumulatePower: 5, Power: 900 })
    expect(sensors(world)['heat_energy']).toEqual([20, 'kWh', 'heat'])
  })
})
