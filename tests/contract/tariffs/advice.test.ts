import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KnownPeriod, adviceRefusalOf } from '../../../contract/tariffs/advice.ts'
import { formatDay, parseDay } from '../../../contract/time/periods.ts'

const FIRST = parseDay('2025-07-01')
/** Consecutive periods of 30 days with the given properties; the first four and the 13th to 16th are summer. */
const periodsOf = (of: readonly Partial<KnownPeriod>[], from = 0): KnownPeriod[] =>
  of.map((changes, i) => ({
    EndDay: FIRST + (from + i + 1) * 30,
    Months: 1,
    Known: 1,
    Metered: 1,
    BusyMeasured: 1,
    HoursMeasured: 1,
    isSummer: (from + i) % 12 < 4,
    ...changes,
  }))
const all = { season: true, quarterHours: true, hours: true }
const good = (count: number) => Array.from({ length: count }, () => ({}))
const bad = (count: number) => Array.from({ length: count }, () => ({ Known: 0.949 }))
const ahead = periodsOf(good(14), 12)
const until = (periods: number) => formatDay(FIRST + (12 + periods) * 30)

describe('advice on plans and contracts', () => {
  it('is given with ten of twelve months known, two of them in summer', () => {
    expect(adviceRefusalOf(periodsOf([...good(10), ...bad(2)]), ahead, 12, all)).toBeNull()
    expect(adviceRefusalOf(periodsOf([...bad(2), ...good(10)]), ahead, 12, all)).toBeNull()
    expect(adviceRefusalOf(periodsOf(good(12).map(() => ({ Known: 0.95 }))), ahead, 12, all)).toBeNull()
  })

  it('is not given, with what is missing, and the day on which it will be enough', () => {
    expect(adviceRefusalOf(periodsOf([...bad(9), ...good(3)]), ahead, 12, all)).toEqual({
      Reason: 'coverage',
      Have: 3,
      Needed: 10,
      EnoughOn: until(7),
    })
    const withoutSummer = good(12).map(() => ({ isSummer: false }))
    expect(adviceRefusalOf(periodsOf(withoutSummer), ahead, 12, all)).toEqual({
      Reason: 'season',
      Have: 0,
      Needed: 2,
      EnoughOn: until(2),
    })
    expect(adviceRefusalOf(periodsOf(withoutSummer), ahead, 12, { ...all, season: false })).toBeNull()
  })

  it('is not given if no meter measured purchases, without a day', () => {
    const unmetered = good(12).map(() => ({ Metered: 0 }))
    const noSeason = { season: false, quarterHours: false, hours: false }
    const lack = { Reason: 'importMeter', Have: 0, Needed: 10 }
    expect(adviceRefusalOf(periodsOf(unmetered), ahead, 12, noSeason)).toEqual({
      ...lack,
      EnoughOn: until(10),
    })
    expect(adviceRefusalOf(periodsOf(unmetered), periodsOf(unmetered, 12), 12, noSeason)).toEqual({
      ...lack,
      EnoughOn: null,
    })
    expect(adviceRefusalOf(periodsOf(good(6)), ahead, 6, noSeason)?.Reason).toBe('coverage')
    expect(adviceRefusalOf(periodsOf([...unmetered.slice(10), ...good(10)]), ahead, 12, all)).toBeNull()
  })

  it('requires measured quarter-hours only for plans with contracts', () => {
    const estimated = periodsOf(good(12).map(() => ({ BusyMeasured: 0.25 })))
    const slow = periodsOf(
      good(14).map(() => ({ BusyMeasured: 0.25 })),
      12,
    )
    expect(adviceRefusalOf(estimated, ahead, 12, { ...all, quarterHours: false })).toBeNull()
    expect(adviceRefusalOf(estimated, ahead, 12, all)).toMatchObject({
      Reason: 'quarterHours',
      EnoughOn: until(10),
    })
    expect(adviceRefusalOf(estimated, slow, 12, all)).toMatchObject({ Have: 0, EnoughOn: null })
  })

  it('requires measured hours for every plan with hourly prices', () => {
    const monthly = periodsOf(good(12).map(() => ({ HoursMeasured: 0.01 })))
    const banded = { season: false, quarterHours: false, hours: true }
    expect(adviceRefusalOf(monthly, ahead, 12, banded)).toEqual({
      Reason: 'hours',
      Have: 0,
      Needed: 10,
      EnoughOn: until(10),
    })
    expect(adviceRefusalOf(monthly, ahead, 12, { ...banded, hours: false })).toBeNull()
    const twelve = (months: number) =>
      periodsOf(good(12).map((_, i) => ({ HoursMeasured: i < months ? 0.95 : 0.94 })))
    expect(adviceRefusalOf(twelve(10), ahead, 12, banded)).toBeNull()
    expect(adviceRefusalOf(twelve(9), ahead, 12, banded)).toMatchObject({ Reason: 'hours', Have: 9 })
  })

  it('counts two-month bills as two', () => {
    const two = periodsOf([{ Known: 0 }, ...good(5)]).map((one) => ({ ...one, Months: 2 }))
    expect(adviceRefusalOf(two, [], 12, all)).toBeNull()
    expect(
      adviceRefusalOf(
        two.map((one, i) => (i === 1 ? { ...one, Known: 0.5 } : one)),
        [],
        12,
        all,
      ),
    ).toMatchObject({
      Have: 8,
    })
  })

  const share = fc.constantFrom(0, 0.5, 0.94, 0.95, 1)
  const year = fc.array(fc.record({ Known: share, BusyMeasured: share, HoursMeasured: share }), {
    minLength: 12,
    maxLength: 12,
  })
  const needs = fc.record({ season: fc.boolean(), quarterHours: fc.boolean(), hours: fc.boolean() })

  it('is never suppressed because more is known', () => {
    fc.assert(
      fc.property(year, needs, fc.nat(11), (of, need, at) => {
        const better = of.map((period, i) =>
          i === at ? { Known: 1, BusyMeasured: 1, HoursMeasured: 1 } : period,
        )
        const [refused, then] = [of, better].map((one) => adviceRefusalOf(periodsOf(one), ahead, 12, need))
        expect(refused === null && then !== null).toBe(false)
      }),
    )
  })

  it('is given on the announced day, and not a bill earlier', () => {
    fc.assert(
      fc.property(year, needs, (of, need) => {
        const refused = adviceRefusalOf(periodsOf(of), ahead, 12, need)
        fc.pre(refused !== null)
        expect(refused?.Have).toBeLessThan(refused?.Needed ?? 0)
        // Known periods of another year follow, so eventually the data suffices.
        const later = [...periodsOf(of), ...ahead]
        const last = later.findIndex(({ EndDay }) => formatDay(EndDay) === refused?.EnoughOn)
        expect(last).toBeGreaterThan(11)
        expect(adviceRefusalOf(later.slice(last - 11, last + 1), [], 12, need)).toBeNull()
        expect(adviceRefusalOf(later.slice(last - 12, last), [], 12, need)).not.toBeNull()
      }),
    )
  })
})
