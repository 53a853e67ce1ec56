import { describe, expect, it } from 'vitest'
import { fitView, formatZoom, parseZoom } from '../../../../src/ui/chart/zoom.ts'
import { at, HOUR } from './support.ts'

const [from, to] = [at('2025-10-01T00:00:00+08:00'), at('2025-10-02T00:00:00+08:00')]
const lines = { from, to, zone: 'Asia/Taipei', bars: undefined }
const hours = { ...lines, bars: 'hour' as const }

describe('the zoomed part of a chart', () => {
  it('is empty outside the whole', () => {
    expect(fitView({ from: from - HOUR, to: from + HOUR }, lines)).toEqual({ from, to: from + HOUR })
    expect(fitView({ from: to, to: to + HOUR }, lines)).toBeUndefined()
  })

  it('is at least a minute of a line', () => {
    expect(fitView({ from, to: from + 59_999 }, lines)).toBeUndefined()
    expect(fitView({ from, to: from + 60_000 }, lines)).toEqual({ from, to: from + 60_000 })
  })

  it('is whole bars, at least two if there are two', () => {
    const part = { from: from + 1.5 * HOUR, to: from + 3.25 * HOUR }
    expect(fitView(part, hours)).toEqual({ from: from + HOUR, to: from + 4 * HOUR })
    expect(fitView({ from: part.from, to: part.from + 1 }, hours)).toEqual({
      from: from + HOUR,
      to: from + 3 * HOUR,
    })
    expect(fitView({ from: to - 1, to }, hours)).toEqual({ from: to - HOUR, to })
  })
})

describe('a zoom in the address', () => {
  it('survives a round trip, in whole milliseconds', () => {
    const text = formatZoom({ from: from + 0.5, to: to - HOUR - 0.5 })
    expect(text).toBe(`${from}..${to - HOUR}`)
    expect(parseZoom(text, { from, to })).toEqual({ from, to: to - HOUR })
  })

  it.each(['', '..', '1', 'a..b', '-1..2', `${'9'.repeat(16)}..1`])('is ignored in %o', (text) => {
    expect(parseZoom(text, { from, to })).toBeUndefined()
  })

  it('is ignored outside the period, or if reversed', () => {
    expect(parseZoom(formatZoom({ from: to, to: to + HOUR }), { from, to })).toBeUndefined()
    expect(parseZoom(`${to - HOUR}..${from + HOUR}`, { from, to })).toBeUndefined()
  })
})
