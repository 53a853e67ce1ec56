import { afterEach, beforeEach, expect, it } from 'vitest'
import { bookings as bookingCalls, type BookingWithDetails } from '../../../../contract/bookings/calls.ts'
import type { Period } from '../../../../contract/time/booking.ts'
import { occurrencesOf } from '../../../../contract/bookings/booking-series.ts'
import { describeConflicts } from '../../../../src/custom-views/bookings/use-save-booking.ts'
import { me } from '../../../../src/data/session.ts'
import { answers, requests, owner, proxyAnswers, server, signInAs } from '../../../support/msw.ts'

const ROOM = '11111111-1111-4111-8111-111111111111'
const HOUR = 3_600_000
const at = (date: string, hours = 1): Period => {
  const StartTimestamp = Date.parse(`${date}:00+08:00`)
  return { StartTimestamp, EndTimestamp: StartTimestamp + hours * HOUR }
}
const booked = (number: number, period: Period): BookingWithDetails => ({
  RecordID: `22222222-2222-4222-8222-00000000000${number}`,
  ConferenceRoomID: ROOM,
  ...period,
  Subject: `s${number}`,
  Description: '',
  Host: '',
  Attendees: ['a@example.com'],
  Private: false,
  SeriesID: null,
  Sequence: 0,
  BookedBy: null,
  BookedByEmail: 'a@example.com',
  CheckedInAt: null,
  ReleasedAt: null,
  Hidden: false,
})
const holds = (...bookings: BookingWithDetails[]) =>
  server.use(
    answers(bookingCalls.getByStartTimestamp, (body) => {
      const span = body as Period
      return bookings.filter(
        (one) => one.StartTimestamp < span.EndTimestamp && span.StartTimestamp < one.EndTimestamp,
      )
    }),
  )

beforeEach(() => {
  requests.length = 0
  signInAs(owner)
  me.set(owner)
})
afterEach(() => me.set(undefined))

it('names what overlaps a single booking, but not the booking itself', async () => {
  const own = booked(1, at('2026-01-05T09:00'))
  const other = booked(2, at('2026-01-05T10:00'))
  holds(own, other)
  expect(await describeConflicts(ROOM, [at('2026-01-05T09:30')], own)).toEqual([other])
})

it('names the conflicting days of a series, even more than two months ahead', async () => {
  const first = at('2026-01-05T09:00')
  const weekly = { Every: 'week' as const, Interval: 1, Weekdays: [], Until: '2026-06-30' }
  const late = booked(2, at('2026-05-04T09:30'))
  holds(booked(1, at('2026-01-06T09:00')), late)
  expect(await describeConflicts(ROOM, occurrencesOf(first, weekly, 'Asia/Taipei'), undefined)).toEqual([
    late,
  ])
  expect(requests.length).toBeGreaterThan(2)
})

it('names at most three conflicts and stops asking', async () => {
  const wanted = Array.from({ length: 150 }, (_, day) => ({
    StartTimestamp: at('2026-01-05T09:00').StartTimestamp + day * 24 * HOUR,
    EndTimestamp: at('2026-01-05T09:00').EndTimestamp + day * 24 * HOUR,
  }))
  const four = wanted.slice(0, 4).map((period, i) => booked(i, period))
  holds(...four)
  expect(await describeConflicts(ROOM, wanted, undefined)).toEqual(four.slice(0, 3))
  expect(requests).toHaveLength(1)
})

it('names no conflicts if they cannot be loaded', async () => {
  server.use(proxyAnswers(bookingCalls.getByStartTimestamp, 502))
  expect(await describeConflicts(ROOM, [at('2026-01-05T09:00')], undefined)).toEqual([])
})
