import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isPeriodOpen,
  nextPeriodChange,
} from '../../../../../gateway/features/automation/logic/schedule-clock.ts'
import type { Place } from '../../../../../contract/automation/home-calendar.ts'
import { DAY_KINDS, Window } from '../../../../../contract/automation/schedule.ts'
import { parseDay } from '../../../../../contract/time/periods.ts'
import { offPeakSet } from '../../../../../contract/tariffs/peak-days.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const DAILY = [0, 1, 2, 3, 4, 5, 6]

const placeIn = (zone: string, sun: Place['sun'] = () => null): Place => ({
  zone,
  offPeak: offPeakSet([]),
  sun,
})
const taipei = placeIn('Asia/Taipei')
const open = (From: Window['From'], To: Window['To'], given: Partial<Window> = {}): Window =>
  Window.parse({ Weekdays: DAILY, From, To, ...given })

/** Whether the rule is active at a local time in Taipei, and when that changes. */
const at = (period: Window[], when: string, place = taipei) => {
  const moment = Date.parse(`${when}+08:00`)
  const turn = nextPeriodChange(period, moment, place)
  return [
    isPeriodOpen(period, moment, place),
    turn && new Date(turn + 8 * 60 * MINUTE).toISOString().slice(0, 16),
  ]
}

describe('the period of an automation', () => {
  it('is always open if there is none', () => expect(at([], '2026-05-11T12:00')).toEqual([true, undefined]))

  it('is open from its start up to its end', () => {
    const day = [open(480, 1080)]
    expect(at(day, '2026-05-11T07:59')).toEqual([false, '2026-05-11T08:00'])
    expect(at(day, '2026-05-11T08:00')).toEqual([true, '2026-05-11T18:00'])
    expect(at(day, '2026-05-11T18:00')).toEqual([false, '2026-05-12T08:00'])
  })

  it('over midnight belongs to the day on which it started', () => {
    const fridays = [open(1080, 360, { Weekdays: [5] })]
    expect(at(fridays, '2026-05-15T05:59')).toEqual([false, '2026-05-15T18:00'])
    expect(at(fridays, '2026-05-16T05:59')).toEqual([true, '2026-05-16T06:00'])
    expect(at(fridays, '2026-05-16T18:00')).toEqual([false, '2026-05-22T18:00'])
  })

  it('of workdays over midnight continues into a holiday, but does not start on one', () => {
    const nights = [open(1080, 360, { Days: 'workdays' })]
    expect(at(nights, '2026-05-01T05:00')).toEqual([true, '2026-05-01T06:00'])
    expect(at(nights, '2026-05-01T18:00')).toEqual([false, '2026-05-04T18:00'])
  })

  it('of off-peak days is open on them only', () => {
    const holidays = [open(0, 0, { Days: 'offPeakDays' })]
    expect(at(holidays, '2026-04-30T12:00')).toEqual([false, '2026-05-01T00:00'])
    expect(at(holidays, '2026-05-01T12:00')).toEqual([true, '2026-05-02T00:00'])
  })

  it('with adjacent or overlapping windows changes when the last of them ends', () => {
    const both = [open(480, 720), open(720, 1080), open(600, 1200)]
    expect(at(both, '2026-05-11T09:00')).toEqual([true, '2026-05-11T20:00'])
  })

  it('that never closes or opens is checked again after 35 days', () => {
    expect(at([open(0, 0)], '2026-05-11T12:00')).toEqual([true, '2026-06-15T12:00'])
    const never = [open(0, 0, { Weekdays: [0], Days: 'workdays' })]
    expect(at(never, '2026-05-11T12:00')).toEqual([false, '2026-06-15T12:00'])
  })

  it('by the sun lasts from sunset to sunrise, and is closed if there is none', () => {
    const first = parseDay('2026-05-11')
    const sun: Place['sun'] = (day) =>
      day > first + 1 ? null : { sunrise: day * DAY - 3 * 60 * MINUTE, sunset: day * DAY + 10 * 60 * MINUTE }
    const night = [open({ Sun: 'sunset', Offset: 30 }, { Sun: 'sunrise', Offset: 0 })]
    const place = placeIn('Asia/Taipei', sun)
    expect(at(night, '2026-05-11T18:29', place)).toEqual([false, '2026-05-11T18:30'])
    expect(at(night, '2026-05-12T04:59', place)).toEqual([true, '2026-05-12T05:00'])
    expect(at(night, '2026-05-12T23:00', place)[0]).toBe(false)
  })

  it('that a spring clock change skips is closed, not open all day', () => {
    const berlin = placeIn('Europe/Berlin')
    const early = [open(150, 180)]
    expect(isPeriodOpen(early, Date.parse('2026-03-29T12:00Z'), berlin)).toBe(false)
    expect(isPeriodOpen(early, Date.parse('2026-03-30T00:45Z'), berlin)).toBe(true)
  })
})

const minute = fc.integer({ min: 0, max: 1439 })
const windows = fc.array(
  fc.record({
    Weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    From: minute,
    To: minute,
    Days: fc.constantFrom(...DAY_KINDS),
  }),
  { minLength: 1, maxLength: 4 },
)

describe('in every time zone', () => {
  it('the next change is the first time at which the state differs', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: parseDay('2020-01-01'), max: parseDay('2035-11-01') }),
        fc.integer({ min: 0, max: 1439 }),
        windows,
        (zone, day, after, period) => {
          const place = placeIn(zone)
          const from = day * DAY + after * MINUTE
          const turn = nextPeriodChange(period, from, place)!
          const now = isPeriodOpen(period, from, place)
          expect(turn).toBeGreaterThan(from)
          expect(turn === from + 35 * DAY || isPeriodOpen(period, turn, place) === !now).toBe(true)
          expect(isPeriodOpen(period, turn - 1, place)).toBe(now)
          const length = turn - from
          for (let i = 1; i < 40; i++)
            expect(isPeriodOpen(period, from + Math.floor((length * i) / 40), place)).toBe(now)
        },
      ),
      { numRuns: 150 },
    )
  })
})
