import { formatLack } from '../../../../contract/kernel/numbers.ts'
import { describe, expect, it } from 'vitest'
import {
  beganAt,
  correctedShare,
  differenceOf,
  betweenShare,
  estimatedShare,
  isBeforeMeters,
  missingShare,
  totalOf,
  quarantinedShare,
} from '../../../../src/domain/energy/totals.ts'
import { line, point } from './points.ts'

const coverage = { Measured: 0, Between: 0, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }

describe('a total', () => {
  it('adds up known values, and is unknown rather than zero without any', () => {
    expect(totalOf([point(0, 1), point(1, null), point(2, 3)])).toMatchObject({
      kWh: 4,
      Cost: 8,
      CarbonKg: 2,
    })
    expect(totalOf([point(0, null)])).toMatchObject({ kWh: null, Cost: null, CarbonKg: null })
  })
  it('detects energy that was used without a tariff', () => {
    expect(totalOf([point(0, 1, { Cost: null }), point(1, 1)])).toMatchObject({
      Cost: 2,
      withoutTariff: true,
    })
    expect(totalOf([point(0, 0, { Cost: null }), point(1, null)]).withoutTariff).toBe(false)
  })
  it('shows how much was estimated, corrected, between readings, missing and pending a decision', () => {
    const some = { ...coverage, Measured: 6, Estimated: 2, Missing: 2 }
    const slow = { ...coverage, Measured: 2, Between: 6, Missing: 2, Withheld: 1 }
    expect([betweenShare(slow), quarantinedShare(slow), estimatedShare(slow)]).toEqual([0.75, 0.1, 0])
    expect(estimatedShare(some)).toBe(0.25)
    expect(missingShare(some)).toBe(0.2)
    expect(correctedShare({ ...some, Corrected: 8 })).toBe(0.5)
    expect([estimatedShare(coverage), correctedShare(coverage), missingShare(coverage)]).toEqual([0, 0, 0])
  })
})

describe('time before the meters existed', () => {
  const before = (at: number) => point(at, null, { Coverage: coverage })
  it('is neither missing nor known, and ends with the first period that is either', () => {
    expect(beganAt([before(0), before(1), point(2, null), point(3, 1)])).toBe(2)
    expect(missingShare(totalOf([before(0), point(2, null), point(3, 1)]).Coverage)).toBe(0.5)
    expect(beganAt([point(0, null), point(1, 1)])).toBeUndefined()
    expect(beganAt([before(0), before(1)])).toBeUndefined()
    expect([isBeforeMeters([before(0)]), isBeforeMeters([before(0), point(1, null)])]).toEqual([true, false])
  })
})

describe('the difference to another period', () => {
  const points = (values: (number | null)[]) => line('', 0, values).Points
  const ends = [10, 20, 30]
  it('compares the whole if both have ended', () => {
    expect(differenceOf(points([1, 2, 3]), points([2, 2, 4]), ends, 30, 'kwh')).toEqual({
      before: 8,
      by: -2,
      share: -0.25,
      soFar: false,
      partly: false,
      complete: [1, 1],
    })
  })
  it('compares only finished bars while the period runs', () => {
    expect(differenceOf(points([1, 2, null]), points([2, 2, 4]), ends, 15, 'kwh')).toEqual({
      before: 2,
      by: -1,
      share: -0.5,
      soFar: true,
      partly: false,
      complete: [1, 1],
    })
  })
  it('excludes on both sides what either side hardly knows', () => {
    const hardly = point(2, 50, { Coverage: { ...coverage, Measured: 1, Missing: 3 } })
    const now = [...points([1, 2]), hardly, point(3, 8)]
    const before = points([null, 4, 4, 4])
    expect(differenceOf(now, before, [10, 20, 30, 40], 40, 'kwh')).toEqual({
      before: 8,
      by: 2,
      share: 0.25,
      soFar: false,
      partly: true,
      complete: [13 / 16, 0.75],
    })
  })
  it('excludes on one side bars that the meters existed for only briefly', () => {
    const late = point(0, 1, { Coverage: { ...coverage, Measured: 1 } })
    const difference = differenceOf(points([9, 6]), [late, point(1, 4)], [10, 20], 20, 'kwh')
    expect(difference).toMatchObject({ before: 4, by: 2, partly: true })
  })
  it('compares whole months of different length', () => {
    const difference = differenceOf(points([1, 1, 1]), points([1, 1]), ends, 30, 'kwh')
    expect(difference).toMatchObject({ before: 2, by: 1, partly: false })
  })
  it('knows how complete either side is, without energy estimated over a silence', () => {
    const slow = point(0, 1, { Coverage: { ...coverage, Measured: 1, Between: 3 } })
    const silent = point(0, 1, { Coverage: { ...coverage, Measured: 3, Estimated: 1 } })
    expect(differenceOf([slow], [silent], [10], 10, 'kwh')).toMatchObject({ complete: [1, 0.75], by: 0 })
  })
  it('has no share of zero', () => {
    expect(differenceOf(points([1]), points([0]), [10], 10, 'kwh')).toMatchObject({ by: 1, share: null })
  })
  it('is unknown if one side is unknown', () => {
    expect(differenceOf(points([1]), points([null]), [10], 10, 'kwh')).toBeUndefined()
    expect(differenceOf(points([1]), points([1]), [10], 5, 'kwh')).toBeUndefined()
  })
})

describe('the unknown share', () => {
  it('is never rounded to zero if it is positive', () => {
    expect([0, 0.0001, 0.0005, 0.25].map(formatLack)).toEqual(['0.0%', '<0.1%', '0.1%', '25.0%'])
  })
})
