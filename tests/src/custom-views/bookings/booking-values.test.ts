import dayjs from 'dayjs'
import { expect, it } from 'vitest'
import {
  alongWith,
  changesOf,
  leftOut,
  periodOf,
  valuesFor,
} from '../../../../src/custom-views/bookings/booking-values.ts'

const ZONE = 'America/New_York'
const at = (time: string) => dayjs(`2000-01-01T${time}`)

it('knows a time that clocks leave out when they go forward, and no other', () => {
  const period = { StartTimestamp: 0, EndTimestamp: 3_600_000 }
  const form = valuesFor(undefined, period, ZONE, undefined, { email: '', name: '' })
  const on = (date: string, start: string) => {
    const values = { ...form, date: dayjs(date), start: at(start), end: at('05:00') }
    return leftOut(values.start, periodOf(values, ZONE).StartTimestamp, ZONE)
  }
  expect(on('2027-03-14', '02:30')).toBe(true)
  expect(on('2027-03-14', '01:30')).toBe(false)
  expect(on('2027-03-14', '03:30')).toBe(false)
  expect(on('2027-03-15', '02:30')).toBe(false)
  expect(on('2026-11-01', '01:30')).toBe(false)
})

it('sends of a booking only what was changed in the form, and both ends of a period', () => {
  const sent = {
    ConferenceRoomID: 'c1',
    StartTimestamp: 0,
    EndTimestamp: 3_600_000,
    Subject: 'Weekly',
    Attendees: ['a@example.com', 'b@example.com'],
    Host: '',
    Description: '',
    Private: false,
  }
  const booking = {
    ...sent,
    RecordID: 'r1',
    SeriesID: 's1',
    BookedBy: null,
    BookedByEmail: 'a@example.com',
    CheckedInAt: null,
    ReleasedAt: null,
    Hidden: false,
  }
  expect(changesOf(booking, sent)).toEqual({})
  expect(changesOf(booking, { ...sent, Subject: 'Daily', Attendees: ['a@example.com'] })).toEqual({
    Subject: 'Daily',
    Attendees: ['a@example.com'],
  })
  expect(changesOf(booking, { ...sent, EndTimestamp: 7_200_000 })).toEqual({
    StartTimestamp: 0,
    EndTimestamp: 7_200_000,
  })
})

it('takes the only weekday and the last day of a series along with its date, not what was chosen', () => {
  const [monday, wednesday] = [dayjs('2026-01-05'), dayjs('2026-01-07')]
  const until = dayjs('2026-01-06')
  const moved = alongWith(wednesday, monday, { weekdays: [1], until })
  expect(moved.weekdays).toEqual([3])
  expect(moved.until.format('YYYY-MM-DD')).toBe('2026-02-04')
  const chosen = { weekdays: [1, 4], until: dayjs('2026-03-01') }
  expect(alongWith(wednesday, monday, chosen)).toEqual(chosen)
})
