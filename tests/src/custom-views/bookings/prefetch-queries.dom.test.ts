import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { bookings } from '../../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { spanOf } from '../../../../src/domain/booking/use-bookings.ts'
import { prefetchQueries } from '../../../../src/custom-views/bookings/prefetch-queries.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'
import { answers, requests, owner, rejectCall, server, signInAs } from '../../../support/msw.ts'

const rooms = ['Asia/Taipei', 'Asia/Tokyo'].map((TimeZone) => ({ ...aConferenceRoom(), TimeZone }))
const requested = () =>
  requests.filter(({ path }) => path === bookings.getByStartTimestamp.path).map(({ body }) => body)

beforeEach(() => {
  history.replaceState(null, '', '/ConferenceRoomBooking')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T09:00:00+08:00') })
  signInAs(owner)
  requests.length = 0
  server.use(answers(conferenceRoom.operations.list, rooms), answers(bookings.getByStartTimestamp, []))
})
afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
  history.replaceState(null, '', '/')
})

it('requests the bookings of the day of the rooms', async () => {
  await prefetchQueries()
  expect(requested()).toEqual([
    {
      StartTimestamp: Date.parse('2026-01-05T00:00:00+09:00'),
      EndTimestamp: Date.parse('2026-01-06T00:00:00+08:00'),
    },
  ])
})

it('requests no bookings for an address with parameters', async () => {
  history.replaceState(null, '', '/ConferenceRoomBooking?view=week')
  await prefetchQueries()
  expect(requested()).toEqual([])
})

it.each([
  ['there are none', answers(conferenceRoom.operations.list, [])],
  ['they are not known', rejectCall(conferenceRoom.operations.list, 'INTERNAL')],
])('requests no bookings of rooms if %s', async (_, handler) => {
  server.use(handler)
  await prefetchQueries()
  expect(requested()).toEqual([])
})

it('covers days from the first midnight in any time zone to the last', () => {
  const day = Date.UTC(2026, 0, 5) / 86_400_000
  expect(spanOf(['Asia/Taipei', 'Europe/Berlin'], day, 7)).toEqual({
    StartTimestamp: Date.parse('2026-01-05T00:00:00+08:00'),
    EndTimestamp: Date.parse('2026-01-12T00:00:00+01:00'),
  })
})
