import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  classShapes,
  durationCurve,
  quantile,
  type ShapeDay,
  summaryOfLoad,
  weekShape,
} from '../../../contract/energy/load-shape.ts'
import { parseDay, quartersOfDay, wallMinute } from '../../../contract/time/periods.ts'

const MONDAY = parseDay('2026-06-01')
/** Day with this number of kWh in each quarter of an hour. */
const day = (
  offset: number,
  kWhAt: (quarter: number) => number,
  changes: Partial<ShapeDay> = {},
): ShapeDay => ({
  day: MONDAY + offset,
  type: offset % 7 === 6 ? 'offPeakDay' : offset % 7 === 5 ? 'saturday' : 'weekday',
  kWh: Float64Array.from({ length: 96 }, (_, i) => kWhAt(i)),
  isKnown: new Uint8Array(96).fill(1),
  ...changes,
})

describe('the hours of a week', () => {
  it('contain the mean power of each, with the number of hours, from Monday 0:00 on', () => {
    const cells = weekShape([
      day(0, (i) => (i < 4 ? 1 : 0)),
      day(7, (i) => (i < 4 ? 2 : 0)),
      day(6, () => 0.5),
    ])
    expect(cells).toHaveLength(168)
    expect(cells[0]).toEqual({ MeanKw: 6, Hours: 2 })
    expect(cells[1]).toEqual({ MeanKw: 0, Hours: 2 })
    expect(cells[24]).toEqual({ MeanKw: null, Hours: 0 })
    expect(cells[6 * 24 + 23]).toEqual({ MeanKw: 2, Hours: 1 })
  })

  it('exclude unknown ones', () => {
    const isKnown = new Uint8Array(96).fill(1)
    isKnown.fill(0, 0, 3)
    expect(weekShape([day(0, () => 1, { isKnown })])[0]).toEqual({ MeanKw: 4, Hours: 0.25 })
  })

  it('count a repeated hour at a clock change twice, and a skipped one never', () => {
    for (const [date, hour, hours] of [
      ['2026-10-25', 2, 2],
      ['2026-03-29', 2, 0],
    ] as const) {
      const number = parseDay(date)
      const quarters = quartersOfDay(number, 'Europe/Berlin')
      const minutes = Array.from({ length: quarters }, (_, i) => wallMinute(number, i, 'Europe/Berlin'))
      const cells = weekShape([
        {
          day: number,
          type: 'offPeakDay',
          kWh: new Float64Array(quarters).fill(1),
          isKnown: new Uint8Array(quarters).fill(1),
          minutes,
        },
      ])
      expect(cells[6 * 24 + hour]?.Hours).toBe(hours)
      expect(cells.reduce((sum, { Hours }) => sum + Hours, 0)).toBe(quarters / 4)
    }
  })

  it('contain all known energy, whatever is known', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.nat({ max: 60 }), fc.float({ min: 0, max: 100, noNaN: true }), fc.nat({ max: 96 })),
          { maxLength: 20 },
        ),
        (drawn) => {
          const days = drawn.map(([offset, kWh, from]) => {
            const isKnown = new Uint8Array(96)
            isKnown.fill(1, from)
            return day(offset, (i) => kWh * ((i * 7) % 5), { isKnown })
          })
          const known = days.reduce(
            (sum, one) =>
              sum + Array.from(one.kWh).reduce((of, kWh, i) => of + (one.isKnown[i] ? kWh : 0), 0),
            0,
          )
          const told = weekShape(days).reduce((sum, { MeanKw, Hours }) => sum + (MeanKw ?? 0) * Hours, 0)
          expect(told).toBeCloseTo(known, 4)
        },
      ),
    )
  })
})

describe('days of a kind', () => {
  it('are described by the 10th, 50th and 90th percentiles', () => {
    const days = Array.from({ length: 11 }, (_, i) => day(7 * i, () => i / 4))
    const [weekdays, ...others] = classShapes(days)
    expect(others).toEqual([])
    expect(weekdays).toMatchObject({ Class: 'weekday', Days: 11 })
    expect([weekdays?.P10[0], weekdays?.P50[0], weekdays?.P90[0]]).toEqual([1, 5, 9])
  })

  it('exclude partially known hours', () => {
    const isKnown = new Uint8Array(96).fill(1)
    isKnown[0] = 0
    expect(classShapes([day(0, () => 1, { isKnown })])[0]?.P50.slice(0, 2)).toEqual([null, 4])
  })
})

describe('a duration curve', () => {
  it('starts with the peak, never rises and ends with the minimum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 1, maxLength: 96 }),
        (values) => {
          const curve = durationCurve([day(0, (i) => values[i % values.length] as number)])
          expect(curve).toHaveLength(101)
          expect(curve[0]?.Kw).toBeCloseTo(Math.max(...values.slice(0, 96)) * 4)
          expect(curve.every(({ Kw }, i) => i === 0 || Kw <= (curve[i - 1]?.Kw ?? 0))).toBe(true)
        },
      ),
    )
  })
  it('without data has no points', () => expect(durationCurve([])).toEqual([]))
})

describe('a load as a whole', () => {
  it('has a load factor of 1 and only base load if it is constant', () => {
    expect(summaryOfLoad([day(0, () => 2), day(1, () => 2)])).toEqual({
      MeanKw: 8,
      PeakKw: 8,
      LoadFactor: 1,
      BaseKw: 8,
      BaseShare: 1,
      KnownHours: 48,
      Hours: 48,
    })
  })
  it('is null if nothing is known, not zero', () => {
    expect(summaryOfLoad([day(0, () => 0, { isKnown: new Uint8Array(96) })])).toMatchObject({
      MeanKw: null,
      PeakKw: null,
      LoadFactor: null,
      BaseShare: null,
      KnownHours: 0,
    })
  })
  it('uses the second lowest hour of a day as base load, to ignore one silent hour', () => {
    const { BaseKw, BaseShare } = summaryOfLoad([day(0, (i) => (i < 4 ? 0 : i < 40 ? 1 : 3))])
    expect(BaseKw).toBe(4)
    expect(BaseShare).toBeCloseTo(4 / ((36 + 56 * 3) / 24))
  })
})

it('interpolates a quantile between two values', () => {
  expect(quantile([], 0.5)).toBeNull()
  expect(quantile([4], 0.9)).toBe(4)
  expect(quantile([3, 1], 0.25)).toBe(1.5)
})
