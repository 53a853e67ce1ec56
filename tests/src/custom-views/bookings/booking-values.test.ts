import dayjs from 'dayjs'
import { expect, it } from 'vitest'
import type { ConferenceRoomWithClock } from '../../../../contract/bookings/conference-room.ts'
import {
  fieldsFollowingDate,
  isSkippedByDst,
  periodOf,
  sentOf,
  valuesFor,
  valuesOf,
} from '../../../../src/custom-views/bookings/booking-values.ts'

const ZONE = 'America/New_York'
const at = (time: string) => dayjs(`2000-01-01T${time}`)

it('detects exactly the times that the switch to daylight saving time skips', () => {
  const period = { StartTimestamp: 0, EndTimestamp: 3_600_000 }
  const form = valuesFor(undefined, period, ZONE, undefined, { email: '', name: '' })
  const on = (date: string, start: string) => {
    const values = { ...form, date: dayjs(date), start: at(start), end: at('05:00') }
    return isSkippedByDst(values.start, periodOf(values, ZONE).StartTimestamp, ZONE)
  }
  expect(on('2027-03-14', '02:30')).toBe(true)
  expect(on('2027-03-14', '01:30')).toBe(false)
  expect(on('2027-03-14', '03:30')).toBe(false)
  expect(on('2027-03-15', '02:30')).toBe(false)
  expect(on('2026-11-01', '01:30')).toBe(false)
})

const booking = {
  RecordID: 'r1',
  ConferenceRoomID: 'c1',
  // The second 1:30 of the night in which clocks go back.
  StartTimestamp: Date.UTC(2026, 10, 1, 6, 30),
  EndTimestamp: Date.UTC(2026, 10, 1, 8),
  Subject: 'Weekly',
  Attendees: ['a@example.com', 'b@example.com'],
  Host: '',
  Description: '',
  Private: false,
  SeriesID: 's1',
  Sequence: 0,
  BookedBy: null,
  BookedByEmail: 'a@example.com',
  CheckedInAt: null,
  ReleasedAt: null,
  Hidden: false,
}
const own = { email: '', name: '' }
const room = { ConferenceRoomID: 'c1' } as ConferenceRoomWithClock

it('keeps the values of an untouched booking, even at a time that occurs twice', () => {
  const form = valuesFor(room, booking, ZONE, booking, own)
  expect(booking).toMatchObject(sentOf(form, ZONE, booking))
  expect(sentOf({ ...form, Subject: 'Daily' }, ZONE, booking)).toMatchObject({
    Subject: 'Daily',
    StartTimestamp: booking.StartTimestamp,
  })
  expect(sentOf({ ...form, end: at('04:00') }, ZONE, booking)).toMatchObject({
    EndTimestamp: Date.UTC(2026, 10, 1, 9),
  })
})

it('fills only the requested fields of a form', () => {
  expect(valuesOf(booking, ['Subject', 'Private'], ZONE)).toEqual({ Subject: 'Weekly', Private: false })
  const { date, start, end, ...rest } = valuesOf(booking, ['StartTimestamp', 'EndTimestamp'], ZONE)
  expect(rest).toEqual({ ConferenceRoomID: 'c1' })
  expect([date?.format('YYYY-MM-DD'), start?.format('HH:mm'), end?.format('HH:mm')]).toEqual([
    '2026-11-01',
    '01:30',
    '03:00',
  ])
})

it('moves a single weekday and the end of a series with its date, but not selected weekdays', () => {
  const [monday, wednesday] = [dayjs('2026-01-05'), dayjs('2026-01-07')]
  const until = dayjs('2026-01-06')
  const moved = fieldsFollowingDate(wednesday, monday, { weekdays: [1], until })
  expect(moved.weekdays).toEqual([3])
  expect(moved.until.format('YYYY-MM-DD')).toBe('2026-02-04')
  const chosen = { weekdays: [1, 4], until: dayjs('2026-03-01') }
  expect(fieldsFollowingDate(wednesday, monday, chosen)).toEqual(chosen)
})
