import { describe, expect, it } from 'vitest'
import { sharesOf, silentOf } from '../../../../../src/custom-views/dashboard/cards/shares.ts'
import { spansOf, togetherOf, usageOf } from '../../../../../src/custom-views/dashboard/cards/usage-card.tsx'
import { line, point } from '../../../domain/energy/points.ts'

const at = (text: string) => Date.parse(text)

describe("sums of a home's days", () => {
  const days = [
    point(at('2025-09-30T00:00:00+08:00'), 1),
    point(at('2025-10-01T00:00:00+08:00'), 2),
    point(at('2025-10-02T00:00:00+08:00'), 4),
  ]
  const kWh = (points: { kWh: number | null }[]) => points.map((one) => one.kWh)

  it("give today, yesterday and the month by the home's own clock", () => {
    const usage = usageOf(days, at('2025-10-02T00:30:00+08:00'), 'Asia/Taipei')
    expect([kWh(usage.today), kWh(usage.yesterday), kWh(usage.month)]).toEqual([[4], [2], [2, 4]])
  })

  it('have no value for today if the day has changed since the answer', () => {
    const usage = usageOf(days, at('2025-10-03T00:00:10+08:00'), 'Asia/Taipei')
    expect([kWh(usage.today), kWh(usage.yesterday), kWh(usage.month)]).toEqual([[], [4], [2, 4]])
  })

  it("cover today, yesterday and the month by the home's own clock", () => {
    const { today, yesterday, month } = spansOf(at('2025-10-31T20:00:00Z'), 'Asia/Taipei')
    const days = [today, yesterday, month].map(({ from, to }) =>
      [from, to].map((one) => new Date(one).toJSON()),
    )
    expect(days).toEqual([
      ['2025-10-31T16:00:00.000Z', '2025-11-01T16:00:00.000Z'],
      ['2025-10-30T16:00:00.000Z', '2025-10-31T16:00:00.000Z'],
      ['2025-10-31T16:00:00.000Z', '2025-11-30T16:00:00.000Z'],
    ])
  })

  it('add up several homes', () => {
    const usage = usageOf(days, at('2025-10-02T08:00:00+08:00'), 'Asia/Taipei')
    expect(kWh(togetherOf([usage, usage]).month)).toEqual([2, 4, 2, 4])
  })
})

describe('the lines of a division', () => {
  it('are sorted by size with their shares; unknown or zero is hidden, and negative has no share', () => {
    const series = [
      line('small', 0, [1]),
      line('great', 0, [2, 1]),
      line('silent', 0, [null]),
      line('off', 0, [0]),
      line('untracked', 0, [-1]),
    ]
    expect(sharesOf(series)).toMatchObject([
      { key: 'great', kWh: 3, share: 0.75, coverage: { Measured: 8, Missing: 0 } },
      { key: 'small', kWh: 1, share: 0.25 },
      { key: 'untracked', kWh: -1, share: 0 },
    ])
  })

  it('name series with data points but without values, except in the first minutes', () => {
    const series = [line('told', 0, [1]), line('silent', 0, [null]), { Key: 'not begun', Points: [] }]
    const hour = { from: 0, to: 3_600_000 }
    expect(silentOf(series, hour, hour.to)).toEqual(['silent'])
    expect(silentOf(series, hour, 60_000)).toEqual([])
  })
})
