import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Place } from '../../../../../contract/automation/home-calendar.ts'
import {
  latestMissed,
  nextRun,
  nextRuns,
  runsBetween,
} from '../../../../../gateway/features/automation/logic/schedule-clock.ts'
import { DAY_KINDS, Repeating } from '../../../../../contract/automation/schedule.ts'
import { parseDay, weekdayOf, toEpoch, toWallTime } from '../../../../../contract/time/periods.ts'
import { offPeakSet } from '../../../../../contract/tariffs/peak-days.ts'

const HOUR = 3_600_000
const DAILY = [0, 1, 2, 3, 4, 5, 6]

const placeIn = (zone: string, given: Partial<Place> = {}): Place => ({
  zone,
  offPeak: offPeakSet([]),
  sun: () => null,
  ...given,
})
const taipei = placeIn('Asia/Taipei')
const repeating = (given: Partial<Repeating>): Repeating =>
  Repeating.parse({ Weekdays: DAILY, At: 480, ...given })

/** Runs after a date in the local time of the zone. */
const shownIn = (zone: string, runs: number[]) =>
  runs.map((at) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at),
  )
const of = (zone: string, schedule: Partial<Repeating>, from: string, to: string, place = placeIn(zone)) =>
  shownIn(zone, runsBetween(repeating(schedule), Date.parse(from), Date.parse(to), place))

describe('a recurring schedule', () => {
  it('runs on its weekdays at local time of its home', () => {
    expect(of('Asia/Taipei', { Weekdays: [1, 3] }, '2026-05-10T00:00Z', '2026-05-20T00:00Z')).toEqual([
      '2026-05-11 08:00',
      '2026-05-13 08:00',
      '2026-05-18 08:00',
      '2026-05-20 08:00',
    ])
  })

  it('is not next at the exact time at which it runs', () => {
    const at = Date.parse('2026-05-11T00:00Z')
    expect(nextRun(repeating({}), at - 1, taipei)).toBe(at)
    expect(nextRun(repeating({}), at, taipei)).toBe(at + 24 * HOUR)
  })

  it('in Berlin runs an hour later if spring skips its time, and once in autumn', () => {
    expect(of('Europe/Berlin', { At: 150 }, '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
      '2026-03-29 03:30',
      '2026-03-30 02:30',
    ])
    const autumn = runsBetween(
      repeating({ At: 150 }),
      Date.parse('2026-10-24T12:00Z'),
      Date.parse('2026-10-26T12:00Z'),
      placeIn('Europe/Berlin'),
    )
    expect(autumn.map((at) => new Date(at).toISOString())).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('in New York does the same at its own clock changes', () => {
    expect(of('America/New_York', { At: 150 }, '2026-03-08T00:00Z', '2026-03-09T12:00Z')).toEqual([
      '2026-03-08 03:30',
      '2026-03-09 02:30',
    ])
    expect(of('America/New_York', { At: 90 }, '2026-11-01T00:00Z', '2026-11-02T12:00Z')).toEqual([
      '2026-11-01 01:30',
      '2026-11-02 01:30',
    ])
  })

  it('on Lord Howe, with a half-hour clock change, is half an hour later', () => {
    expect(of('Australia/Lord_Howe', { At: 135 }, '2026-10-03T06:00Z', '2026-10-05T00:00Z')).toEqual([
      '2026-10-04 02:45',
      '2026-10-05 02:15',
    ])
    expect(of('Australia/Lord_Howe', { At: 105 }, '2026-04-04T06:00Z', '2026-04-06T00:00Z')).toEqual([
      '2026-04-05 01:45',
      '2026-04-06 01:45',
    ])
  })

  it('of workdays excludes weekends, holidays and extra working days', () => {
    const [from, to] = ['2026-05-01T00:00+08:00', '2026-05-05T00:00+08:00']
    expect(of('Asia/Taipei', { Days: 'workdays' }, from, to)).toEqual(['2026-05-04 08:00'])
    const working = placeIn('Asia/Taipei', {
      offPeak: offPeakSet([{ Day: parseDay('2026-05-01'), IsOffPeak: false }]),
    })
    expect(of('Asia/Taipei', { Days: 'workdays' }, from, to, working)).toEqual([
      '2026-05-01 08:00',
      '2026-05-04 08:00',
    ])
  })

  it('of off-peak days runs on nothing else', () => {
    expect(
      of('Asia/Taipei', { Days: 'offPeakDays' }, '2026-04-01T00:00+08:00', '2026-05-31T00:00+08:00'),
    ).toEqual(['2026-04-04 08:00', '2026-04-05 08:00', '2026-05-01 08:00'])
  })

  it('stays within its first and last day, without its exceptions', () => {
    const schedule = { From: '2026-07-02', Through: '2026-07-05', Except: ['2026-07-04'] }
    expect(of('Asia/Taipei', schedule, '2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual([
      '2026-07-02 08:00',
      '2026-07-03 08:00',
      '2026-07-05 08:00',
    ])
  })

  it('without a remaining day never runs', () => {
    expect(
      nextRun(repeating({ Through: '2026-01-01' }), Date.parse('2026-01-02T00:00Z'), taipei),
    ).toBeUndefined()
    const never = repeating({ Weekdays: [0, 6], Days: 'workdays' })
    expect(nextRun(never, Date.parse('2026-01-02T00:00Z'), taipei)).toBeUndefined()
  })

  it('by the sun runs at an offset from sunrise or sunset, and not on a day without one', () => {
    const sunset = Date.parse('2026-06-21T10:47Z')
    const day = parseDay('2026-06-21')
    const place = placeIn('Asia/Taipei', {
      sun: (asked) =>
        asked === day + 1
          ? null
          : {
              sunrise: sunset + (asked - day) * 24 * HOUR - 13 * HOUR,
              sunset: sunset + (asked - day) * 24 * HOUR,
            },
    })
    const schedule = repeating({ At: { Sun: 'sunset', Offset: -30 } })
    expect(runsBetween(schedule, sunset - 24 * HOUR, sunset + 48 * HOUR, place)).toEqual([
      sunset - HOUR / 2,
      sunset + 47.5 * HOUR,
    ])
  })

  it('by the sun still runs if its time is on the next local day', () => {
    const day = parseDay('2026-06-21')
    const sunset = (asked: number) => Date.parse('2026-06-21T22:30Z') + (asked - day) * 24 * HOUR
    const place = placeIn('UTC', {
      sun: (asked) => ({ sunrise: sunset(asked) - 20 * HOUR, sunset: sunset(asked) }),
    })
    const schedule = repeating({ Weekdays: [weekdayOf(day)], At: { Sun: 'sunset', Offset: 180 } })
    expect(nextRun(schedule, Date.parse('2026-06-22T00:00Z'), place)).toBe(Date.parse('2026-06-22T01:30Z'))
  })
})

describe('a schedule that runs once', () => {
  const single = { At: Date.parse('2026-05-11T00:00Z'), OffAfter: 0 }

  it('is next until its time has come', () => {
    expect(nextRun(single, single.At - 1, taipei)).toBe(single.At)
    expect(nextRun(single, single.At, taipei)).toBeUndefined()
    expect(nextRuns(single, single.At - 1, 5, taipei)).toEqual([{ At: single.At, Struck: false }])
    expect(nextRuns(single, single.At, 5, taipei)).toEqual([])
  })

  it('is missed like any other', () => {
    const missed = (from: number, now: number) => latestMissed(single, { from, now, grace: 60 }, taipei)
    expect(missed(single.At - 1, single.At + 60_000)).toEqual({ at: single.At, isInGrace: true })
    expect(missed(single.At, single.At + 1)).toBeUndefined()
  })
})

describe('the schedule preview in the editor', () => {
  const shown = (given: Partial<Repeating>, from: string, count: number) =>
    nextRuns(repeating(given), Date.parse(from), count, taipei).map(
      ({ At, Struck }) => `${Struck ? '-' : ''}${shownIn('Asia/Taipei', [At])[0]!.slice(5, 10)}`,
    )

  it('shows the next runs, with holidays and exceptions marked as skipped', () => {
    expect(shown({ Days: 'workdays', Except: ['2026-05-05'] }, '2026-04-29T12:00+08:00', 4)).toEqual([
      '04-30',
      '-05-01',
      '05-04',
      '-05-05',
      '05-06',
      '05-07',
    ])
  })

  it('does not mark days that were never included', () => {
    expect(shown({ Days: 'offPeakDays' }, '2026-04-29T12:00+08:00', 2)).toEqual(['05-01', '06-19'])
  })

  it('marks at most as many skipped days as it shows runs', () => {
    const Except = ['2026-07-01', '2026-07-02', '2026-07-03', '2026-07-04']
    expect(shown({ Except }, '2026-06-30T12:00+08:00', 2)).toEqual(['-07-01', '-07-02', '07-05', '07-06'])
  })
})

describe('missed runs', () => {
  const from = Date.parse('2026-05-11T12:00Z')
  const last = Date.parse('2026-05-14T00:00Z')
  const missed = (now: number, grace = 900) => latestMissed(repeating({}), { from, now, grace }, taipei)

  it('count only the last one, which runs within its grace period', () => {
    expect(missed(last + 900_000)).toEqual({ at: last, isInGrace: true })
    expect(missed(last + 900_001)).toEqual({ at: last, isInGrace: false })
  })

  it('are none if none was due', () => expect(missed(from + HOUR)).toBeUndefined())
})

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const days = fc.integer({ min: parseDay('2020-01-01'), max: parseDay('2035-12-01') })
const weekdays = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
const minutes = fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 1439 }))

/** Days in which the runs of one schedule in a zone are checked. */
const FOUR_WEEKS = 28
const cases = fc.record({ zone: zones, first: days, Weekdays: weekdays, At: minutes })
const ofCase = ({ Weekdays, At }: { Weekdays: number[]; At: number }) => ({ Weekdays, At })
function runsOf({
  zone,
  first,
  Weekdays,
  At,
}: {
  zone: string
  first: number
  Weekdays: number[]
  At: number
}) {
  const place = placeIn(zone)
  const from = toEpoch(first, At, zone) - 1
  const to = toEpoch(first + FOUR_WEEKS, At, zone) - 1
  const listed = Array.from({ length: FOUR_WEEKS }, (_, i) => first + i).filter((day) =>
    Weekdays.includes(weekdayOf(day)),
  )
  return { runs: runsBetween(repeating({ Weekdays, At }), from, to, place), listed, place, from, to }
}

describe('in every time zone, from 2020 to 2035', () => {
  it('each listed day has exactly one run: none twice in autumn, none lost in spring', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { runs, listed } = runsOf(given)
        expect(runs).toHaveLength(listed.length)
        for (const [i, day] of listed.entries()) {
          const shown = toWallTime(runs[i]!, given.zone)
          const late = (shown.day - day) * 1440 + shown.minute - given.At
          // A time skipped by a clock change runs later by at most the change.
          expect(late === 0 || (late > 0 && late <= 180)).toBe(true)
        }
      }),
      { numRuns: 600 },
    )
  })

  it('the next run is always later, with none between', () => {
    fc.assert(
      fc.property(cases, fc.nat({ max: FOUR_WEEKS * 24 * 60 }), (given, minute) => {
        const { runs, place, from } = runsOf(given)
        for (const [i, at] of runs.entries()) expect(at).toBeGreaterThan(runs[i - 1] ?? -Infinity)
        const moment = from + minute * 60_000
        const expected = runs.find((at) => at > moment)
        const next = nextRun(repeating(ofCase(given)), moment, place)
        expect(next).toBeGreaterThan(moment)
        expect(expected ?? next).toBe(next)
      }),
      { numRuns: 300 },
    )
  })

  it('the last missed run is the last of all runs in between', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { runs, place, from, to } = runsOf(given)
        const missed = latestMissed(repeating(ofCase(given)), { from, now: to, grace: 0 }, place)
        expect(missed?.at).toBe(runs.at(-1))
      }),
      { numRuns: 300 },
    )
  })

  it('the previewed days that are not skipped are the runs', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(...DAY_KINDS), (given, Days) => {
        const place = placeIn(given.zone)
        const from = toEpoch(given.first, 0, given.zone)
        const shown = nextRuns(repeating({ ...ofCase(given), Days }), from, 5, place)
        const runs = shown.filter(({ Struck }) => !Struck).map(({ At }) => At)
        expect(shown.filter(({ Struck }) => Struck).length).toBeLessThanOrEqual(5)
        const schedule = repeating({ ...ofCase(given), Days })
        const last = runs.at(-1) ?? nextRun(schedule, from, place) ?? from
        expect(runs).toEqual(runsBetween(schedule, from, last, place))
      }),
      { numRuns: 200 },
    )
  })
})
