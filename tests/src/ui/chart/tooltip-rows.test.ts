import { describe, expect, it } from 'vitest'
import { momentsOf, pixelAt } from '../../../../src/ui/chart/model.ts'
import { tooltipRows } from '../../../../src/ui/chart/use-point-words.ts'
import { bars, HOUR } from './support.ts'

const times = [0, HOUR, 2 * HOUR]
const columns = [{ key: 'Cost', label: 'NT$', format: String }]

describe('the tooltip', () => {
  const series = [
    bars('a', times, { values: [1, null, 3], figures: { Cost: [2, null, null] }, estimated: [0.25, 0, 0] }),
    bars('b', times, { values: [3, null, 5], figures: { Cost: [6, null, 10] } }),
    bars('before', times, {
      values: [100, 100, 100],
      isFaint: true,
      stack: 'before',
      trueTimes: [-2, -1, 0],
    }),
  ]
  it('lists every series with value, figure and share, and their sum without compared ones', () => {
    const { rows, sum } = tooltipRows({ series }, columns, 0, true)
    expect(rows.map(({ value, figures, share, estimated }) => [value, figures, share, estimated])).toEqual([
      [1, [2], 0.25, 0.25],
      [3, [6], 0.75, 0],
      [100, [null], null, 0],
    ])
    expect(rows[2]?.trueTime).toBe(-2)
    expect(sum).toEqual({ value: 4, figures: [8] })
  })
  it('shows nothing, not zero, for unknown values', () => {
    const { rows, sum } = tooltipRows({ series }, columns, HOUR, true)
    expect(rows.map(({ value, share }) => [value, share])).toEqual([
      [null, null],
      [null, null],
      [100, null],
    ])
    expect(sum).toEqual({ value: null, figures: [null] })
  })
  it('shows what is missing of each, and the range of a mean', () => {
    const mean = bars('mean', times, {
      values: [2, 3, 4],
      low: [1, 3, 2],
      high: [3, 3, 9],
      missing: [0, 0, 0.5],
    })
    const of = (at: number) => tooltipRows({ series: [mean] }, [], at, false).rows[0]
    expect(of(0)).toMatchObject({ missing: 0, range: { low: 1, high: 3 } })
    expect(of(HOUR)?.range).toBeUndefined()
    expect(of(2 * HOUR)).toMatchObject({ missing: 0.5, range: { low: 2, high: 9 } })
  })
  it('adds up the known values of further figures', () => {
    expect(tooltipRows({ series }, columns, 2 * HOUR, true).sum).toEqual({ value: 8, figures: [10] })
  })
  it('has no shares with a negative part, and no sum of what does not add up', () => {
    const negative = [bars('a', [0], { values: [5] }), bars('rest', [0], { values: [-1] })]
    const { rows, sum } = tooltipRows({ series: negative }, [], 0, true)
    expect(rows.map(({ share }) => share)).toEqual([null, null])
    expect(sum?.value).toBe(4)
    expect(tooltipRows({ series }, [], 0, false).sum).toBeUndefined()
  })
})

describe('series with different times', () => {
  const line = { ...bars('line', [0, 10, 20], { values: [1, 2, 3], gapMs: 15 }), draw: 'line' as const }
  const steps = { ...bars('steps', [5], { values: [1] }), draw: 'steps' as const }
  it('have all their times together, without duplicates', () => {
    expect([...Array.from(momentsOf([line, steps]))]).toEqual([0, 5, 10, 20])
    expect(momentsOf([line])).toBe(line.times)
    expect(momentsOf([])).toEqual([])
  })
  it('hold their last value for its validity', () => {
    expect([-1, 0, 5, 20, 35, 36].map((at) => pixelAt(line, at))).toEqual([-1, 0, 0, 2, 2, -1])
    expect([4, 5, 1e9].map((at) => pixelAt(steps, at))).toEqual([-1, 0, 0])
    expect(pixelAt(bars('bars', [0, 10], {}), 5)).toBe(-1)
  })
})
