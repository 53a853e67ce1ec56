import { describe, expect, it } from 'vitest'
import { calendarOf } from '../../../gateway/bookings/calendar.ts'

const booking = {
  RecordID: 'r1',
  StartTimestamp: Date.UTC(2026, 0, 5, 1),
  EndTimestamp: Date.UTC(2026, 0, 5, 2),
  Subject: '每週專案會議'.repeat(20),
  Description: 'one\ntwo\r\nthree; four, \\five',
  Host: 'Lin "the" Host\r\nX-EVIL:1',
  Attendees: ['a@example.com'],
  Private: true,
  BookedByEmail: 'b@example.com',
  Sequence: 3,
  Room: 'A',
}
const made = calendarOf([booking], { method: 'REQUEST', now: Date.UTC(2026, 0, 1) })

describe('an iCalendar object', () => {
  it('ends every line with CRLF and keeps it within 75 octets, folding between characters', () => {
    const lines = made.split('\r\n')
    expect(lines.at(-1)).toBe('')
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toMatch(/[\r\n\uFFFD]/)
    }
    expect(made.replaceAll('\r\n ', '')).toContain(`SUMMARY:${booking.Subject}\r\n`)
  })

  it('escapes texts, and lets no value begin a line of its own', () => {
    const whole = made.replaceAll('\r\n ', '')
    expect(whole).toContain('DESCRIPTION:one\\ntwo\\nthree\\; four\\, \\\\five\r\n')
    expect(whole).toContain('ORGANIZER;CN="Lin  the  Host  X-EVIL:1":mailto:b@example.com\r\n')
    expect(whole).not.toContain('\r\nX-EVIL')
  })

  it('says method, version and time of the event', () => {
    for (const line of [
      'METHOD:REQUEST',
      'SEQUENCE:3',
      'DTSTART:20260105T010000Z',
      'DTEND:20260105T020000Z',
      'CLASS:PRIVATE',
    ])
      expect(made.split('\r\n')).toContain(line)
    expect(calendarOf([booking], { method: 'CANCEL', now: 0 })).toContain('STATUS:CANCELLED')
  })
})
