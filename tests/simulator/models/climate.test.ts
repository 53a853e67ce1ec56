import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { airConditioner, dehumidifier, taiseia, ventilation } from '../../../simulator/models/taiseia.ts'
import { CALM, type Model, type World } from '../../../simulator/models/model.ts'
import { thermostat } from '../../../simulator/models/thermostat.ts'

const HOUR = 3600
const summer: World = { ...CALM, outdoors: 33, temperature: 29, humidity: 75, occupied: true }
const winter: World = { ...CALM, outdoors: 14, occupied: true }

/** Report after hours in one world. */
function after<State>(model: Model<State>, state: State, hours: number, world: World) {
  let now = state
  for (let minute = 0; minute < hours * 60; minute++) now = model.step(now, 60, world)
  return { state: now, report: model.report(now) as Record<string, number> }
}

describe('an air conditioner', () => {
  const on = (values: object) =>
    airConditioner.command(airConditioner.make('527', {}), { Switch: 1, ...values })

  it('cools to its target in summer and takes power for it', () => {
    const { state, report } = after(airConditioner, on({ ACMode: 0, TargetTemperature: 25 }), 4, summer)
    expect(report.IndoorTemperature).toBeCloseTo(25, 0)
    expect(report.OutdoorTemperature).toBe(33)
    expect(airConditioner.draws(state)).toBeGreaterThan(500)
  })

  it('heats in winter, and in auto mode does what the weather asks for', () => {
    const warm = on({ ACMode: 4, TargetTemperature: 22 })
    expect(after(airConditioner, warm, 4, winter).report.IndoorTemperature).toBeCloseTo(22, 0)
    const auto = on({ ACMode: 3, TargetTemperature: 24 })
    expect(after(airConditioner, auto, 4, winter).report.IndoorTemperature).toBeCloseTo(24, 0)
    expect(after(airConditioner, auto, 4, summer).report.IndoorTemperature).toBeCloseTo(24, 0)
  })

  it('does not cool by its fan alone, and lets the room go when it is off', () => {
    expect(after(airConditioner, on({ ACMode: 2 }), 6, summer).report.IndoorTemperature).toBeGreaterThan(35)
    const off = after(airConditioner, on({ Switch: 0 }), 12, summer)
    expect(off.report.IndoorTemperature).toBeGreaterThan(35)
    expect(airConditioner.draws(off.state)).toBe(0)
  })

  it('comes as far in one step as in many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 16, max: 30 }), (parts, target) => {
        const start = on({ TargetTemperature: target })
        let state = start
        for (let i = 0; i < parts; i++) state = airConditioner.step(state, HOUR / parts, summer)
        expect(state.temperature).toBeCloseTo(airConditioner.step(start, HOUR, summer).temperature, 6)
      }),
    )
  })

  it('turns itself off and on by its timers, which it shows in hours that are left', () => {
    const set = on({ OffTimer: 120 })
    expect(airConditioner.report(set)).toMatchObject({ Switch: 1, OffTimer: 120 })
    expect(after(airConditioner, set, 1.5, summer).report).toMatchObject({ Switch: 1, OffTimer: 60 })
    const { state, report } = after(airConditioner, set, 2.1, summer)
    expect(report).toMatchObject({ Switch: 0, OffTimer: 0 })
    const again = airConditioner.command(state, { OnTimer: 60 })
    expect(after(airConditioner, again, 1.1, summer).report).toMatchObject({ Switch: 1, OnTimer: 0 })
    expect(airConditioner.report(airConditioner.command(set, { Switch: 0 }))).toMatchObject({ OffTimer: 0 })
  })

  it('wants its filter cleaned after 300 hours of use', () => {
    const used = airConditioner.step(on({}), 299 * HOUR, summer)
    expect(airConditioner.report(used)).toMatchObject({ CleanFilter: 0 })
    expect(airConditioner.report(airConditioner.step(used, 2 * HOUR, summer))).toMatchObject({
      CleanFilter: 1,
    })
  })
})

describe('a dehumidifier', () => {
  const set = (values: Record<string, unknown>) => dehumidifier.command(dehumidifier.make('527', {}), values)

  it('dries to what is set and stops there', () => {
    const { state, report } = after(dehumidifier, set({ DehumidifierMode: 1, TargetHumidity: 50 }), 6, summer)
    expect(report.IndoorHumidity).toBeGreaterThanOrEqual(48)
    expect(report.IndoorHumidity).toBeLessThanOrEqual(51)
    expect(dehumidifier.draws(state)).toBeLessThan(300)
  })

  it('stops when its tank is full, until somebody empties it', () => {
    const empty = { ...summer, occupied: false, humidity: 95 }
    const full = after(dehumidifier, set({ DehumidifierMode: 2 }), 24, empty)
    expect(full.report).toMatchObject({ TankFull: 1, Switch: 1 })
    expect(full.report.IndoorHumidity).toBeGreaterThan(80)
    expect(after(dehumidifier, full.state, 1, summer).report.TankFull).toBe(0)
  })

  it('turns itself off after the hours it was given', () => {
    const given = set({ ScheduleOff: 3 })
    expect(after(dehumidifier, given, 2.5, summer).report).toMatchObject({ Switch: 1, ScheduleOff: 1 })
    expect(after(dehumidifier, given, 3.1, summer).report).toMatchObject({ Switch: 0, ScheduleOff: 0 })
  })
})

it('a ventilator lets less of the heat in with its heat exchanger', () => {
  const room = (BreathMode: number) =>
    after(ventilation, ventilation.command(ventilation.make('527', {}), { BreathMode }), 8, winter).report
      .IndoorTemperature as number
  expect(room(1)).toBeGreaterThan(room(2))
})

it.each([
  ['airConditioner', 1],
  ['dehumidifier', 4],
  ['ventilation', 14],
] as const)('a TaiSEIA device wired as %s says so', (appliance, TaiSEIAType) => {
  const state = taiseia.make('527', { appliance })
  expect(taiseia.report(taiseia.step(state, 60, summer))).toMatchObject({ TaiSEIAType })
})

describe('people', () => {
  const empty = { ...summer, occupied: false }

  it('switch an air conditioner, a thermostat and a ventilator on as they come and off as they go', () => {
    for (const model of [airConditioner, thermostat, ventilation] as Model<unknown>[]) {
      const switches = (state: unknown) => {
        const report = model.report(state) as { Switch?: number; ThermostatTable?: { Switch: number }[] }
        return report.ThermostatTable?.map(({ Switch }) => Switch) ?? [report.Switch]
      }
      const night = model.step(model.make('527', {}), 60, empty)
      expect(new Set(switches(night))).toEqual(new Set([0]))
      const day = model.step(night, 60, summer)
      expect(new Set(switches(day))).toEqual(new Set([1]))
      expect(new Set(switches(model.step(day, 60, empty)))).toEqual(new Set([0]))
    }
  })

  it('leave alone what was switched otherwise until they come or go', () => {
    const day = airConditioner.step(airConditioner.make('527', {}), 60, summer)
    const off = airConditioner.step(airConditioner.command(day, { Switch: 0 }), 60, summer)
    expect(airConditioner.report(off)).toMatchObject({ Switch: 0 })
  })
})

it('a thermostat moves only the zones it is asked to', () => {
  const zones = (report: Record<string, unknown>) =>
    report['ThermostatTable'] as { NodeID: number; Switch: number; Temperature: number }[]
  const state = thermostat.command(thermostat.make('525', { zones: 3 }), {
    ThermostatTable: [{ NodeID: 2, Switch: 1, TargetTemperature: 22.5 }],
  })
  const [, second, third] = zones(after(thermostat, state, 4, summer).report)
  expect(second).toMatchObject({ NodeID: 2, Switch: 1, TargetTemperature: 22.5 })
  expect(second?.Temperature).toBeCloseTo(24.5, 0)
  expect(third).toMatchObject({ NodeID: 3, Switch: 0 })
  expect(third?.Temperature).toBeGreaterThan(33)
})
