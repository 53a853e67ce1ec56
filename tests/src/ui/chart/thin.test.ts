import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BREAK, thinLine } from '../../../../src/ui/chart/draw.ts'

const minutes = (count: number) => Array.from({ length: count }, (_, i) => i * 60_000)
const all = (times: readonly number[]) => ({ from: 0, to: (times.at(-1) ?? 0) + 1 })

describe('thinning a line', () => {
  it('keeps every point if there are few', () => {
    const times = minutes(5)
    expect(thinLine({ times, values: [1, 2, 3, 4, 5] }, all(times), 100)).toEqual([0, 1, 2, 3, 4])
  })

  it('breaks at missing values', () => {
    const times = minutes(5)
    expect(thinLine({ times, values: [1, null, null, 4, 5] }, all(times), 100)).toEqual([0, BREAK, 3, 4])
  })

  it('breaks after too long without a value', () => {
    const times = [0, 60_000, 600_000, 660_000]
    const line = { times, values: [1, 2, 3, 4], gapMs: 120_000 }
    expect(thinLine(line, all(times), 100)).toEqual([0, 1, BREAK, 2, 3])
  })

  it('keeps one point beyond either edge, for the line to run through it', () => {
    const times = minutes(10)
    expect(thinLine({ times, values: times }, { from: 150_000, to: 290_000 }, 100)).toEqual([2, 3, 4, 5])
  })

  it('keeps every peak with any number of points', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { freq: 20 }), {
          minLength: 1,
          maxLength: 2_000,
        }),
        fc.integer({ min: 1, max: 60 }),
        (values, columns) => {
          const times = minutes(values.length)
          const places = thinLine({ times, values }, all(times), columns)
          const kept = places.filter((place) => place !== BREAK).map((place) => values[place] as number)
          const known = values.filter((value) => value !== null)
          expect(kept.length === 0 ? [] : [Math.min(...kept), Math.max(...kept)]).toEqual(
            known.length === 0 ? [] : [Math.min(...known), Math.max(...known)],
          )
          const drawn = places.filter((place) => place !== BREAK)
          expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b))
        },
      ),
    )
  })

  it('keeps the first and last point of each column, to join the neighbors', () => {
    const times = minutes(1_000)
    const values = times.map((_, i) => Math.sin(i * 7.7))
    const places = thinLine({ times, values }, { from: 0, to: 1_000 * 60_000 }, 10)
    for (let column = 0; column < 10; column++) {
      expect(places).toContain(column * 100)
      expect(places).toContain(column * 100 + 99)
    }
  })

  it('keeps at most four points per pixel column', () => {
    const times = minutes(100_000)
    const values = times.map((at) => Math.sin(at))
    expect(thinLine({ times, values }, all(times), 1_000).length).toBeLessThanOrEqual(4_000)
  })

  it('still shows a gap that is wider than a column', () => {
    const times = minutes(10_000)
    const values = times.map((_, i) => (i >= 4_000 && i < 5_000 ? null : 1))
    const places = thinLine({ times, values }, all(times), 100)
    expect(places.filter((place) => place === BREAK)).toHaveLength(1)
    expect(places.some((place) => place >= 4_000 && place < 5_000)).toBe(false)
  })
})
