import { describe, expect, it } from 'vitest'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { formatDay, parseDay } from '../../../../contract/time/periods.ts'
import {
  comparedInstead,
  comparedRange,
  comparisonsOf,
  currentRange,
  formatDays,
  formatRange,
  hasBegun,
  isCurrentRange,
  LAST_24H,
  parseRange,
  periodOfChoice,
  PRESETS,
  resolvePeriod,
  stepRange,
  type DayRange,
  usualComparison,
} from '../../../../src/ui/inputs/period-picker/period.ts'

/** Wednesday. */
const today = parseDay('2025-10-01')
const parse = (text: string) => parseRange(text, today) as DayRange
const shown = ({ first, last }: DayRange) => `${formatDay(first)}..${formatDay(last)}`

describe('a range in the address', () => {
  it('means the days that it names', () => {
    expect(
      Object.fromEntries(
        [...PRESETS, '2025-02', '2024', '2025-03-05', '2025-03-05..2025-03-09'].map((text) => [
          text,
          shown(parse(text)),
        ]),
      ),
    ).toEqual({
      today: '2025-10-01..2025-10-01',
      yesterday: '2025-09-30..2025-09-30',
      week: '2025-09-29..2025-10-05',
      lastWeek: '2025-09-22..2025-09-28',
      lastMonth: '2025-09-01..2025-09-30',
      lastYear: '2024-01-01..2024-12-31',
      month: '2025-10-01..2025-10-31',
      year: '2025-01-01..2025-12-31',
      last7: '2025-09-25..2025-10-01',
      last30: '2025-09-02..2025-10-01',
      last365: '2024-10-02..2025-10-01',
      '2025-02': '2025-02-01..2025-02-28',
      '2024': '2024-01-01..2024-12-31',
      '2025-03-05': '2025-03-05..2025-03-05',
      '2025-03-05..2025-03-09': '2025-03-05..2025-03-09',
    })
  })

  it.each([
    '',
    'tomorrow',
    '2025-13',
    '2025-02-30',
    '2025-3-5',
    '2025-10-02..2025-10-01',
    '2025-10..2025-11',
    '2025..2026',
    '1900',
    '2000-01-01..2025-01-01',
    '2025-01-01..2025-01-02..2025-01-03',
  ])('is invalid: %s', (text) => {
    expect(parseRange(text, today)).toBeUndefined()
  })

  it('survives a round trip', () => {
    for (const text of [...PRESETS, '2025-02', '2023', '2025-03-05', '2025-03-05..2025-03-09'])
      expect(formatRange(parse(text), today)).toBe(text)
  })
})

describe('a step', () => {
  it.each([
    ['today', 'yesterday'],
    ['yesterday', '2025-09-29'],
    ['week', 'lastWeek'],
    ['month', 'lastMonth'],
    ['2025-03', '2025-02'],
    ['year', 'lastYear'],
    ['last30', '2025-08-03..2025-09-01'],
  ])('back from %s is %s, and forward returns', (from, to) => {
    const back = stepRange(parse(from), -1)
    expect(formatRange(back, today)).toBe(to)
    expect(formatRange(stepRange(back, 1), today)).toBe(from)
  })

  it.each([
    ['2025-03-05', 'today'],
    ['2025-02', 'month'],
    ['2020', 'year'],
    ['2025-09-22..2025-09-28', 'week'],
    ['2025-08-03..2025-09-01', 'last30'],
  ])('to now from %s is %s', (from, to) => {
    expect(formatRange(currentRange(parse(from), today), today)).toBe(to)
  })
})

describe('the compared period', () => {
  const compared = (text: string, compare: 'previous' | 'lastYear' | 'lastYearWeekday') =>
    shown(comparedRange(parse(text), compare) as DayRange)
  it('is the previous one', () => {
    expect(compared('today', 'previous')).toBe('2025-09-30..2025-09-30')
    expect(compared('2025-03', 'previous')).toBe('2025-02-01..2025-02-28')
  })
  it('can be the same a year ago, with the same length; 29 February maps to the 28th', () => {
    expect(compared('last7', 'lastYear')).toBe('2024-09-25..2024-10-01')
    expect(compared('2024-02-29', 'lastYear')).toBe('2023-02-28..2023-02-28')
    expect(compared('2024-02', 'lastYear')).toBe('2023-02-01..2023-02-28')
    expect(compared('year', 'lastYear')).toBe('2024-01-01..2024-12-31')
  })
  it('can be the same weekdays a year ago, except for months and years', () => {
    // 1 October 2025 is a Wednesday, as 2 October 2024.
    expect(compared('today', 'lastYearWeekday')).toBe('2024-10-02..2024-10-02')
    expect(compared('week', 'lastYearWeekday')).toBe('2024-09-30..2024-10-06')
    expect(compared('2024-02-29', 'lastYearWeekday')).toBe('2023-03-02..2023-03-02')
    expect(compared('2025-03', 'lastYearWeekday')).toBe('2024-03-01..2024-03-31')
    expect(comparisonsOf(parse('2025-03'))).toEqual(['off', 'previous', 'lastYear'])
    expect(comparisonsOf(parse('week'))).toContain('lastYearWeekday')
  })
  it('defaults to the same weekdays for days and weeks', () => {
    const usual = ['today', 'week', 'last7', '2025-03-01..2025-03-14'].map((text) =>
      usualComparison(parse(text)),
    )
    expect(usual).toEqual(Array(4).fill('lastYearWeekday'))
    const none = ['month', 'year', 'last30', '2025-03-01..2025-03-05'].map((text) =>
      usualComparison(parse(text)),
    )
    expect(none).toEqual(Array(4).fill('off'))
  })
  it('falls back to the preceding weekdays, or the previous month, without data of a year ago', () => {
    const instead = (text: string, compare: 'off' | 'previous' | 'lastYear' | 'lastYearWeekday') => {
      const range = comparedInstead(parse(text), compare)
      return range && shown(range)
    }
    expect(instead('2025-10-04', 'lastYearWeekday')).toBe('2025-09-27..2025-09-27')
    expect(instead('2025-10-04', 'lastYear')).toBe('2025-09-27..2025-09-27')
    expect(instead('2025-03-10..2025-03-16', 'lastYearWeekday')).toBe('2025-03-03..2025-03-09')
    expect(instead('2025-03-10..2025-03-19', 'lastYear')).toBe('2025-02-24..2025-03-05')
    expect(instead('2025-03', 'lastYear')).toBe('2025-02-01..2025-02-28')
    expect(instead('2025', 'lastYear')).toBeUndefined()
    expect(instead('today', 'previous')).toBeUndefined()
    expect(instead('today', 'off')).toBeUndefined()
  })
  it('is empty if it is off', () => {
    expect(comparedRange(parse('today'), 'off')).toBeUndefined()
  })
})

describe('a period', () => {
  const hours = (text: string, zone: string) => {
    const { from, to } = periodOfChoice(parse(text), zone)
    return (to - from) / 3_600_000
  }
  it("has the hours of the home's clock", () => {
    expect(hours('2025-03-30', 'Europe/Berlin')).toBe(23)
    expect(hours('2025-10-26', 'Europe/Berlin')).toBe(25)
    expect(hours('2025-10-26', 'Asia/Taipei')).toBe(24)
  })
  it("begins at the home's midnight, on any day elsewhere", () => {
    const { from } = resolvePeriod('today', 'today', Date.parse('2025-09-30T17:00:00Z'), 'Asia/Taipei')
    expect(new Date(from).toISOString()).toBe('2025-09-30T16:00:00.000Z')
  })
  it('falls back to the default if the address has none', () => {
    const now = Date.parse('2025-10-01T04:00:00Z')
    expect(shown(resolvePeriod('nonsense', 'month', now, 'Asia/Taipei').days)).toBe('2025-10-01..2025-10-31')
  })
  it('is described in words', () => {
    expect(formatDays(parse('2025-02'), 'zh-TW')).toBe('2025年2月')
    expect(formatDays(parse('2024'), 'en-US')).toBe('2024')
    expect(formatDays(parse('2025-03-05'), 'en-US')).toContain('March 5, 2025')
    expect(formatDays(parse('2025-03-05..2025-04-02'), 'zh-TW')).toBe('2025/3/5–4/2')
    expect(formatDays(parse('2025-03-05..2025-03-07'), 'en-US')).toBe('Mar 5–7, 2025')
  })
})

describe('the last 24 hours', () => {
  const ZONE = 'Asia/Taipei'
  const now = Date.UTC(2025, 9, 1, 6, 20)
  const period = (range: string) => resolvePeriod(range, LAST_24H, now, ZONE)
  const at = ({ from, to }: { from: number; to: number }) =>
    [from, to].map((one) => formatWhen(one, 'zh-TW', ZONE))

  it('end with the current hour', () => {
    expect(at(period('last24h'))).toEqual(['2025/9/30 15:00', '2025/10/1 15:00'])
    expect(at(period('nonsense'))).toEqual(at(period('last24h')))
  })

  it('are a day with another start: steps and links keep its hour', () => {
    const range = period('last24h').days
    expect(formatRange(range, today, 15)).toBe('last24h')
    expect(formatRange(range, today, 16)).toBe('2025-09-30T15')
    expect(at(period('2025-09-28T07'))).toEqual(['2025/9/28 07:00', '2025/9/29 07:00'])
    expect(formatRange(stepRange(range, -1), today, 15)).toBe('2025-09-29T15')
    expect(hasBegun(stepRange(range, 1), today, 15)).toBe(false)
    expect(isCurrentRange(range, today, 15)).toBe(true)
  })

  it('are today in its last hour, and not a range for whole days', () => {
    expect(parseRange('last24h', today, 24)).toEqual(parse('today'))
    expect(parseRange('last24h', today)).toBeUndefined()
    expect(parseRange('2025-09-30T15', today)).toBeUndefined()
  })
})
