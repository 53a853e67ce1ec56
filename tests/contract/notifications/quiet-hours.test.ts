import { describe, expect, it } from 'vitest'
import { quietUntil } from '../../../contract/notifications/quiet-hours.ts'
import type { QuietHours } from '../../../contract/notifications/settings.ts'

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const hours = (given: Partial<QuietHours>): QuietHours => ({
  From: 22 * 60,
  To: 7 * 60,
  Days: EVERY_DAY,
  Except: 'critical',
  TimeZone: 'Asia/Taipei',
  ...given,
})
/** End of the quiet hours as text in UTC; null if they do not apply. */
const until = (given: Partial<QuietHours>, at: string) => {
  const end = quietUntil(hours(given), Date.parse(at))
  return end === null ? null : new Date(end).toISOString()
}

describe('quiet hours', () => {
  it("last from the evening over midnight to the morning, in the person's zone", () => {
    expect(until({}, '2026-01-05T13:59:59Z')).toBe(null)
    expect(until({}, '2026-01-05T14:00:00Z')).toBe('2026-01-05T23:00:00.000Z')
    expect(until({}, '2026-01-05T22:59:59Z')).toBe('2026-01-05T23:00:00.000Z')
    expect(until({}, '2026-01-05T23:00:00Z')).toBe(null)
  })

  it('belong to the day on which they begin', () => {
    // 2026-01-09 is a Friday: its night extends into Saturday, and no quiet night begins on Saturday.
    expect(until({ Days: [5] }, '2026-01-09T17:00:00Z')).toBe('2026-01-09T23:00:00.000Z')
    expect(until({ Days: [5] }, '2026-01-10T15:00:00Z')).toBe(null)
  })

  it('can be within one day, or a whole one', () => {
    expect(until({ From: 720, To: 780 }, '2026-01-05T04:30:00Z')).toBe('2026-01-05T05:00:00.000Z')
    const sunday = { From: 0, To: 0, Days: [0] }
    expect(until(sunday, '2026-01-11T03:00:00Z')).toBe('2026-01-11T16:00:00.000Z')
    expect(until({ ...sunday, Days: [6, 0] }, '2026-01-10T03:00:00Z')).toBe('2026-01-11T16:00:00.000Z')
  })

  it('end at local time if clocks change in them', () => {
    const TimeZone = 'Europe/Berlin'
    // Clocks go forward on 2026-03-29 at 01:00Z and back on 2026-10-25 at 01:00Z.
    expect(until({ TimeZone }, '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(until({ TimeZone }, '2026-10-24T22:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
    // 02:30 is skipped in spring and repeated in autumn, where the first one counts.
    expect(until({ TimeZone, To: 150 }, '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(until({ TimeZone, To: 150 }, '2026-10-24T22:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
  })

  it('on every whole day still end, so that nothing waits forever', () => {
    const end = quietUntil(hours({ From: 0, To: 0 }), Date.parse('2026-01-05T03:00:00Z'))
    expect(end).toBeLessThanOrEqual(Date.parse('2026-01-15T00:00:00Z'))
  })
})
