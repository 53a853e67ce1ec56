import { describe, expect, it } from 'vitest'
import {
  nextStart,
  dayOf,
  firstDayOf,
  formatDay,
  formatMinute,
  mondayOf,
  monthOf,
  monthOfDay,
  offsetAt,
  parseDay,
  QUARTER_MS,
  quartersOfDay,
  startOf,
  startOfDay,
  startOfMonth,
  startsBetween,
  wallMinute,
  weekdayOf,
  yearBefore,
} from '../../../contract/time/periods.ts'

const ZONES = [
  'UTC',
  'Asia/Taipei',
  'Europe/Berlin',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const HOUR = 3_600_000

/** Local time in a zone. */
const wall = (timestamp: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(timestamp)

describe('days of a zone', () => {
  it.each(ZONES)('follow each other without gap or overlap, by the calendar: %s', (zone) => {
    const [first, last] = [parseDay('2025-01-01'), parseDay('2026-01-02')]
    for (let day = first; day < last; day++) {
      const [start, next] = [startOfDay(day, zone), startOfDay(day + 1, zone)]
      expect(next).toBeGreaterThanOrEqual(start)
      if (next === start) continue
      expect(dayOf(start, zone)).toBe(day)
      expect(dayOf(next - 1, zone)).toBe(day)
      expect(wall(start, zone).slice(0, 10)).toBe(formatDay(day))
      expect(quartersOfDay(day, zone)).toBe((next - start) / QUARTER_MS)
    }
  })

  it.each([
    ['Europe/Berlin', '2025-03-30', 92],
    ['Europe/Berlin', '2025-10-26', 100],
    ['Australia/Lord_Howe', '2025-04-06', 98],
    ['Australia/Lord_Howe', '2025-10-05', 94],
    ['Asia/Taipei', '2025-10-26', 96],
  ])('are longer or shorter when clocks change: %s, %s', (zone, day, quarters) => {
    expect(quartersOfDay(parseDay(day), zone)).toBe(quarters)
  })

  it.each([
    ['America/Santiago', '2025-09-07'],
    ['Africa/Cairo', '2025-04-25'],
  ])('begin at one if midnight does not exist: %s', (zone, day) => {
    const start = startOfDay(parseDay(day), zone)
    expect(wall(start, zone)).toBe(`${day} 01:00`)
    expect(quartersOfDay(parseDay(day), zone)).toBe(92)
    expect(wallMinute(parseDay(day), 0, zone)).toBe(60)
  })

  it('begin at a quarter of a UTC hour in zones offset by 30 or 45 minutes', () => {
    expect(startOfDay(parseDay('2025-06-01'), 'Asia/Kolkata')).toBe(Date.UTC(2025, 4, 31, 18, 30))
    expect(startOfDay(parseDay('2025-06-01'), 'Asia/Kathmandu')).toBe(Date.UTC(2025, 4, 31, 18, 15))
    expect(offsetAt(Date.UTC(2025, 5, 1), 'Asia/Kathmandu')).toBe(5.75 * HOUR)
  })

  it('return the local minute, twice in a repeated hour', () => {
    const day = parseDay('2025-10-26')
    expect([8, 11, 12, 15, 16].map((quarter) => wallMinute(day, quarter, 'Europe/Berlin'))).toEqual([
      120, 165, 120, 165, 180,
    ])
  })
})

describe('months and other periods', () => {
  it('count months from year 0 and begin with their first day', () => {
    const month = monthOfDay(parseDay('2025-12-31'))
    expect(month).toBe(2025 * 12 + 11)
    expect(formatDay(firstDayOf(month + 1))).toBe('2026-01-01')
    expect(startOfMonth(month, 'Asia/Taipei')).toBe(Date.UTC(2025, 10, 30, 16))
    expect(monthOf(Date.UTC(2025, 10, 30, 16) - 1, 'Asia/Taipei')).toBe(month - 1)
  })

  it.each(ZONES)('split any range without a gap: %s', (zone) => {
    const [from, to] = [Date.UTC(2025, 2, 20, 3, 7), Date.UTC(2025, 10, 3, 1)]
    for (const resolution of ['day', 'month'] as const) {
      const starts = startsBetween(resolution, from, to, zone)
      expect(starts[0]).toBe(startOf(resolution, from, zone))
      starts.forEach((start, i) =>
        expect(nextStart(resolution, start, zone)).toBe(starts[i + 1] ?? nextStart(resolution, start, zone)),
      )
      expect(nextStart(resolution, starts.at(-1) as number, zone)).toBeGreaterThanOrEqual(to)
    }
  })

  it('have local hours: 25 on the day that clocks go back', () => {
    const day = parseDay('2025-10-26')
    const [from, to] = [startOfDay(day, 'Europe/Berlin'), startOfDay(day + 1, 'Europe/Berlin')]
    expect(startsBetween('hour', from, to, 'Europe/Berlin')).toHaveLength(25)
    expect(wall(startOf('hour', Date.UTC(2025, 5, 1, 0, 20), 'Asia/Kolkata'), 'Asia/Kolkata')).toBe(
      '2025-06-01 05:00',
    )
  })

  // Lord Howe's clocks shift by 30 minutes; Caracas and Pyongyang have changed their zones by the same amount.
  it.each([
    ['Australia/Lord_Howe', '2025-04-06', '01:00', 6],
    ['Australia/Lord_Howe', '2025-10-05', '02:30', 2],
    ['America/Caracas', '2007-12-09', '02:00', 6],
    ['America/Caracas', '2016-05-01', '02:00', 2],
    ['Asia/Pyongyang', '2015-08-14', '23:00', 6],
    ['Asia/Pyongyang', '2018-05-04', '23:00', 2],
  ])(
    'have hours that begin at full local hours, except for half-hour shifts: %s, %s',
    (zone, date, at, quarters) => {
      const day = parseDay(date)
      const [from, to] = [startOfDay(day, zone), startOfDay(day + 1, zone)]
      const hours = startsBetween('hour', from, to, zone).map((start) => ({
        at: wall(start, zone).slice(11),
        quarters: (nextStart('hour', start, zone) - start) / QUARTER_MS,
      }))
      expect(hours.filter((hour) => hour.quarters !== 4)).toEqual([{ at, quarters }])
      expect(hours.filter((hour) => !hour.at.endsWith(':00')).every((hour) => hour.at === at)).toBe(true)
      expect(hours.reduce((sum, hour) => sum + hour.quarters, 0)).toBe(quartersOfDay(day, zone))
    },
  )

  it.each([...ZONES, 'America/Caracas'])('return for every time the hour that contains it: %s', (zone) => {
    for (const date of ['2007-12-09', '2016-05-01', '2025-03-30', '2025-04-06', '2025-10-05', '2025-10-26']) {
      const [from, to] = [startOfDay(parseDay(date), zone), startOfDay(parseDay(date) + 1, zone)]
      const starts = startsBetween('hour', from, to, zone)
      for (let at = from; at < to; at += QUARTER_MS / 3)
        expect(startOf('hour', at, zone)).toBe(starts.findLast((start) => start <= at))
    }
  })

  it('return the weekday', () => {
    expect(weekdayOf(parseDay('2025-10-26'))).toBe(0)
    expect(weekdayOf(parseDay('1969-12-31'))).toBe(3)
    expect(
      ['2025-10-20', '2025-10-26', '2025-10-27'].map((date) => formatDay(mondayOf(parseDay(date)))),
    ).toEqual(['2025-10-20', '2025-10-20', '2025-10-27'])
  })

  it('format the time of a day, including its end', () => {
    expect([0, 570, 1440].map(formatMinute)).toEqual(['00:00', '09:30', '24:00'])
  })

  it.each([
    ['2025-10-26', '2024-10-26'],
    ['2024-03-01', '2023-03-01'],
    ['2025-02-28', '2024-02-28'],
    ['2024-02-29', '2023-02-28'],
  ])('have a date a year before: of %s it is %s', (date, before) => {
    expect(formatDay(yearBefore(parseDay(date)))).toBe(before)
  })
})
