import { expect, it } from 'vitest'
import {
  formatClock,
  formatDate,
  formatPeriod,
  formatWeekday,
  formatWhen,
} from '../../../contract/time/format-time.ts'

const AT = Date.UTC(2026, 10, 23, 1, 30, 5)

it.each([
  ['moment', '2026/11/23 09:30', 'Nov 23, 2026, 09:30'],
  ['second', '2026/11/23 09:30:05', 'Nov 23, 2026, 09:30:05'],
  ['near', '11/23（一）09:30', 'Nov 23, 09:30'],
  ['day', '2026/11/23', 'Nov 23, 2026'],
  ['month', '2026年11月', 'November 2026'],
  ['monthDay', '11/23', 'Nov 23'],
  ['weekday', '週一', 'Mon'],
  ['time', '09:30', '09:30'],
] as const)('formats a time in the style %s in both languages', (style, zh, en) => {
  expect(formatWhen(AT, 'zh-TW', 'Asia/Taipei', style)).toBe(zh)
  expect(formatWhen(AT, 'en-US', 'Asia/Taipei', style)).toBe(en)
})

it.each([
  ['2026-11-03', '2026/11/3', 'Nov 3, 2026'],
  ['2026-11', '2026年11月', 'November 2026'],
  ['06-01', '6/1', 'Jun 1'],
  ['02-29', '2/29', 'Feb 29'],
])('formats %s of the contract in both languages', (date, zh, en) => {
  expect(formatDate(date, 'zh-TW')).toBe(zh)
  expect(formatDate(date, 'en-US')).toBe(en)
})

it.each(['', '–', 'until further notice', '06-', '13-45', '2026-13-45', '2026-1-1'])(
  'returns an invalid date unchanged: "%s"',
  (text) => expect(formatDate(text, 'en-US')).toBe(text),
)

it('counts the days of the week from Sunday', () => {
  expect([0, 1, 6].map((day) => formatWeekday(day, 'en-US'))).toEqual(['Sun', 'Mon', 'Sat'])
})

const DAY = 86_400_000

it.each([
  [3_600_000, '09:30', '09:30'],
  [DAY, '11/23（一）09:30', 'Nov 23, 09:30'],
  [-DAY, '11/23（一）09:30', 'Nov 23, 09:30'],
  // Last year, but recent: the time of day still matters.
  [60 * DAY, '11/23（一）09:30', 'Nov 23, 09:30'],
  // The same year, more than half a year ahead.
  [-300 * DAY, '11/23（一）09:30', 'Nov 23, 09:30'],
  [200 * DAY, '2026/11/23', 'Nov 23, 2026'],
  [-400 * DAY, '2026/11/23', 'Nov 23, 2026'],
])(
  'shows the time of day today, the date without a year in this year, otherwise the date (%d ms later)',
  (after, zh, en) => {
    expect(formatClock(AT, AT + after, 'zh-TW', 'Asia/Taipei')).toBe(zh)
    expect(formatClock(AT, AT + after, 'en-US', 'Asia/Taipei')).toBe(en)
  },
)

it.each([
  ['2026-11-16', '2026-11-22', '2026/11/16–22', 'Nov 16–22, 2026'],
  ['2026-11-16', '2026-12-02', '2026/11/16–12/2', 'Nov 16 – Dec 2, 2026'],
  ['2025-12-16', '2026-01-02', '2025/12/16–2026/1/2', 'Dec 16, 2025 – Jan 2, 2026'],
  ['2026-11-16', '2026-11-16', '2026/11/16', 'Nov 16, 2026'],
  ['2025-11', '2026-10', '2025年11月–2026年10月', 'November 2025 – October 2026'],
  ['06-01', '09-30', '6/1–9/30', 'Jun 1 – Sep 30'],
])('writes the year of %s to %s once', (from, through, zh, en) => {
  expect(formatPeriod(from, through, 'zh-TW')).toBe(zh)
  expect(formatPeriod(from, through, 'en-US')).toBe(en)
})
