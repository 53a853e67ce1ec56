import { describe, expect, it } from 'vitest'
import {
  freePeriods,
  MAX_BOOKING_MINUTES,
  MINUTE,
  periodsOverlap,
  periodProblem,
} from '../../../contract/time/booking.ts'
import { formatDay, parseDay, toEpoch, toWallTime } from '../../../contract/time/periods.ts'
import { MAX_OCCURRENCES, movedAlong, occurrencesOf } from '../../../contract/bookings/booking-series.ts'

const HOUR = 60 * MINUTE
const period = (from: number, to: number) => ({ StartTimestamp: from * HOUR, EndTimestamp: to * HOUR })
const iso = (timestamp: number) => new Date(timestamp).toISOString().slice(0, 16)
const BERLIN = 'Europe/Berlin'

describe('a local time', () => {
  it('converts both ways in every zone and season', () => {
    for (const zone of ['Asia/Taipei', BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'UTC'])
      for (let day = 20_454; day < 20_454 + 365; day += 9)
        for (const minute of [0, 185, 720, 1439])
          expect(toWallTime(toEpoch(day, minute, zone), zone)).toEqual({ day, minute })
  })

  it('is moved forward if it is skipped, and is the first one if it occurs twice', () => {
    expect(iso(toEpoch(parseDay('2026-03-29'), 150, BERLIN))).toBe('2026-03-29T01:30')
    expect(iso(toEpoch(parseDay('2026-10-25'), 150, BERLIN))).toBe('2026-10-25T00:30')
  })
})

describe('a period', () => {
  it('overlaps a period that shares a minute, not an adjacent one', () => {
    expect(periodsOverlap(period(1, 2), period(2, 3))).toBe(false)
    expect(periodsOverlap(period(1, 2), { StartTimestamp: 2 * HOUR - 1, EndTimestamp: 3 * HOUR })).toBe(true)
  })

  it('can begin in the current minute and last a day', () => {
    const now = 10 * HOUR + 30_000
    const longest = { StartTimestamp: 10 * HOUR, EndTimestamp: 10 * HOUR + MAX_BOOKING_MINUTES * MINUTE }
    expect(periodProblem(longest, now)).toBeUndefined()
    expect(periodProblem({ ...longest, StartTimestamp: 10 * HOUR - MINUTE }, now)?.reason).toBe('tooBig')
    expect(periodProblem(period(9, 11), now)).toEqual({ field: 'StartTimestamp', reason: 'past' })
    expect(periodProblem(period(11, 11), now)?.reason).toBe('endBeforeStart')
    expect(periodProblem(period(11 + 24 * 400, 12 + 24 * 400), now)?.reason).toBe('tooBig')
  })
})

describe('free time', () => {
  it('and booked time add up to the whole, in any order', () => {
    const busy = [period(5, 6), period(1, 3), period(2, 4), period(9, 12)]
    expect(freePeriods(busy, period(0, 10), 60)).toEqual([period(0, 1), period(4, 5), period(6, 9)])
    expect(freePeriods(busy, period(0, 10), 90)).toEqual([period(6, 9)])
    expect(freePeriods([], period(0, 1), 60)).toEqual([period(0, 1)])
    expect(freePeriods([period(0, 1)], period(0, 1), 1)).toEqual([])
  })
})

describe('a series', () => {
  const first = (date: string, minute = 540, zone = BERLIN) => {
    const StartTimestamp = toEpoch(parseDay(date), minute, zone)
    return { StartTimestamp, EndTimestamp: StartTimestamp + HOUR }
  }
  const days = (date: string, repeat: Parameters<typeof occurrencesOf>[1]) =>
    occurrencesOf(first(date), repeat, BERLIN).map((one) => {
      const { day, minute } = toWallTime(one.StartTimestamp, BERLIN)
      expect(minute).toBe(540)
      return formatDay(day).slice(5)
    })

  it('keeps its local time through both clock changes', () => {
    const all = days('2026-01-30', { Every: 'week', Interval: 1, Weekdays: [], Until: '2026-12-01' })
    expect(all).toHaveLength(44)
  })

  it('falls on the chosen weekdays, every given number of weeks', () => {
    expect(
      days('2026-01-07', { Every: 'week', Interval: 2, Weekdays: [0, 1, 3], Until: '2026-01-25' }),
    ).toEqual(['01-07', '01-11', '01-19', '01-21', '01-25'])
  })

  it('skips months without its day', () => {
    expect(days('2026-01-31', { Every: 'month', Interval: 1, Weekdays: [], Until: '2026-06-01' })).toEqual([
      '01-31',
      '03-31',
      '05-31',
    ])
  })

  it('reports if it would exceed the maximum', () => {
    const repeat = { Every: 'day', Interval: 1, Weekdays: [], Until: '9999-12-31' } as const
    expect(occurrencesOf(first('2026-01-01'), { ...repeat, Weekdays: [] }, BERLIN)).toHaveLength(
      MAX_OCCURRENCES + 1,
    )
  })

  it('moves with one of its bookings, across a clock change', () => {
    const [from, to] = [first('2026-03-27'), first('2026-03-28', 600)]
    const moved = movedAlong(first('2026-04-03'), from, to, BERLIN)
    expect(toWallTime(moved.StartTimestamp, BERLIN)).toEqual({ day: parseDay('2026-04-04'), minute: 600 })
  })
})
