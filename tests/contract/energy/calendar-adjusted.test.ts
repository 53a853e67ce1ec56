import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EnergyPoint } from '../../../contract/energy/meter-data-calls.ts'
import { calendarAdjusted } from '../../../contract/energy/calendar-adjusted.ts'
import { parseDay, weekdayOf, weekdayYearBefore } from '../../../contract/time/periods.ts'
import { dayTypeOf } from '../../../contract/tariffs/tariff-terms.ts'

const DAY = 86_400_000
const typeOf = (timestamp: number) => dayTypeOf(timestamp / DAY, new Set())
const point = (day: number, kWh: number | null, Missing = 0): EnergyPoint => ({
  Timestamp: day * DAY,
  kWh,
  Cost: kWh === null ? null : kWh * 3,
  CarbonKg: kWh,
  Coverage: {
    Measured: kWh === null ? 0 : 96 - Missing,
    Between: 0,
    Estimated: 0,
    Corrected: 0,
    Missing,
    Withheld: 0,
  },
  Resets: 0,
})
const days = (from: string, count: number) => Array.from({ length: count }, (_, i) => parseDay(from) + i)
/** Consumption by kind of day. */
const USED = { weekday: 10, saturday: 4, offPeakDay: 1 }
const month = (from: string, count: number) =>
  days(from, count).map((day) => point(day, USED[dayTypeOf(day, new Set())]))
const sum = (points: readonly EnergyPoint[]) => points.reduce((all, { kWh }) => all + (kWh ?? 0), 0)

describe('a month on the calendar of another', () => {
  it('equals that month if every kind of day uses the same', () => {
    // 20 weekdays in February 2025, 21 in June: only the calendars differ.
    const [june, february] = [month('2025-06-01', 30), month('2025-02-01', 28)]
    expect(sum(june)).not.toBe(sum(february))
    expect(sum(calendarAdjusted(june, february, typeOf))).toBe(sum(june))
  })

  it('is unknown for a kind of day without a known one in the other month', () => {
    const weekdays = month('2025-06-01', 30).filter(({ kWh }) => kWh === USED.weekday)
    const adjusted = calendarAdjusted(month('2025-07-01', 7), weekdays, typeOf)
    expect(adjusted.map(({ kWh }) => kWh)).toEqual([10, 10, 10, 10, null, null, 10])
    const [hardly] = days('2025-06-02', 1)
    expect(calendarAdjusted(weekdays.slice(0, 1), [point(hardly ?? 0, 3, 60)], typeOf)[0]).toMatchObject({
      kWh: null,
    })
  })

  it('is the mean by kind of day times its number, in every figure', () => {
    const used = fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { minLength: 28, maxLength: 31 })
    fc.assert(
      fc.property(used, fc.nat(10_000), fc.integer({ min: 1, max: 31 }), (kWh, offset, count) => {
        const base = kWh.map((of, i) => point(20_000 + i, of))
        const asked = Array.from({ length: count }, (_, i) => point(20_000 + offset + i, null))
        const adjusted = calendarAdjusted(asked, base, typeOf)
        const expected = ['weekday', 'saturday', 'offPeakDay'].reduce((all, type) => {
          const of = base.filter(({ Timestamp }) => typeOf(Timestamp) === type)
          const times = asked.filter(({ Timestamp }) => typeOf(Timestamp) === type).length
          return all + (sum(of) / of.length) * times
        }, 0)
        expect(sum(adjusted)).toBeCloseTo(expected, 4)
        expect(adjusted.reduce((all, { Cost }) => all + (Cost ?? 0), 0)).toBeCloseTo(3 * expected, 3)
      }),
    )
  })

  it('is compared by weekday a year ago', () => {
    for (const day of days('2024-02-20', 400)) {
      expect(weekdayOf(weekdayYearBefore(day))).toBe(weekdayOf(day))
      expect(day - weekdayYearBefore(day)).toBe(364)
    }
  })
})
