import { describe, expect, it } from 'vitest'
import { axisRange, barPieces, extent, missingSpans, partlySpans } from '../../../../src/ui/chart/bars.ts'
import { at, bars, HOUR, model, starts } from './support.ts'

const from = at('2025-10-01T00:00:00+08:00')
const times = starts('hour', '2025-10-01T00:00:00+08:00', '2025-10-01T03:00:00+08:00')
const view = { from, to: from + 3 * HOUR }

describe('bars', () => {
  it('are stacked, with a gap if nothing is known', () => {
    const series = [bars('a', times, { values: [1, null, 0] }), bars('b', times, { values: [2, 5, 1] })]
    const pieces = barPieces(model({ ...view, series }), view)
    expect(pieces.map(({ series, place, foot, head }) => [series.key, place, foot, head])).toEqual([
      ['a', 0, 0, 1],
      ['a', 2, 0, 0],
      ['b', 0, 1, 3],
      ['b', 1, 0, 5],
      ['b', 2, 0, 1],
    ])
  })

  it('stack negative values below zero separately', () => {
    const series = [bars('a', times, { values: [3, 3, 3] }), bars('rest', times, { values: [-1, 1, -2] })]
    const shown = model({ ...view, series })
    const rest = barPieces(shown, view).filter(({ series }) => series.key === 'rest')
    expect(rest.map(({ foot, head }) => [foot, head])).toEqual([
      [0, -1],
      [3, 4],
      [0, -2],
    ])
    expect(extent(shown, 0, view)).toEqual({ min: -2, max: 4 })
  })

  it('of different stacks are side by side within their period', () => {
    const series = [bars('now', times, {}), bars('before', times, { stack: 'before', isFaint: true })]
    const pieces = barPieces(model({ ...view, series }), view).filter(({ place }) => place === 0)
    const [now, before] = pieces
    expect(now?.from).toBeGreaterThan(from)
    expect(now?.to).toBeCloseTo(before?.from ?? 0, 3)
    expect(before?.to).toBeLessThan(from + HOUR)
  })

  it('mark the running one, but never in the compared past', () => {
    const series = [bars('now', times, {}), bars('before', times, { stack: 'before', isFaint: true })]
    const pieces = barPieces(model({ ...view, series, now: from + HOUR + 1 }), view)
    expect(
      pieces.filter(({ unfinished }) => unfinished).map(({ series, place }) => [series.key, place]),
    ).toEqual([['now', 1]])
  })

  it('of a month are as wide as its length', () => {
    const months = starts('month', '2025-01-01T00:00:00+08:00', '2025-04-01T00:00:00+08:00')
    const whole = { from: months[0] as number, to: at('2025-04-01T00:00:00+08:00') }
    const series = [bars('a', months, {})]
    const widths = barPieces(model({ ...whole, series, resolution: 'month' }), whole).map(
      ({ from, to }) => (to - from) / 0.76 / HOUR / 24,
    )
    expect(widths.map(Math.round)).toEqual([31, 28, 31])
  })
})

describe('an axis', () => {
  it('of energy begins at zero', () => {
    expect(axisRange({ min: 80, max: 100 }, true)[0]).toBe(0)
    expect(axisRange({ min: -5, max: 100 }, true)[0]).toBeLessThan(-5)
    expect(axisRange({ min: 0, max: 0 }, true)).toEqual([0, 1])
  })
  it('of a temperature does not begin at zero', () => {
    const [least, most] = axisRange({ min: 20, max: 22 }, false)
    expect(least).toBeGreaterThan(19)
    expect(most).toBeLessThan(23)
    expect(axisRange({ min: 21, max: 21 }, false)).toEqual([21 - 2.1, 21 + 2.1])
  })
  it('without data still has a range', () => {
    expect(axisRange(undefined, true)).toEqual([0, 1])
    expect(extent(model({ ...view, series: [] }), 1, view)).toBeUndefined()
  })
  it('includes the extremes behind a mean', () => {
    const line = {
      ...bars('t', times, { values: [1, 2, 3], low: [0, 1, -4], high: [2, 9, 4] }),
      draw: 'line' as const,
    }
    expect(extent(model({ ...view, series: [line] }), 0, view)).toEqual({ min: -4, max: 9 })
  })
})

describe('times without data', () => {
  const hours = starts('hour', '2025-10-01T00:00:00+08:00', '2025-10-01T06:00:00+08:00')
  const whole = { from, to: from + 6 * HOUR }
  const shown = (more: Parameters<typeof bars>[2], now = whole.to) =>
    model({ ...whole, now, series: [bars('a', hours, more)] })

  it('are merged if adjacent, and zero is data', () => {
    expect(missingSpans(shown({ values: [1, null, null, 0, null, 1] }), whole)).toEqual([
      { from: from + HOUR, to: from + 3 * HOUR },
      { from: from + 4 * HOUR, to: from + 5 * HOUR },
    ])
  })
  it('exclude those that have not ended', () => {
    const values = [1, null, null, null, null, null]
    expect(missingSpans(shown({ values }, from + 2.5 * HOUR), whole)).toEqual([
      { from: from + HOUR, to: from + 2 * HOUR },
    ])
  })
  it('are separate from partly known ones, if they have ended', () => {
    const values = [1, 1, null, 1, 1, null]
    const missing = [0, 0.1, 1, 0.5, 0.5, 0]
    const part = shown({ values, missing }, from + 4.5 * HOUR)
    expect(partlySpans(part, whole)).toEqual([
      { from: from + HOUR, to: from + 2 * HOUR },
      { from: from + 3 * HOUR, to: from + 4 * HOUR },
    ])
    expect(missingSpans(part, whole)).toEqual([{ from: from + 2 * HOUR, to: from + 3 * HOUR }])
    const past = shown({ values, missing, isFaint: true })
    expect(partlySpans(past, whole)).toEqual([])
  })
  it('exclude those that another series knows, unless it is only compared', () => {
    const values = [null, 1, 1, 1, 1, 1]
    const beside = (more: Parameters<typeof bars>[2]) =>
      missingSpans(
        model({ ...whole, now: whole.to, series: [bars('a', hours, { values }), bars('b', hours, more)] }),
        whole,
      )
    expect(beside({})).toEqual([])
    expect(beside({ isFaint: true })).toHaveLength(1)
  })
})
