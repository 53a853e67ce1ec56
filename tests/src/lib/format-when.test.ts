import { expect, it } from 'vitest'
import { formatClock, formatDate, formatWeekday, formatWhen } from '../../../src/lib/format-when.ts'

const AT = Date.UTC(2026, 10, 23, 1, 30, 5)

it.each([
  ['moment', '2026/11/23 09:30', 'Nov 23, 2026, 09:30'],
  ['second', '2026/11/23 09:30:05', 'Nov 23, 2026, 09:30:05'],
  ['near', '11/23 週一 09:30', 'Mon, Nov 23, 09:30'],
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

it('adds the date to the time only for another day', () => {
  expect(formatClock(AT, AT + 3_600_000, 'zh-TW', 'Asia/Taipei')).toBe('09:30')
  expect(formatClock(AT, AT + 86_400_000, 'zh-TW', 'Asia/Taipei')).toBe('11/23 週一 09:30')
})
