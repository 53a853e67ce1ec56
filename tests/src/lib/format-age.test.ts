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
  [24 * HOUR - 1, '23 hours ago', '23 小時前'],
  [24 * HOUR, 'May 31, 08:00', '5/31（日）08:00'],
  [60 * 24 * HOUR, 'Apr 2, 08:00', '4/2（四）08:00'],
  [800 * 24 * HOUR, 'Mar 23, 2024', '2024/3/23'],
])('formats the age of %i ms in both languages', (age, english, chinese) => {
  expect(formatAge(now - age, now, 'en-US', 'Asia/Taipei')).toBe(english)
  expect(formatAge(now - age, now, 'zh-TW', 'Asia/Taipei')).toBe(chinese)
})
