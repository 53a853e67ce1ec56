import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ClassOf,
  factorsOf,
  forecastOf,
  type PastDay,
  peakForecastOf,
  quartersOfShape,
  shapesOf,
} from '../../../contract/energy/forecast.ts'
import { parseDay, weekdayOf } from '../../../contract/time/periods.ts'
import { seeded } from '../../support/stored-energy.ts'

const byWeekday: ClassOf = weekdayOf
const TODAY = parseDay('2026-06-11')
const MONTH = { from: parseDay('2026-06-01'), today: TODAY, end: parseDay('2026-07-01') }

/** Days up to today, with kWh by day number. */
const past = (count: number, kWhOf: (day: number) => number | null): PastDay[] =>
  Array.from({ length: count }, (_, i) => {
    const day = TODAY - count + i
    const kWh = kWhOf(day)
    return { day, kWh, peakKw: kWh === null ? null : kWh / 10 }
  })
/** Office: Saturdays a third, Sundays a tenth, and randomly up to a tenth more or less. */
const office = (seed: number) => {
  const random = seeded(seed)
  return (day: number) =>
    100 * ([0.1, 1, 1, 1, 1, 1, 0.33][weekdayOf(day)] as number) * (0.95 + 0.1 * random())
}

describe('the factors of kinds of days', () => {
  it('are the use of days of a kind relative to the mean', () => {
    const factor = factorsOf(
      past(56, (day) => (weekdayOf(day) === 0 ? 0 : 7)),
      byWeekday,
    )
    expect(factor(TODAY)).toBeCloseTo(7 / 6)
    expect(factor(parseDay('2026-06-14'))).toBeCloseTo(0)
  })
  it('are 1 if kinds differ no more than single days do', () => {
    const random = seeded(3)
    const factor = factorsOf(
      past(56, () => 50 + 100 * random()),
      (day) => day % 2,
    )
    expect(Math.abs(factor(TODAY) - 1)).toBeLessThan(0.1)
    expect(
      factorsOf(
        past(56, () => 5),
        byWeekday,
      )(TODAY),
    ).toBe(1)
  })
  it('of few or no days are 1', () => {
    expect(
      factorsOf(
        past(13, (day) => day),
        byWeekday,
      )(TODAY),
    ).toBe(1)
    expect(
      factorsOf(
        past(56, () => null),
        byWeekday,
      )(TODAY),
    ).toBe(1)
  })
})

describe('the forecast of a month', () => {
  it('of equal days is their number times a day, and never below what is counted', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 1e5, noNaN: true }),
        fc.integer({ min: 2, max: 29 }),
        (kWh, over) => {
          const today = MONTH.from + over
          const days = Array.from({ length: 200 }, (_, i) => ({ day: today - 200 + i, kWh, peakKw: kWh }))
          const found = forecastOf(days, { ...MONTH, today }, byWeekday)
          expect(found?.total).toBeCloseTo(30 * kWh, 5)
          expect(found?.soFar).toBeCloseTo(over * kWh, 5)
          expect(found?.low ?? 0).toBeLessThanOrEqual((found?.total ?? 0) + 1e-6)
          expect(found?.low ?? Infinity).toBeGreaterThanOrEqual((found?.soFar ?? 0) - 1e-6)
        },
      ),
    )
  })

  it('beats the mean so far if weekdays differ, and then uses the rule', () => {
    const of = office(1)
    const found = forecastOf(past(210, of), MONTH, byWeekday)
    expect(found?.method).toBe('rule')
    expect(found?.errors.rule).toBeLessThan(0.5 * (found?.errors.floor ?? 0))
    let truth = found?.soFar ?? 0
    for (let day = TODAY; day < MONTH.end; day++) truth += of(day)
    expect(found?.low).toBeLessThan(truth)
    expect(found?.high).toBeGreaterThan(truth)
  })

  it('uses the floor, and names it, if the rule was no better at the last six origins', () => {
    const found = forecastOf(
      past(210, () => 5),
      MONTH,
      byWeekday,
    )
    expect(found).toMatchObject({ method: 'floor', errors: { rule: 0, floor: 0 } })
  })

  it('uses the floor without a range until there are earlier forecasts to compare', () => {
    expect(forecastOf(past(30, office(2)), MONTH, byWeekday)).toMatchObject({
      method: 'floor',
      low: null,
      high: null,
      errors: { rule: null, floor: null },
      origins: 0,
    })
  })

  it('starts on the third day, after 28 known days, and is unknown without a known day', () => {
    const days = past(210, office(1))
    expect(forecastOf(days, { ...MONTH, from: TODAY - 1 }, byWeekday)).toBeNull()
    expect(forecastOf(days, { ...MONTH, from: TODAY - 2 }, byWeekday)).not.toBeNull()
    expect(forecastOf(past(27, office(1)), MONTH, byWeekday)).toBeNull()
    const silent = past(210, (day) => (day >= MONTH.from ? null : 5))
    expect(forecastOf(silent, MONTH, byWeekday)).toBeNull()
  })

  it('treats an unknown day as a future one', () => {
    const days = past(210, (day) => (day === MONTH.from + 3 ? null : 5))
    const found = forecastOf(days, MONTH, byWeekday)
    expect(found?.soFar).toBe(45)
    expect(found?.total).toBeCloseTo(150)
  })

  it('is independent of days before its input range', () => {
    const of = past(400, office(7))
    const changed = of.map((one) => (one.day < TODAY - 300 ? { ...one, kWh: 9_999 } : one))
    expect(forecastOf(changed, MONTH, byWeekday)?.total).toBe(forecastOf(of, MONTH, byWeekday)?.total)
  })
})

describe('the peak of a month', () => {
  it('is at least what was reached', () => {
    const random = seeded(5)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (high) => {
        const days = past(210, (day) => (day === MONTH.from ? high : 50 + 20 * random()))
        const { soFar, upTo } = peakForecastOf(days, MONTH, byWeekday)
        expect(soFar).toBeGreaterThanOrEqual(high / 10)
        expect(upTo).toBeGreaterThanOrEqual(soFar as number)
      }),
      { numRuns: 20 },
    )
  })
  it('is unknown beyond what was reached while earlier forecasts are few', () => {
    expect(
      peakForecastOf(
        past(30, () => 10),
        MONTH,
        byWeekday,
      ),
    ).toEqual({ soFar: 1, upTo: null })
    expect(peakForecastOf([], MONTH, byWeekday)).toEqual({ soFar: null, upTo: null })
  })
})

describe('a future day in intervals', () => {
  const plain = new Float64Array(96)
  plain.fill(1, 32, 72)
  it('has the shape of days of its kind, and its own energy', () => {
    const shape = shapesOf([{ day: TODAY, kWh: plain }], byWeekday)
    const quarters = quartersOfShape(80, shape(TODAY + 7))
    expect(quarters[31]).toBe(0)
    expect(quarters[32]).toBeCloseTo(2)
    expect(quarters.reduce((sum, one) => sum + one, 0)).toBeCloseTo(80)
    // A kind without any day uses the mean of all kinds.
    expect(shape(TODAY + 1)).toEqual(shape(TODAY))
  })
  it('keeps its energy when clocks change', () => {
    const minutes = Array.from({ length: 92 }, (_, i) => (i < 8 ? i * 15 : i * 15 + 60))
    const quarters = quartersOfShape(80, shapesOf([], byWeekday)(TODAY), minutes)
    expect(quarters).toHaveLength(92)
    expect(quarters.reduce((sum, one) => sum + one, 0)).toBeCloseTo(80)
  })
})
