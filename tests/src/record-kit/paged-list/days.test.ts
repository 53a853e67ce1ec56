import { afterEach, describe, expect, it, vi } from 'vitest'
import { daySpanOf, today } from '../../../../src/ui/inputs/days.ts'

afterEach(() => vi.useRealTimers())

describe('days of a list', () => {
  it('are those of the home, in any time zone of the browser', () => {
    expect(daySpanOf('2026-03-05', '2026-03-05', 'Asia/Taipei')).toEqual({
      From: Date.parse('2026-03-05T00:00:00+08:00'),
      Until: Date.parse('2026-03-06T00:00:00+08:00'),
    })
    expect(daySpanOf('2026-03-05', '', 'America/New_York')).toEqual({
      From: Date.parse('2026-03-05T00:00:00-05:00'),
    })
  })

  it('have 23 hours when clocks go forward', () => {
    const { From = 0, Until = 0 } = daySpanOf('2026-03-29', '2026-03-29', 'Europe/Berlin')
    expect((Until - From) / 3_600_000).toBe(23)
  })

  it('ignore invalid days', () => {
    expect(daySpanOf('yesterday', '2026-3-5', 'Asia/Taipei')).toEqual({})
  })

  it('begin at midnight of the home', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-05T16:30:00Z') })
    expect(today('Asia/Taipei')).toBe('2026-03-06')
    expect(today('America/New_York')).toBe('2026-03-05')
  })
})
