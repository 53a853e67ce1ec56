import { describe, expect, it } from 'vitest'
import { implausibleMonths } from '../../../../gateway/features/meters/meter-import-rows.ts'

const DAY = 96
const month = (number: number, kwh: number, known = 30 * DAY, meterId = 1) => ({
  meterId,
  month: number,
  kwh,
  known,
})
const doubted = (...of: Parameters<typeof implausibleMonths>) =>
  implausibleMonths(...of).map((one) => one.month)

describe('a month is implausible', () => {
  it("above five times the hourly rate of the meter's highest month", () => {
    const before = [month(1, 720), month(2, 300)]
    expect(doubted(before, [...before, month(3, 3_600)])).toEqual([])
    expect(implausibleMonths(before, [...before, month(3, 3_601)])).toEqual([
      { ...month(3, 3_601), limit: 3_600 },
    ])
    expect(doubted(before, [...before, month(3, 200, DAY)])).toEqual([3])
  })

  it('above the largest power of any meter, if this one is unknown', () => {
    expect(doubted([], [month(1, 10_000 * 720)])).toEqual([])
    expect(doubted([], [month(1, 10_001 * 720)])).toEqual([1])
  })

  it('above the configured or learned limit of its meter', () => {
    const mostKw = (meterId: number, number: number) => (meterId === 1 && number > 2 ? 80 : 60_000)
    const after = [
      month(2, 90 * 720),
      month(3, 90 * 720),
      month(4, 70 * 720),
      month(2, 50_000 * 720, 30 * DAY, 2),
    ]
    expect(doubted([], after, mostKw)).toEqual([3])
  })

  it('for its own meter only, with unknown hours only, and only if it grows', () => {
    const before = [month(1, 1, DAY, 2), month(5, 100_000), month(9, 1, 4)]
    expect(doubted(before, [month(5, 100_000), month(6, 50_000, 30 * DAY, 2)])).toEqual([])
    const low = [month(1, 720), month(2, 90_000, DAY)]
    expect(doubted(low, low)).toEqual([])
  })
})
