import { describe, expect, it } from 'vitest'
import { feedInLines, incomeOf, withFeedIn } from '../../../../gateway/features/tariffs/bills.ts'

const day = (kWh: number, FeedIn: number | null, ValidFrom = '2026-01-01') => ({ kWh, FeedIn, ValidFrom })

describe('sold energy', () => {
  it('is one negative line per price, with quantities to the hundredth', () => {
    expect(feedInLines([day(1.111, 2), day(2.222, 2), day(5, 3, '2026-02-01'), day(1, null)])).toMatchObject([
      { Item: 'feedIn', Quantity: 3.33, Price: 2, Factor: -1, Amount: -6.66, ValidFrom: '2026-01-01' },
      { Quantity: 5, Price: 3, Amount: -15, ValidFrom: '2026-02-01' },
    ])
  })

  it('is subtracted from the bill, but not from its energy', () => {
    const bill = { Lines: [], Total: 100, Energy: 80 }
    expect(withFeedIn(bill, [day(10, 2)])).toMatchObject({ Total: 80, Energy: 80 })
    expect(withFeedIn(bill, [day(10, null)])).toBe(bill)
  })

  it('has an unknown credit if a day has no price', () => {
    expect(incomeOf([day(10, 2), day(0, null)])).toBe(20)
    expect(incomeOf([day(10, 2), day(1, null)])).toBeNull()
    expect(incomeOf([])).toBe(0)
  })
})
