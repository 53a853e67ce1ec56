import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../../contract/device-kinds/status.ts'
import type { Alarm } from '../../../../contract/procedures/alarms.ts'
import type { Maintenance } from '../../../../contract/procedures/maintenance.ts'
import type { AnsweredPeripheral, Peripheral } from '../../../../contract/resources/peripheral.ts'
import { summarize, total } from '../../../../src/custom-views/dashboard/summarize.ts'
import { deviceRows } from '../../../../src/domain/device/device-rows.ts'
import { device, hub, NOW } from './devices.ts'
import { alarmRecord } from '../../../support/alarm-record.ts'

const statusOf = (statuses: Record<string, Record<string, unknown>>) => (uid: string) =>
  statuses[uid] && ({ PeripheralUID: uid, Timestamp: NOW, updateAt: NOW, ...statuses[uid] } as DeviceStatus)

const ONLINE = hub('on', true)
const OFFLINE = hub('off', false)

describe('a home at a glance', () => {
  it('has no alarm that a person has cleared, until a newer report, and in maintenance none but fire that is reported', () => {
    const rows = deviceRows({ Things: [ONLINE], Peripherals: [device('smoke', '756')] })
    const fire = (Timestamp: number) =>
      statusOf({ smoke: { PeripheralType: '756', SmokeState: 3, Timestamp } })
    const alarm = alarmRecord({
      RaisedAt: NOW,
      ReportedAt: NOW,
      Cleared: { By: '王小明', At: NOW, Reason: '已到現場' },
    })
    const maintenances: Maintenance[] = [
      {
        MaintenanceID: alarm.AlarmID,
        HomeID: 'h1',
        Scope: 'home',
        Subject: 'h1',
        Until: NOW + 1,
        Reason: '檢修',
        By: '王小明',
        StartedAt: NOW,
      },
    ]
    expect(summarize(rows, fire(NOW), NOW, { alarms: [alarm] }).alarms).toBe(0)
    expect(summarize(rows, fire(NOW + 1), NOW, { alarms: [alarm] }).alarms).toBe(1)
    expect(summarize(rows, fire(NOW), NOW, { maintenances }).alarms).toBe(1)
    const lost = deviceRows({
      Things: [OFFLINE],
      Peripherals: [device('smoke', '756', { ThingName: 'off' })],
    })
    expect(summarize(lost, fire(NOW), NOW, { maintenances }).alarms).toBe(0)
    expect(summarize(lost, fire(NOW), NOW).alarms).toBe(1)
  })

  it('counts every open alarm of the home once, also those that no device reports, but none of another home', () => {
    const rows = deviceRows({ Things: [ONLINE], Peripherals: [device('smoke', '756')] })
    const fire = statusOf({ smoke: { PeripheralType: '756', SmokeState: 3 } })
    const state = alarmRecord({ RaisedAt: NOW, ReportedAt: NOW })
    const rule = alarmRecord({
      Kind: 'rule',
      Source: 'rule:r1',
      AutomationID: 'r1',
      PeripheralUID: null,
      PeripheralType: null,
      Values: {},
    })
    const count = (...alarms: Alarm[]) => summarize(rows, fire, NOW, { alarms }).alarms
    expect(count(state)).toBe(1)
    expect(count(state, rule)).toBe(2)
    expect(count(rule)).toBe(2)
    expect(count(state, { ...rule, HomeID: 'h2' })).toBe(1)
    const calm = statusOf({ smoke: { PeripheralType: '756', SmokeState: 1, Timestamp: NOW + 1 } })
    expect(summarize(rows, calm, NOW, { alarms: [state] }).alarms).toBe(0)
  })

  it('adds up only the meters whose reading is younger than their update frequency', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [
        device('fresh', '514', { PowerMeterUpdateFrequency: 60 }),
        device('late', '514', { PowerMeterUpdateFrequency: 60 }),
        device('slow', '514', { PowerMeterUpdateFrequency: 3600 }),
        device('silent', '514'),
        device('counter', '514'),
      ],
    })
    const sum = summarize(
      rows,
      statusOf({
        fresh: { Power: 1500, Timestamp: NOW - 59_999 },
        late: { Power: 9000, Timestamp: NOW - 60_000 },
        slow: { Power: 250, Timestamp: NOW - 3_000_000 },
        counter: { AccumulatePower: 7 },
      }),
      NOW,
    )
    expect(sum.watts).toBe(1750)
    expect(sum.meters).toMatchObject({ count: 2, total: 5 })
  })

  it('says what a site uses by the roles of its meters: what comes in, less what is sold and stored', () => {
    const meter = (uid: string, Role: Peripheral['Role']) => device(uid, '514', { Role })
    const rows = (...Peripherals: AnsweredPeripheral[]) => deviceRows({ Things: [ONLINE], Peripherals })
    const powers = statusOf({
      grid: { Power: 1000 },
      roof: { Power: 4000 },
      sold: { Power: 500 },
      charge: { Power: 300 },
      lathe: { Power: 700 },
      second: { Power: 9000 },
      plant: { Power: 8000 },
    })
    const roof = meter('roof', 'generation')
    const others = [roof, meter('lathe', null), meter('second', 'check'), meter('plant', 'soldGeneration')]
    const site = [meter('grid', 'gridImport'), meter('sold', 'gridExport'), meter('charge', 'storageCharge')]
    expect(summarize(rows(...site, ...others), powers, NOW)).toMatchObject({
      watts: 1000 + 4000 - 500 - 300,
      meters: { count: 4, total: 4 },
    })
    // Where no meter sees the import a site uses what its loads use.
    expect(summarize(rows(...others), powers, NOW)).toMatchObject({
      watts: 700,
      meters: { count: 1, total: 1 },
    })
  })

  it('knows nothing of a door or motion sensor that is silent', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [device('door', '755'), device('motion', '754', { SilentAfter: 60 })],
    })
    const at = (now: number) => {
      const { doors, motion } = summarize(
        rows,
        statusOf({ door: { DoorState: 2 }, motion: { MotionState: 1 } }),
        now,
      )
      return { doors, motion }
    }
    const known = { count: 1, total: 1, unknown: 0 }
    const unknown = { count: 0, total: 1, unknown: 1 }
    expect(at(NOW)).toEqual({ doors: known, motion: known })
    expect(at(NOW + 3_600_000)).toEqual({ doors: known, motion: unknown })
    expect(at(NOW + 25 * 3_600_000)).toEqual({ doors: unknown, motion: unknown })
  })

  it('does not count a load twice: a meter below another one adds nothing', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [device('main', '514'), device('sub', '514', { ParentMeter: 'main' })],
    })
    const sum = summarize(rows, statusOf({ main: { Power: 1000 }, sub: { Power: 400 } }), NOW)
    expect(sum.watts).toBe(1000)
    expect(sum.meters).toMatchObject({ count: 1, total: 1 })
    expect(sum.devices).toBe(2)
  })

  it('counts a switch with several relays as one light, on when any of them is', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [device('three', '535'), device('two', '534'), device('one', '516')],
    })
    const sum = summarize(
      rows,
      statusOf({
        three: { Switch1: 0, Switch2: 1, Switch3: 1 },
        two: { Switch1: 0, Switch2: 0 },
        one: { Switch: 1 },
      }),
      NOW,
    )
    expect(sum.lights).toEqual({ count: 2, total: 3, unknown: 0 })
  })

  it('knows nothing of lights, doors and motion behind an offline hub, whatever they said last', () => {
    const behind = (uid: string, type: string) => device(uid, type, { ThingName: 'off' })
    const rows = deviceRows({
      Things: [ONLINE, OFFLINE],
      Peripherals: [
        behind('light', '516'),
        behind('door', '755'),
        behind('motion', '754'),
        device('open', '755'),
        device('closed', '755'),
        device('silent', '755'),
      ],
    })
    const sum = summarize(
      rows,
      statusOf({
        light: { Switch: 1 },
        door: { DoorState: 2 },
        motion: { MotionState: 1 },
        open: { DoorState: 2 },
        closed: { DoorState: 1 },
      }),
      NOW,
    )
    expect(sum.lights).toEqual({ count: 0, total: 1, unknown: 1 })
    expect(sum.doors).toEqual({ count: 1, total: 4, unknown: 2 })
  })

  it('names the hubs that are offline', () => {
    const sum = summarize(deviceRows({ Things: [ONLINE, OFFLINE], Peripherals: [] }), () => undefined, NOW)
    expect(sum.hubs).toMatchObject({ count: 1, total: 2 })
    expect(sum.offlineHubs).toEqual([{ ThingName: 'off', DeviceName: '閘道器 off' }])
  })

  it('leaves out Han modules, like the device list it links to', () => {
    const rows = deviceRows({ Things: [], Peripherals: [device('han', '523'), device('odd', '999')] })
    expect(summarize(rows, () => undefined, NOW).devices).toBe(1)
  })

  it('names the devices that say something is wrong: fire also behind a lost hub, readings while they are heard', () => {
    const limits = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 200, VoltageUpper: 240 }
    const rows = deviceRows({
      Things: [ONLINE, OFFLINE],
      Peripherals: [
        device('fire', '756'),
        device('fine', '756'),
        device('lost', '756', { ThingName: 'off' }),
        device('faulty', '756'),
        device('over', '514', { WarningThreshold: limits }),
        device('within', '514', { WarningThreshold: limits }),
        device('gone', '514', { WarningThreshold: limits, ThingName: 'off' }),
      ],
    })
    const states = {
      fire: { SmokeState: 3 },
      fine: { SmokeState: 1 },
      lost: { SmokeState: 3 },
      faulty: { SmokeState: 5 },
      over: { AvgElectricCurrent: 11 },
      within: { AvgElectricCurrent: 10 },
      gone: { AvgElectricCurrent: 11 },
    }
    const sum = summarize(rows, statusOf(states), NOW)
    expect(sum.alarming.map(({ PeripheralUID }) => PeripheralUID)).toEqual(['fire', 'lost', 'over'])
    expect(sum.alarms).toBe(3)
  })

  it('takes for lights what hangs on a light switch, not what a metered switch or a controller switches', () => {
    const rows = deviceRows({ Things: [ONLINE], Peripherals: [device('l', '516'), device('io', '526')] })
    expect(summarize(rows, statusOf({ l: { Switch: 1 }, io: { Switch1: 1 } }), NOW).lights).toMatchObject({
      count: 1,
      total: 1,
    })
  })

  it('adds up to the company', () => {
    const rows = deviceRows({
      Things: [ONLINE, OFFLINE],
      Peripherals: [device('m', '514'), device('d', '755')],
    })
    const one = summarize(rows, statusOf({ m: { Power: 10 }, d: { DoorState: 2 } }), NOW)
    expect(total([one, one])).toEqual({
      devices: 4,
      watts: 20,
      hubs: { count: 2, total: 4, unknown: 0 },
      meters: { count: 2, total: 2, unknown: 0 },
      doors: { count: 2, total: 2, unknown: 0 },
      lights: { count: 0, total: 0, unknown: 0 },
      motion: { count: 0, total: 0, unknown: 0 },
      alarms: 0,
    })
  })
})
