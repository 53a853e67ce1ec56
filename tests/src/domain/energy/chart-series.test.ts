import { describe, expect, it } from 'vitest'
import { chartSeries, MAX_SERIES, REST } from '../../../../src/domain/energy/chart-series.ts'
import { seriesColor } from '../../../../src/ui/chart/energy-colors.ts'
import { HOUR, line, point } from './points.ts'

const words = {
  nameOf: (key: string) => `name ${key}`,
  colorOf: () => seriesColor(0),
  rest: 'others',
  before: 'before',
}
const starts = [0, HOUR, 2 * HOUR]

describe('the bars of a chart', () => {
  it('are stacked with the largest first, each with all its values', () => {
    const series = chartSeries(
      [line('a', 0, [1, null, 1]), line('b', 0, [5, 5, 5])],
      undefined,
      starts,
      'kwh',
      words,
    )
    expect(series.map(({ label, stack, values }) => [label, stack, values])).toEqual([
      ['name b', 'is', [5, 5, 5]],
      ['name a', 'is', [1, null, 1]],
    ])
    expect(series[1]?.figures).toMatchObject({ cost: [2, null, 2], co2: [0.5, null, 0.5] })
  })

  it('exclude series without data', () => {
    const series = chartSeries([line('a', 0, [null]), line('b', 0, [1])], undefined, starts, 'kwh', words)
    expect(series.map(({ key }) => key)).toEqual(['is b'])
  })

  it('show missing data, also for an empty series, and separately for the compared period', () => {
    const half = { Measured: 2, Between: 0, Estimated: 0, Corrected: 0, Missing: 2, Withheld: 0 }
    const partly = { Key: 'a', Points: [point(0, 1), point(HOUR, 1, { Coverage: half }), point(2 * HOUR, 1)] }
    const compared = { series: [{ Key: '', Points: [point(-HOUR, 9, { Coverage: half })] }], starts: [-HOUR] }
    const series = chartSeries([partly, line('b', 0, [2, 2, null])], compared, starts, 'kwh', words)
    expect(series.map(({ missing }) => missing)).toEqual([
      [0, 0.25, 0.5],
      [0, 0.25, 0.5],
      [0.5, 0, 0],
    ])
    const [alone] = chartSeries(
      [line('a', 0, [1, 1, 1]), line('b', 0, [null])],
      undefined,
      starts,
      'kwh',
      words,
    )
    expect(alone?.missing).toEqual([0.5, 0, 0])
  })

  it('stay empty next to a compared period with data: a gap, not another chart', () => {
    const compared = { series: [line('', -HOUR, [9])], starts: [-HOUR] }
    const series = chartSeries([line('a', 0, [null, null, null])], compared, starts, 'kwh', words)
    expect(series.map(({ key, values }) => [key, values[0]])).toEqual([
      ['is a', null],
      ['before', 9],
    ])
    expect(chartSeries([line('a', 0, [null])], undefined, starts, 'kwh', words)).toEqual([])
  })

  it('merge the smallest if there are too many, with the same total', () => {
    const many = Array.from({ length: 20 }, (_, i) => line(`m${i}`, 0, [i + 1, 0, null]))
    const series = chartSeries(many, undefined, starts, 'kwh', words)
    expect(series).toHaveLength(MAX_SERIES)
    expect(series.at(-1)).toMatchObject({ key: REST, label: 'others' })
    expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(210)
  })

  it('have distinct looks, including the rest, with any colors of the largest', () => {
    const many = Array.from({ length: 20 }, (_, i) => line(`${i}`, 0, [i < 8 ? 100 - i : 1]))
    const colorOf = (key: string) => seriesColor(Number(key))
    for (const first of [0, 1, 8, 20]) {
      const shifted = many.map((one) => ({ ...one, Key: String(Number(one.Key) + first) }))
      const series = chartSeries(shifted, undefined, starts, 'kwh', { ...words, colorOf })
      const looks = series.map(({ color }) => `${color.light} ${color.texture}`)
      expect(new Set(looks).size).toBe(MAX_SERIES)
    }
  })

  it('never hide the unmeasured remainder in the rest', () => {
    const many = Array.from({ length: 20 }, (_, i) => line(`m${i}`, 0, [i + 1]))
    const series = chartSeries([...many, line('untracked', 0, [-3])], undefined, starts, 'kwh', words)
    expect(series).toHaveLength(MAX_SERIES)
    expect(series.find(({ key }) => key === 'is untracked')?.values[0]).toBe(-3)
    expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(207)
  })

  it('have the compared period at the same places, as one series, with its own times', () => {
    const day = 24 * HOUR
    const compared = {
      series: [line('', -day, [7, 8, 9])],
      starts: [-day, -day + HOUR, -day + 2 * HOUR, -day + 3 * HOUR],
    }
    const before = chartSeries([line('', 0, [1, 2])], compared, starts, 'kwh', words).at(-1)
    expect(before).toMatchObject({ isFaint: true, stack: 'before', times: starts, values: [7, 8, 9] })
    expect(before?.trueTimes).toEqual([-day, -day + HOUR, -day + 2 * HOUR])
  })
})
