import fc from 'fast-check'
import { expect, it } from 'vitest'
import { daysOffOf, type TypedDay } from '../../../../../gateway/features/insight/logic/days-off.ts'
import { type Night, nightRiseOf } from '../../../../../gateway/features/insight/logic/night-base.ts'
import { quantile } from '../../../../../contract/energy/load-shape.ts'
import type { DayType } from '../../../../../contract/time/periods.ts'

/** Straightforward implementation of the rules, without optimization. */
const END = 200
const plainQuantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const [low = 0, high = low] = sorted.slice(below)
  return low + (high - low) * (place - below)
}
const middle = (values: readonly number[]) => plainQuantile(values, 0.5)
const spread = (values: readonly number[]) => middle(values.map((one) => Math.abs(one - middle(values))))
const limit = (values: readonly number[], factor: number) =>
  middle(values) + factor * Math.max((3 * spread(values)) / Math.sqrt(3), 0.2 * middle(values))

function hasNightRisen(nights: readonly Night[], drift: number, factor: number): boolean {
  const kws = (from: number, end: number) =>
    nights.flatMap(({ day, kw }) => (kw !== null && day >= from && day < end ? [kw] : []))
  return [END, END - 1, END - 2].every((end) => {
    const [usual, recent] = [kws(end - 42, end - 14), kws(end - 7, end)]
    const scaled = usual.map((kw) => kw * Math.max(1, drift))
    return usual.length >= 0.9 * 28 && recent.length >= 6 && middle(recent) > limit(scaled, factor)
  })
}

function reasonOf(days: readonly TypedDay[], factor: number): 'risen' | 'high' | undefined {
  const known = days.flatMap(({ kWh, ...one }) => (kWh === null ? [] : [{ ...one, kWh }]))
  const of = (type: DayType, from = -Infinity) =>
    known.flatMap((one) => (one.type === type && one.day >= from ? [one.kWh] : []))
  const all = [of('weekday'), of('saturday'), of('offPeakDay')]
  const [weekday = 0, saturday = 0, sunday = 0] = all.map(middle)
  const withSaturdays = all.every(({ length }) => length > 0) && saturday < (weekday + sunday) / 2
  const off = known.filter(({ type }) => type === 'offPeakDay' || (withSaturdays && type === 'saturday'))
  const last = off.filter(({ day }) => day >= END - 28).slice(-2)
  const workdays = of('weekday', END - 28)
  const work = middle(workdays)
  if (last.length < 2 || workdays.length === 0 || work <= 0) return undefined
  const earlier = off.filter(({ day }) => day >= END - 112 && day < (last[0]?.day ?? END))
  const usual = earlier.slice(0, Math.max(6, earlier.length - 2)).map(({ kWh }) => kWh)
  if (usual.length >= 6 && last.every(({ kWh }) => kWh > limit(usual, factor))) return 'risen'
  const values = off.map(({ kWh }) => kWh)
  const now = middle(last.map(({ kWh }) => kWh))
  const isHigh = now > 0.6 * factor * work && now > plainQuantile(values, 0.25) * (1 + 0.2 * factor)
  return values.length >= 6 && isHigh ? 'high' : undefined
}

const anyKw = fc.option(fc.double({ min: 0, max: 50, noNaN: true }).map((kw) => kw || 0))
/** Many levels, few levels, and levels that change once. */
const levels = (length: number) =>
  fc.oneof(
    fc.array(anyKw, { minLength: length, maxLength: length }),
    fc.array(fc.constantFrom(1, 1, 1.1, 2, null), { minLength: length, maxLength: length }),
    fc
      .record({
        before: fc.integer({ min: 1, max: 9 }),
        after: fc.integer({ min: 1, max: 19 }),
        at: fc.nat(length),
        noise: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: length, maxLength: length }),
      })
      .map(({ before, after, at, noise }) => noise.map((one, i) => (i < at ? before : after) + one)),
  )
const factors = fc.constantFrom(1, 1.5, 3)

it('computes a quantile as by sorting', () => {
  const values = fc.array(
    fc.oneof(
      fc.integer({ min: -3, max: 3 }).map((one) => one || 0),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((one) => one || 0),
    ),
    { minLength: 1, maxLength: 130 },
  )
  fc.assert(
    fc.property(values, fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 0.99, 1), (some, share) => {
      const given = [...some]
      expect(quantile(some, share)).toBe(plainQuantile(some, share))
      expect(some).toEqual(given)
    }),
    { numRuns: 500 },
  )
})

it('detects risen nights exactly when the rule does', () => {
  const found = new Set<boolean>()
  fc.assert(
    fc.property(
      levels(60),
      fc.constantFrom(0.8, 1, 1.3),
      factors,
      fc.boolean(),
      (kws, drift, factor, turned) => {
        const nights = kws.map((kw, i) => ({ day: END - 60 + i, kw }))
        const rise = nightRiseOf(turned ? nights.toReversed() : nights, END, { drift, factor, before: null })
        found.add(rise !== undefined)
        expect(rise !== undefined).toBe(hasNightRisen(nights, drift, factor))
      },
    ),
    { numRuns: 500 },
  )
  expect(found.size).toBe(2)
})

it('detects days off with high use exactly when the rule does', () => {
  const found = new Set<string | undefined>()
  const typeOf = (day: number): DayType => (['offPeakDay', 'saturday'] as const)[day % 7] ?? 'weekday'
  fc.assert(
    fc.property(levels(113), factors, fc.double({ min: 0.1, max: 2, noNaN: true }), (kWhs, factor, share) => {
      const days = kWhs.map((kWh, i): TypedDay => {
        const day = END - 113 + i
        return { day, type: typeOf(day), kWh: kWh !== null && day % 7 < 2 ? kWh * share : kWh }
      })
      const reason = daysOffOf(days, END, { factor, before: null })?.reason
      found.add(reason)
      expect(reason).toBe(reasonOf(days, factor))
    }),
    { numRuns: 500 },
  )
  expect(found).toEqual(new Set(['risen', 'high', undefined]))
})
