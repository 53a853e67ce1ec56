import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { savingOfBills, sharesOf } from '../../../../../gateway/features/insight/logic/detected.ts'

const bill = (was: number, without: number, changes: object = {}) => ({
  actual: was,
  without,
  months: 1,
  measured: 1,
  ...changes,
})

describe('a saving on bills', () => {
  it('has high confidence if every bill saves alike', () => {
    expect(savingOfBills(Array.from({ length: 12 }, () => bill(1_000, 900)))).toEqual({
      amount: 100,
      low: 100,
      high: 100,
      confidence: 'high',
    })
  })

  it('has low confidence if one bill contributes all of it', () => {
    const bills = [bill(3_000, 1_800), ...Array.from({ length: 11 }, () => bill(1_000, 1_000))]
    expect(savingOfBills(bills)).toMatchObject({ amount: 100, low: 0, confidence: 'low' })
  })

  it('has a wider range if less of the bills was measured', () => {
    const bills = Array.from({ length: 12 }, () => bill(1_000, 900, { measured: 0.9 }))
    const { amount, low, high, confidence } = savingOfBills(bills)
    expect([amount, confidence]).toEqual([100, 'high'])
    expect(low).toBeCloseTo(90, 9)
    expect(high).toBeCloseTo(110, 9)
    expect(savingOfBills(bills.map((one) => ({ ...one, measured: 0.2 })))).toMatchObject({
      confidence: 'medium',
    })
  })

  it('is monthly, even for two-month bills, and within its range', () => {
    expect(savingOfBills([bill(1_000, 800, { months: 2 }), bill(1_000, 800, { months: 2 })]).amount).toBe(100)
    const any = fc.record({
      actual: fc.float({ min: 0, max: 1e6, noNaN: true }),
      without: fc.float({ min: 0, max: 1e6, noNaN: true }),
      months: fc.constantFrom(1, 2),
      measured: fc.float({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 12 }), (bills) => {
        const { amount, low, high } = savingOfBills(bills)
        expect(low).toBeLessThanOrEqual(amount)
        expect(high).toBeGreaterThanOrEqual(amount)
      }),
    )
  })
})

describe('shares of a headline', () => {
  it('add up to it to the cent, in proportion to the amounts', () => {
    expect(sharesOf(30, [20, 20])).toEqual([15, 15])
    const amounts = fc.array(fc.float({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(fc.nat(1e7), amounts, (cents, of) => {
        fc.pre(of.some((one) => one > 0))
        const shares = sharesOf(cents / 100, of)
        expect(Math.round(shares.reduce((sum, one) => sum + one, 0) * 100)).toBe(cents)
      }),
    )
  })

  it('are empty without findings', () => {
    expect(sharesOf(0, [])).toEqual([])
    expect(sharesOf(0, [5])).toEqual([0])
  })
})
