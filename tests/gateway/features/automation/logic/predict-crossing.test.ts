import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  predictCrossing,
  sumPeriodOf,
} from '../../../../../gateway/features/automation/logic/predict-crossing.ts'

const ZONE = 'Asia/Taipei'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Monday, 9:00 in Taipei. */
const NINE = Date.UTC(2026, 0, 5, 1)
const hour = { field: 'HourlyKwh', sum: 6, pace: 12, limit: 10, clear: 9.8, isNotified: false } as const

describe('a rising sum', () => {
  it('crosses its limit at the rate of the last hour', () => {
    expect(predictCrossing(hour, NINE + 30 * MINUTE, ZONE)).toBe(NINE + 50 * MINUTE)
    expect(predictCrossing({ ...hour, field: 'DailyKwh', limit: 90 }, NINE, ZONE)).toBe(NINE + 7 * HOUR)
    expect(predictCrossing({ ...hour, field: 'MonthlyKwh', limit: 1206 }, NINE, ZONE)).toBe(NINE + 100 * HOUR)
  })

  it('does not if its period ends before, if it falls, or if it already has', () => {
    const at = NINE + 30 * MINUTE
    expect(predictCrossing({ ...hour, pace: 8 }, at, ZONE)).toBeNull()
    expect(predictCrossing({ ...hour, pace: -1 }, at, ZONE)).toBeNull()
    expect(predictCrossing({ ...hour, sum: 10.1 }, at, ZONE)).toBeNull()
  })

  it('is not predicted too early in its period, or with unknown values', () => {
    expect(predictCrossing(hour, NINE + 6 * MINUTE - 1, ZONE)).toBeUndefined()
    expect(predictCrossing(hour, NINE + 6 * MINUTE, ZONE)).not.toBeUndefined()
    const midnight = sumPeriodOf('DailyKwh', NINE, ZONE).from
    expect(predictCrossing({ ...hour, field: 'DailyKwh' }, midnight + HOUR - 1, ZONE)).toBeUndefined()
    const month = sumPeriodOf('MonthlyKwh', NINE, ZONE).from
    expect(predictCrossing({ ...hour, field: 'MonthlyKwh' }, month + 24 * HOUR - 1, ZONE)).toBeUndefined()
    expect(predictCrossing({ ...hour, sum: null }, NINE + 30 * MINUTE, ZONE)).toBeUndefined()
    expect(predictCrossing({ ...hour, pace: null }, NINE + 30 * MINUTE, ZONE)).toBeUndefined()
  })

  it('keeps its prediction while it is only slightly less likely', () => {
    const at = NINE + 30 * MINUTE
    expect(predictCrossing({ ...hour, pace: 7.9, isNotified: true }, at, ZONE)).toBeUndefined()
    expect(predictCrossing({ ...hour, pace: 7.5, isNotified: true }, at, ZONE)).toBeNull()
  })

  it('crosses within its period and in the future', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_600_000 - 1 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (elapsed, sum, pace) => {
          const at = predictCrossing({ ...hour, sum, pace }, NINE + elapsed, ZONE)
          if (at === null || at === undefined) return
          expect(at).toBeGreaterThanOrEqual(NINE + elapsed)
          expect(at).toBeLessThanOrEqual(NINE + HOUR)
        },
      ),
    )
  })
})
