import { expect, it } from 'vitest'
import { fromWallTimeInput, quarterStart, toWallTimeInput } from '../../../src/lib/wall-input.ts'

it("parses and formats a time in the home's time zone, in any browser", () => {
  const at = Date.parse('2026-03-04T14:30:00+08:00')
  expect(toWallTimeInput(at, 'Asia/Taipei')).toBe('2026-03-04T14:30')
  expect(fromWallTimeInput('2026-03-04T14:30', 'Asia/Taipei')).toBe(at)
  expect(fromWallTimeInput('2026-07-01T00:00', 'America/New_York')).toBe(
    Date.parse('2026-07-01T00:00:00-04:00'),
  )
})

it('returns nothing for an empty field', () => {
  expect(fromWallTimeInput('', 'Asia/Taipei')).toBeUndefined()
  expect(fromWallTimeInput('2026-03-04', 'Asia/Taipei')).toBeUndefined()
})

it('finds the quarter-hour of a time', () => {
  expect(quarterStart(Date.parse('2026-03-04T14:44:59Z'))).toBe(Date.parse('2026-03-04T14:30:00Z'))
})
