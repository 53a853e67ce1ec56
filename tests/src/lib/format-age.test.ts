import { expect, it } from 'vitest'
import { formatAge } from '../../../src/lib/format-age.ts'

const now = Date.UTC(2026, 5, 1)
const SECOND = 1000
const HOUR = 3600 * SECOND

it.each([
  [5 * SECOND, 'now', '現在'],
  [-60 * SECOND, 'now', '現在'],
  [45 * SECOND, '45 seconds ago', '45 秒前'],
  [3 * 60 * SECOND + 59 * SECOND, '3 minutes ago', '3 分鐘前'],
  [HOUR, '1 hour ago', '1 小時前'],
  [24 * HOUR, 'yesterday', '昨天'],
  [60 * 24 * HOUR, '2 months ago', '2 個月前'],
  [800 * 24 * HOUR, '2 years ago', '2 年前'],
])('formats the age of %i ms in both languages', (age, english, chinese) => {
  expect(formatAge(now - age, now, 'en-US')).toBe(english)
  expect(formatAge(now - age, now, 'zh-TW')).toBe(chinese)
})
