import { describe, expect, it } from 'vitest'
import { factorsOf, type Line } from '../../../../src/custom-views/tariff/bill-words.ts'

const line = (changes: Partial<Line>): Line => ({
  Item: 'capacity',
  Detail: 'regular',
  Season: 'summer',
  ValidFrom: '2025-10-01',
  Quantity: 1,
  Unit: 'kW',
  Price: 1,
  Factor: 1,
  Amount: 1,
  ...changes,
})
const over = (Factor: number) => line({ Item: 'overCapacity', Detail: 'peak', Factor })

describe('the multiplier of a bill line', () => {
  it('is empty, or the months for a monthly charge', () => {
    expect(factorsOf(line({}), { Lines: [] })).toEqual([])
    expect(factorsOf(line({ Factor: 2 }), { Lines: [] })).toEqual([2])
  })

  it('is a multiple of the rate beyond the contract, and the months of the contract', () => {
    expect(factorsOf(over(3), { Lines: [line({})] })).toEqual([3])
    expect(factorsOf(over((2 * 15) / 31), { Lines: [line({ Factor: 15 / 31 })] })).toEqual([2, 15 / 31])
    // Two contracts in one season: the factor of its days.
    const two = { Lines: [line({ Factor: 10 / 30 }), line({ Factor: 20 / 30 })] }
    expect(factorsOf(over((3 * 20) / 30), two)).toEqual([3, 20 / 30])
    // A bill of two months.
    expect(factorsOf(over(4), { Lines: [line({ Factor: 2 })] })).toEqual([2, 2])
    expect(factorsOf(over(0.7), { Lines: [line({ Season: 'nonSummer', Factor: 0.35 })] })).toEqual([0.7])
  })
})
