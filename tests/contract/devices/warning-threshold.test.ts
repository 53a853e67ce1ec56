import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breachesOf } from '../../../contract/devices/warning-threshold.ts'
import { WarningThreshold } from '../../../contract/devices/peripheral.ts'

const limits = { CurrentLower: 1, CurrentUpper: 20, VoltageLower: 200, VoltageUpper: 240 }
const set = { WarningThreshold: limits, ValueLimits: null }

describe('warning thresholds', () => {
  it('name the reading, the limit and the exceeded side', () => {
    expect(breachesOf(set, { AvgElectricCurrent: 21, Voltage: 199.5, Power: 1e6 })).toEqual([
      { field: 'AvgElectricCurrent', value: 21, limit: 20, side: 'upper' },
      { field: 'Voltage', value: 199.5, limit: 200, side: 'lower' },
    ])
  })

  it('apply to each line of a meter that measures several', () => {
    expect(breachesOf(set, { Current2: 0.5, Voltage3: 250 }).map(({ field }) => field)).toEqual([
      'Current2',
      'Voltage3',
    ])
  })

  it('allow every value between them, including the limits', () => {
    const within = fc.record({
      AvgElectricCurrent: fc.double({ min: 1, max: 20, noNaN: true }),
      Voltage: fc.double({ min: 200, max: 240, noNaN: true }),
    })
    fc.assert(fc.property(within, (status) => breachesOf(set, status).length === 0))
    expect(breachesOf(set, { AvgElectricCurrent: 20, Voltage: 200 })).toEqual([])
  })

  it('are ignored if not set or nothing was reported', () => {
    expect(breachesOf({ WarningThreshold: null, ValueLimits: null }, { Voltage: 0 })).toEqual([])
    expect(breachesOf(set, undefined)).toEqual([])
  })

  it('reject an upper limit below the lower one (§5)', () => {
    const { error } = WarningThreshold.safeParse({ ...limits, CurrentUpper: 0 })
    expect(error?.issues[0]?.message).toBe('upperBelowLower')
  })

  it.each([
    ['a missing value', { ...limits, VoltageUpper: undefined }],
    ['a current beyond 655350 A', { ...limits, CurrentUpper: 655_351 }],
    ['a voltage below 90 V', { ...limits, VoltageLower: 89 }],
    ['a voltage above 400 V', { ...limits, VoltageUpper: 401 }],
  ])('reject %s (§5)', (_, bad) => {
    expect(WarningThreshold.safeParse(bad).success).toBe(false)
  })
})
