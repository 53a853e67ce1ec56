import { roundEstimate } from '../../../contract/kernel/numbers.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  mayMove,
  type ClaimedMeter,
  floorOf,
  monthly,
  scaled,
  unionOf,
} from '../../../contract/findings/finding-life.ts'

const LENGTH = 6
const kWh = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: LENGTH, maxLength: LENGTH })
/** main is above a and b, b above c; d has no parent. */
const PARENTS = { main: null, a: 'main', b: 'main', c: 'b', d: null } as const
const NAMES = Object.keys(PARENTS) as (keyof typeof PARENTS)[]
const claims = fc.array(
  fc.record({ meter: fc.constantFrom(...NAMES, 'gone'), kWh: kWh.map((one) => Float64Array.from(one)) }),
  { maxLength: 6 },
)
const meters = fc.tuple(kWh, kWh, kWh, kWh).map(([a, b, c, d]): ClaimedMeter[] => {
  const rows = { a, b: b.map((one, i) => one + (c[i] as number)), c, d, main: [] as number[] }
  rows.main = rows.a.map((one, i) => one + (rows.b[i] as number))
  return NAMES.map((meter) => ({ meter, parent: PARENTS[meter], kWh: rows[meter] }))
})
const total = (values: Iterable<number>) => [...values].reduce((sum, one) => sum + one, 0)

describe('the union of claims', () => {
  it('is never negative, and never more than the home counted', () => {
    fc.assert(
      fc.property(claims, meters, (some, known) => {
        const union = unionOf(some, known, LENGTH)
        const counted = known.filter(({ parent }) => parent === null)
        for (let i = 0; i < LENGTH; i++) {
          const most = total(counted.map((meter) => meter.kWh[i] ?? 0))
          expect(union[i]).toBeGreaterThanOrEqual(0)
          expect(union[i]).toBeLessThanOrEqual(most + 1e-9)
        }
      }),
    )
  })

  it('never falls when a claim is added', () => {
    fc.assert(
      fc.property(claims, claims, meters, (some, more, known) => {
        const [fewer, all] = [unionOf(some, known, LENGTH), unionOf([...some, ...more], known, LENGTH)]
        for (let i = 0; i < LENGTH; i++) expect(all[i]).toBeGreaterThanOrEqual((fewer[i] as number) - 1e-9)
      }),
    )
  })

  it('equals the claim if there is one on a meter that counted as much', () => {
    fc.assert(
      fc.property(
        meters,
        fc.constantFrom(...NAMES),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (known, meter, part) => {
          const counted = known.find((one) => one.meter === meter)?.kWh ?? []
          const claim = Float64Array.from(counted, (one) => one * part)
          const union = unionOf([{ meter, kWh: claim }], known, LENGTH)
          for (let i = 0; i < LENGTH; i++) expect(union[i]).toBeCloseTo(claim[i] as number, 9)
        },
      ),
    )
  })

  it('counts a claim of a meter and its parent once', () => {
    const known: ClaimedMeter[] = [
      { meter: 'main', parent: null, kWh: [5] },
      { meter: 'a', parent: 'main', kWh: [3] },
      { meter: 'b', parent: 'main', kWh: [2] },
    ]
    const claim = (meter: string, one: number) => ({ meter, kWh: Float64Array.of(one) })
    expect([...unionOf([claim('main', 2), claim('a', 1.5)], known, 1)]).toEqual([2])
    expect([...unionOf([claim('main', 2), claim('a', 1.5), claim('b', 1)], known, 1)]).toEqual([2.5])
    expect([...unionOf([claim('a', 9)], known, 1)]).toEqual([3])
    expect([...unionOf([claim('gone', 9)], known, 1)]).toEqual([0])
  })
})

describe('the displayed saving', () => {
  it('has two significant digits', () => {
    expect([0, 4, 96, 1_249, 12_500, 12_499.6, 987_654].map(roundEstimate)).toEqual([
      0, 4, 96, 1_200, 13_000, 12_000, 990_000,
    ])
  })

  it('is per month of 30 days', () => {
    expect(monthly(28)).toBe(30)
  })

  it('starts at NT$ 300, or at one percent of the bill if that is more', () => {
    expect([0, 5_000, 100_000].map(floorOf)).toEqual([300, 300, 1_000])
  })

  it('has claims at both limits', () => {
    const claim = { meter: 'a', kWh: Float64Array.of(2), low: 0.5, high: 1.5 }
    expect([...(scaled([claim], 'low')[0]?.kWh ?? [])]).toEqual([1])
    expect([...(scaled([claim], 'high')[0]?.kWh ?? [])]).toEqual([3])
  })
})

describe('the life of a finding', () => {
  it('allows a person to accept, finish, postpone and reopen it, but not after it ended', () => {
    expect(mayMove('open', 'accepted')).toBe(true)
    expect(mayMove('accepted', 'done')).toBe(true)
    expect(mayMove('done', 'accepted')).toBe(true)
    expect(mayMove('dismissed', 'open')).toBe(true)
    expect(mayMove('done', 'dismissed')).toBe(false)
    expect(mayMove('verified', 'open')).toBe(false)
    expect(mayMove('expired', 'expired')).toBe(false)
    expect(mayMove('accepted', 'accepted')).toBe(true)
  })
})
