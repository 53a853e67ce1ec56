import { describe, expect, it } from 'vitest'
import { lastDue, nextDue } from '../../../../gateway/features/reports/queue-report-mails.ts'

const taipei = { Kind: 'monthly' as const, Day: 5, zone: 'Asia/Taipei' }
const at = (iso: string) => Date.parse(iso)
const iso = (moment: number) => new Date(moment).toISOString()

describe('a scheduled report', () => {
  it('is due at 08:00 local time of its home, for the previous month', () => {
    expect(lastDue(taipei, at('2026-11-05T00:00:00Z'))).toEqual({
      at: at('2026-11-05T00:00:00Z'),
      Period: '2026-10',
    })
    expect(lastDue(taipei, at('2026-11-04T23:59:59Z')).Period).toBe('2026-09')
    expect(iso(nextDue(taipei, at('2026-11-05T00:00:00Z')))).toBe('2026-12-05T00:00:00.000Z')
    expect(iso(nextDue(taipei, at('2026-11-04T23:59:59Z')))).toBe('2026-11-05T00:00:00.000Z')
  })

  it('of carbon is due in January, for the previous year', () => {
    const carbon = { ...taipei, Kind: 'carbon' as const }
    expect(lastDue(carbon, at('2026-11-05T00:00:00Z'))).toEqual({
      at: at('2026-01-05T00:00:00Z'),
      Period: '2025',
    })
    expect(lastDue(carbon, at('2026-01-04T23:00:00Z')).Period).toBe('2024')
    expect(iso(nextDue(carbon, at('2026-11-05T00:00:00Z')))).toBe('2027-01-05T00:00:00.000Z')
  })

  it.each([
    ['2026-03-29', '2026-03-29T06:00:00.000Z', 29],
    ['2026-10-25', '2026-10-25T07:00:00.000Z', 25],
  ])('is due at 08:00 local time on %s, when clocks change', (_, expected, Day) => {
    const berlin = { Kind: 'monthly' as const, Day: Math.min(Day, 28), zone: 'Europe/Berlin' }
    const due = lastDue({ ...berlin, Day }, at(expected))
    expect(iso(due.at)).toBe(expected)
  })

  it('is for last December in January', () => {
    expect(lastDue(taipei, at('2026-01-05T00:00:00Z')).Period).toBe('2025-12')
  })
})
