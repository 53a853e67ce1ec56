import { describe, expect, it } from 'vitest'
import { meterForest } from '../../../../src/custom-views/electricity/meter-forest.ts'
import { keysOf, rankedLines } from '../../../../src/custom-views/electricity/ranked-lines.ts'
import { HOUR, line } from '../../domain/energy/points.ts'

const meters = [
  { PeripheralUID: 'main', ParentMeter: null },
  { PeripheralUID: 'press', ParentMeter: 'main' },
  { PeripheralUID: 'lathe', ParentMeter: 'main' },
  { PeripheralUID: 'silent', ParentMeter: 'main' },
]
const series = [
  line('main', 0, [5, 6]),
  line('press', 0, [3, 4]),
  line('lathe', 0, [1, 1]),
  line('silent', 0, [null, null]),
]
const before = [line('main', 0, [4, 4]), line('press', 0, [3, 5]), line('lathe', 0, [0.5, 0.5])]
const forest = meterForest(meters, series)
const ends = [HOUR, 2 * HOUR]

describe('a ranking', () => {
  it('is of leaf meters, of all meters, or of the lines of a division', () => {
    expect(keysOf('machine', forest, series).toSorted()).toEqual(['lathe', 'press', 'silent'])
    expect(keysOf('meter', forest, series).toSorted()).toEqual(['lathe', 'main', 'press', 'silent'])
    expect(keysOf('room', forest, [line('0', 0, [1]), line('untracked', 0, [1])])).toEqual(['0', 'untracked'])
  })

  it('begins with the largest value or the largest increase, and ends with unknown ones', () => {
    const keys = keysOf('meter', forest, series)
    const ranked = (order: 'amount' | 'change') =>
      rankedLines(keys, { series, before, ends }, 'kwh', order, 2 * HOUR)
    expect(ranked('amount').map(({ key }) => key)).toEqual(['main', 'press', 'lathe', 'silent'])
    expect(ranked('change').map(({ key, change }) => [key, change?.by])).toEqual([
      ['main', 3],
      ['lathe', 1],
      ['press', -1],
      ['silent', undefined],
    ])
  })

  it('compares only the finished part of a running period, and shows no change without a comparison', () => {
    const [press] = rankedLines(['press'], { series, before, ends }, 'cost', 'amount', HOUR)
    expect(press?.change).toMatchObject({ by: 0, soFar: true })
    const [alone] = rankedLines(['press'], { series, before: undefined, ends }, 'kwh', 'change', HOUR)
    expect(alone?.change).toBeUndefined()
  })
})
