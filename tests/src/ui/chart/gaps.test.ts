import { describe, expect, it } from 'vitest'
import { gapSpans } from '../../../../src/ui/chart/gaps.ts'
import type { TimeSeries } from '../../../../src/ui/chart/model.ts'
import { bars, model } from './support.ts'

const line = (times: number[], more: Partial<TimeSeries> = {}): TimeSeries => ({
  ...bars('line', times, { gapMs: 10, ...more }),
  draw: 'line',
})
const view = { from: 0, to: 100 }
const gaps = (series: TimeSeries[], now = 1_000, part = view) =>
  gapSpans(model({ ...view, series, now }), part).map(({ from, to }) => [from, to])

describe('the gaps of a line chart', () => {
  it('are pauses longer than a line allows, including both ends', () => {
    expect(gaps([line([20, 30, 60, 70])])).toEqual([
      [0, 20],
      [30, 60],
      [70, 100],
    ])
    expect(gaps([line([5, 15, 25, 35, 45, 55, 65, 75, 85, 95])])).toEqual([])
    expect(gaps([line([])])).toEqual([[0, 100]])
  })
  it('end now: the future is not missing', () => {
    expect(gaps([line([5, 15, 25])], 40)).toEqual([[25, 40]])
    expect(gaps([line([5, 15, 25])], 30)).toEqual([])
    expect(gaps([line([5])], -1)).toEqual([])
  })
  it('are within the view, despite data outside of it', () => {
    expect(gaps([line([0, 50, 100])], 1_000, { from: 20, to: 60 })).toEqual([
      [20, 50],
      [50, 60],
    ])
    expect(gaps([line([0, 200])], 1_000)).toEqual([[0, 100]])
  })
  it('are those that all lines share', () => {
    expect(gaps([line([5, 15, 60, 70, 80, 90, 100]), line([40, 50])])).toEqual([
      [15, 40],
      [50, 60],
    ])
  })
  it('begin where a value is unknown', () => {
    const values = [1, null, null, 1, 1]
    expect(gaps([line([0, 8, 16, 24, 32], { values })], 32)).toEqual([[0, 24]])
  })
  it('are empty if a line may hold without limit, or for bars, which mark missing data', () => {
    const { gapMs: _gapMs, ...steady } = line([20])
    expect(gaps([steady])).toEqual([])
    expect(gaps([bars('bars', [0], {})])).toEqual([])
    expect(gaps([])).toEqual([])
  })
})
