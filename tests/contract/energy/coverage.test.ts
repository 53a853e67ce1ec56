import { describe, expect, it } from 'vitest'
import {
  completeShare,
  isPeakAtLeast,
  knownIntervals,
  percentageOf,
  unmeasuredShare,
} from '../../../contract/energy/coverage.ts'

const none = { Measured: 0, Between: 0, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }

describe('the completeness of a time', () => {
  it('counts gaps between readings of meters on time and corrections, but not estimates', () => {
    expect(completeShare({ ...none, Measured: 24, Between: 72 })).toBe(1)
    expect(completeShare({ ...none, Measured: 3, Corrected: 1, Estimated: 4, Missing: 2, Withheld: 2 })).toBe(
      0.4,
    )
    expect(knownIntervals({ ...none, Measured: 1, Between: 2, Estimated: 3, Corrected: 4, Missing: 5 })).toBe(
      10,
    )
  })
  it('is empty if nothing is due', () => {
    expect([completeShare(none), unmeasuredShare(none)]).toEqual([0, 0])
  })
})

it('rounds a percentage to the less complete of both sides', () => {
  expect(percentageOf(1, 0.98)).toBe('plain')
  expect(percentageOf(0.9799, 1)).toBe('about')
  expect(percentageOf(1, 0.8)).toBe('about')
  expect(percentageOf(0.7999, 1)).toBe('none')
})

it('reports the highest demand as a lower bound unless 98 % was measured', () => {
  expect(isPeakAtLeast({ ...none, Measured: 98, Estimated: 1, Missing: 1 })).toBe(false)
  expect(isPeakAtLeast({ ...none, Measured: 97, Between: 3 })).toBe(true)
  expect(isPeakAtLeast(none)).toBe(false)
})
