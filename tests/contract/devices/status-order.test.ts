import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confirms, isCurrent, supersedes, toMillis } from '../../../contract/devices/status-order.ts'

describe('device timestamps', () => {
  it('with ten digits are seconds, with more are milliseconds', () => {
    expect(toMillis(1_700_000_000)).toBe(1_700_000_000_000)
    expect(toMillis(9_999_999_999)).toBe(9_999_999_999_000)
    expect(toMillis(10_000_000_000)).toBe(10_000_000_000)
    expect(toMillis(1_700_000_000_123)).toBe(1_700_000_000_123)
  })
  it('outside the valid range are rejected', () => {
    for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY]) expect(toMillis(bad)).toBeUndefined()
  })
  it('order reports: older ones never replace newer ones, equal ones do', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(supersedes({ Timestamp: a }, { Timestamp: b })).toBe(a >= b)
      }),
    )
    expect(supersedes({ Timestamp: 0 }, undefined)).toBe(true)
  })
})

it('confirms a command only if every requested value is reported', () => {
  expect(confirms({ Switch1: 1, Switch2: 0 }, { Switch1: 1 })).toBe(true)
  expect(confirms({ Switch1: 1 }, { Switch1: 1, Switch2: 0 })).toBe(false)
  expect(confirms({ Switch1: 0 }, { Switch1: 1 })).toBe(false)
})

it('treats a reading as current until the next one is due', () => {
  expect(isCurrent(0, 900, 899_999)).toBe(true)
  expect(isCurrent(0, 900, 900_000)).toBe(false)
})
