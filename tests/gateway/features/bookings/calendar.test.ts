import { describe, expect, it } from 'vitest'
import { parseDay, toEpoch } from '../../../../contract/time/periods.ts'
import { type BookingRepeat, occurrencesOf } from '../../../../contract/bookings/booking-series.ts'
import { calendarOf, feedOf } from '../../../../gateway/features/bookings/calendar.ts'
import {
  momentsOf,
  parseCalendar,
  type Property,
  propertyOf,
  startsOf,
  textOf,
} from '../../../support/icalendar.ts'

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
  TimeZone: 'Asia/Taipei',
}
const made = calendarOf(booking, { method: 'REQUEST', now: Date.UTC(2026, 0, 1) })

describe('an iCalendar object', () => {
  it('ends every line with CRLF and folds at 75 octets between characters', () => {
    const lines = made.split('\r\n')
    expect(lines.at(-1)).toBe('')
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toMatch(/[\r\n\uFFFD]/)
    }
    expect(made.replaceAll('\r\n ', '')).toContain(`SUMMARY:${booking.Subject}\r\n`)
  })

  it('escapes text, and no value can begin a line of its own', () => {
    const whole = made.replaceAll('\r\n ', '')
    expect(whole).toContain('DESCRIPTION:one\\ntwo\\nthree\\; four\\, \\\\five\r\n')
    expect(whole).toContain('ORGANIZER;CN="Lin  the  Host  X-EVIL:1":mailto:b@example.com\r\n')
    expect(whole).not.toContain('\r\nX-EVIL')
  })

  it('contains method, version and time of the event', () => {
    for (const line of [
      'METHOD:REQUEST',
      'SEQUENCE:3',
      'DTSTART:20260105T010000Z',
      'DTEND:20260105T020000Z',
      'CLASS:PRIVATE',
    ])
      expect(made.split('\r\n')).toContain(line)
    expect(calendarOf(booking, { method: 'CANCEL', now: 0 })).toContain('STATUS:CANCELLED')
  })

  it('is read by a parser of the standard, whatever words it contains', () => {
    const words = 'Bell \u0007 and tab\t; comma, \\n is no line\n\u2028🏢🏢🏢'.repeat(4)
    const [event] = parseCalendar(
      calendarOf({ ...booking, Subject: words }, { method: 'REQUEST', now: 0 }),
    ).components
    expect(event && textOf(event, 'SUMMARY')).toBe(words.replaceAll('\u0007', ''))
  })

  it('requests no response if it is only a reminder', () => {
    const reminder = calendarOf(booking, { method: 'PUBLISH', now: 0 })
    expect(reminder).toContain('METHOD:PUBLISH')
    expect(reminder).not.toContain('ATTENDEE')
  })

  it('of a feed contains every booking separately', () => {
    const { components } = parseCalendar(
      feedOf([booking, { ...booking, RecordID: 'r2' }], { name: 'A, B', now: 0 }),
    )
    expect(components.map((one) => propertyOf(one, 'UID')?.value)).toEqual([
      'r1@building-dashboard',
      'r2@building-dashboard',
    ])
  })
})

describe('a series as one event', () => {
  const HOUR = 3_600_000
  /** Lines written for these starts in a zone's local time, and the times that a calendar reads from them. */
  const written = (Starts: number[], TimeZone: string) => {
    const StartTimestamp = Starts[0] as number
    const text = calendarOf(
      {
        ...booking,
        StartTimestamp,
        EndTimestamp: StartTimestamp + HOUR,
        TimeZone,
        CalendarID: 's1',
        Series: { Starts, Exceptions: [], Cancelled: [] },
      },
      { method: 'REQUEST', now: 0 },
    )
    const calendar = parseCalendar(text)
    const event = calendar.components.find(({ name }) => name === 'VEVENT')
    return { text: text.replaceAll('\r\n ', ''), starts: event ? startsOf(calendar, event) : [] }
  }
  const startsFor = (date: string, minute: number, zone: string, repeat: Partial<BookingRepeat>) => {
    const StartTimestamp = toEpoch(parseDay(date), minute, zone)
    return occurrencesOf(
      { StartTimestamp, EndTimestamp: StartTimestamp + HOUR },
      { Every: 'week', Interval: 1, Weekdays: [], Until: '2026-12-20', ...repeat },
      zone,
    ).map((one) => one.StartTimestamp)
  }

  it.each<[string, Partial<BookingRepeat>, string]>([
    ['each day', { Every: 'day', Until: '2026-04-20' }, 'FREQ=DAILY;INTERVAL=1;'],
    ['every third day', { Every: 'day', Interval: 3 }, 'FREQ=DAILY;INTERVAL=3;'],
    ['each week', {}, 'FREQ=WEEKLY;INTERVAL=1;BYDAY=FR;'],
    [
      'every other week on two days',
      { Interval: 2, Weekdays: [0, 1] },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR,SU;',
    ],
    ['each month on a day that not all have', { Every: 'month' }, 'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=30;'],
  ])('repeats %s by a rule, in every zone, through every clock change', (_, repeat, rule) => {
    for (const zone of ['Asia/Taipei', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'])
      for (const minute of [0, 150, 540, 1410]) {
        const starts = startsFor('2026-01-30', minute, zone, repeat)
        const { text, starts: read } = written(starts, zone)
        expect(read, `${zone} ${minute}`).toEqual(starts)
        expect(text, zone).toContain(`RRULE:${rule}`)
      }
  })

  it('excludes occurrences that do not take place', () => {
    const all = startsFor('2026-03-17', 540, 'Europe/Berlin', { Until: '2026-05-20' })
    const some = all.filter((_, i) => i !== 1 && i !== 4)
    const { text, starts } = written(some, 'Europe/Berlin')
    expect(starts).toEqual(some)
    expect(text).toContain('EXDATE;TZID=Europe/Berlin:20260324T090000,20260414T090000\r\n')
  })

  it('is a list of dates if no rule fits', () => {
    const days = ['2026-01-05', '2026-01-06', '2026-02-19', '2026-03-28', '2026-07-08']
    const starts = days.map((day) => toEpoch(parseDay(day), 540, 'Europe/Berlin'))
    const { text, starts: read } = written(starts, 'Europe/Berlin')
    expect(read).toEqual(starts)
    expect(text).toContain('RDATE;TZID=Europe/Berlin:20260106T090000,')
  })

  it('uses UTC for a local time that occurs twice when clocks go back', () => {
    const first = Date.UTC(2026, 9, 25, 1, 30)
    const starts = [first, first + 7 * 24 * HOUR]
    const { text, starts: read } = written(starts, 'Europe/Berlin')
    expect(read).toEqual(starts)
    expect(text).toContain('DTSTART:20261025T013000Z\r\n')
    expect(text).not.toContain('TZID')
  })

  it('identifies exceptions by their original start, on the same clock', () => {
    const Starts = startsFor('2026-03-20', 540, 'Europe/Berlin', { Until: '2026-04-10' })
    const other = { ...booking, CalendarID: 's1', RecurrenceID: Starts[2] as number }
    const calendar = parseCalendar(
      calendarOf(
        {
          ...booking,
          CalendarID: 's1',
          TimeZone: 'Europe/Berlin',
          StartTimestamp: Starts[0] as number,
          EndTimestamp: (Starts[0] as number) + HOUR,
          Series: { Starts, Exceptions: [other], Cancelled: [] },
        },
        { method: 'REQUEST', now: 0 },
      ),
    )
    const events = calendar.components.filter(({ name }) => name === 'VEVENT')
    expect(events.map((event) => propertyOf(event, 'UID')?.value)).toEqual([
      's1@building-dashboard',
      's1@building-dashboard',
    ])
    const id = propertyOf(events[1] as (typeof events)[0], 'RECURRENCE-ID') as Property
    expect(id).toMatchObject({ params: { TZID: 'Europe/Berlin' }, value: '20260403T090000' })
    expect(momentsOf(calendar, id)).toEqual([Starts[2]])
  })
})
