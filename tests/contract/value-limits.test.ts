import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  figureAt,
  limitablePaths,
  mayLimit,
  measuredFields,
} from '../../contract/devices/kinds/history-fields.ts'
import { deviceTypes } from '../../contract/devices/kinds/registry.ts'
import { MAX_VALUE_LIMITS, ValueLimits } from '../../contract/devices/peripheral.ts'
import { breachesOf } from '../../contract/devices/warning-threshold.ts'

const breaches = (limits: ValueLimits, status: object) =>
  breachesOf({ WarningThreshold: null, ValueLimits: limits }, status as Record<string, unknown>)

describe('limits of a measured value', () => {
  it('can be open on one side', () => {
    const limits = { PM25: { Lower: null, Upper: 35 }, Temperature: { Lower: 18, Upper: null } }
    expect(ValueLimits.safeParse(limits).success).toBe(true)
    expect(breaches(limits, { PM25: 36, Temperature: 17.5, Humidity: 99 })).toEqual([
      { field: 'PM25', value: 36, limit: 35, side: 'upper' },
      { field: 'Temperature', value: 17.5, limit: 18, side: 'lower' },
    ])
    expect(breaches(limits, { PM25: 35, Temperature: 18 })).toEqual([])
  })

  it('apply to a zone of a thermostat and a value of a Modbus table', () => {
    const limits = {
      'ThermostatTable.3.Temperature': { Lower: null, Upper: 28 },
      'ModbusValues.flow': { Lower: 1, Upper: 9 },
    }
    const status = {
      ThermostatTable: [
        { NodeID: 1, Temperature: 40 },
        { NodeID: 3, Temperature: 29 },
      ],
      ModbusValues: { flow: 0.5, level: 100 },
    }
    expect(breaches(limits, status).map(({ field, side }) => [field, side])).toEqual([
      ['ThermostatTable.3.Temperature', 'upper'],
      ['ModbusValues.flow', 'lower'],
    ])
  })

  it('ignore an unknown value', () => {
    const limits = { 'ModbusValues.flow': { Lower: 1, Upper: 9 }, Value: { Lower: 1, Upper: 2 } }
    expect(breaches(limits, { ModbusValues: { flow: null }, Value: '12' })).toEqual([])
    expect(breaches(limits, {})).toEqual([])
  })

  it('are listed after those of current and voltage, which stay unchanged', () => {
    const WarningThreshold = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 200, VoltageUpper: 240 }
    const both = { WarningThreshold, ValueLimits: { Power: { Lower: null, Upper: 1000 } } }
    expect(breachesOf(both, { Power: 1200, Voltage: 241 }).map(({ field }) => field)).toEqual([
      'Voltage',
      'Power',
    ])
  })

  it('allow every value between them', () => {
    const within = fc.double({ min: -5, max: 5, noNaN: true })
    fc.assert(
      fc.property(within, (Value) => {
        expect(breaches({ Value: { Lower: -5, Upper: 5 } }, { Value })).toEqual([])
      }),
    )
  })

  it.each([
    ['no quantity at all', {}, 'required'],
    ['neither side', { PM25: { Lower: null, Upper: null } }, 'required'],
    ['an upper limit below the lower one', { PM25: { Lower: 2, Upper: 1 } }, 'upperBelowLower'],
    [
      'too many quantities',
      Object.fromEntries(
        Array.from({ length: MAX_VALUE_LIMITS + 1 }, (_, i) => [`Value${i}`, { Lower: 1, Upper: null }]),
      ),
      'tooManyRows',
    ],
  ])('are rejected with %s', (_, bad, reason) => {
    expect(ValueLimits.safeParse(bad).error?.issues[0]?.message).toBe(reason)
  })
})

describe('the fields that can have limits', () => {
  it.each([
    ['753', ['PM25', 'Temperature', 'Humidity']],
    ['518', ['Power', 'PowerFactor']],
    ['905', ['Value']],
    ['901', ['Position']],
    ['903', []],
    ['516', []],
  ])('are those of a %s %j, and what any device measures of itself', (type, fields) => {
    expect(measuredFields(type)).toEqual([...fields, 'Battery', 'LinkQuality'])
  })

  it('never include current, voltage, a counter or a setting', () => {
    for (const { type } of deviceTypes)
      for (const path of ['AvgElectricCurrent', 'Current1', 'Voltage', 'Voltage3', 'AccumulatePower'])
        expect(mayLimit(type, path), `${type} ${path}`).toBe(false)
    expect(mayLimit('532', 'Brightness')).toBe(false)
    expect(mayLimit('527', 'TargetTemperature')).toBe(false)
  })

  it('include zones of a thermostat and values of a Modbus device, and of no other', () => {
    expect(mayLimit('525', 'ThermostatTable.3.Temperature')).toBe(true)
    expect(mayLimit('530', 'ModbusValues.flow')).toBe(true)
    for (const [type, path] of [
      ['525', 'ThermostatTable.300.Temperature'],
      ['525', 'ThermostatTable.3.TargetTemperature'],
      ['525', 'ModbusValues.flow'],
      ['530', 'ModbusValues.9x'],
      ['530', 'ModbusValues.flow.x'],
      ['753', 'PM25.x'],
      ['753', 'constructor'],
      ['9999', 'PM25'],
    ] as const)
      expect(mayLimit(type, path), path).toBe(false)
  })

  it('are offered by what the device reports', () => {
    const status = { ThermostatTable: [{ NodeID: 2, Temperature: 21 }], Battery: 50 }
    expect(limitablePaths('525', status)).toEqual(['Battery', 'ThermostatTable.2.Temperature'])
    expect(limitablePaths('530', { ModbusValues: { flow: 1 } })).toContain('ModbusValues.flow')
    expect(figureAt(status, 'ThermostatTable.2.Temperature')).toBe(21)
  })
})
