import { beforeEach, expect, it, vi } from 'vitest'
import { bookings } from '../../../../contract/bookings/calls.ts'
import { spanOf } from '../../../../src/domain/booking/days.ts'
import { bookingFollowUps } from '../../../../src/domain/booking/prefetch.ts'

const rooms = [{ TimeZone: 'Asia/Taipei' }, { TimeZone: 'Asia/Tokyo' }]
const asksWhere = (answer: unknown) =>
  bookingFollowUps({
    home: undefined,
    answerTo: ([path]) => Promise.resolve(path === '/ListConferenceRoom' && answer),
  })

beforeEach(() => {
  history.replaceState(null, '', '/ConferenceRoomBooking')
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-05T09:00:00+08:00'))
  return () => vi.restoreAllMocks()
})

it('requests the bookings of the day of the rooms', async () => {
  expect(await asksWhere(rooms)).toEqual([
    [
      bookings.getByStartTimestamp.path,
      {
        StartTimestamp: Date.parse('2026-01-05T00:00:00+09:00'),
        EndTimestamp: Date.parse('2026-01-06T00:00:00+08:00'),
      },
    ],
  ])
})

it('requests nothing for an address of another screen', async () => {
  history.replaceState(null, '', '/ConferenceRoomBooking?view=week')
  expect(await asksWhere(rooms)).toEqual([])
})

it.each([{ answer: [] }, { answer: undefined }])(
  'requests no bookings if rooms are $answer',
  async ({ answer }) => {
    expect(await asksWhere(answer)).toEqual([])
  },
)

it('covers days from the first midnight in any time zone to the last', () => {
  const day = Date.UTC(2026, 0, 5) / 86_400_000
  expect(spanOf(['Asia/Taipei', 'Europe/Berlin'], day, 7)).toEqual({
    StartTimestamp: Date.parse('2026-01-05T00:00:00+08:00'),
    EndTimestamp: Date.parse('2026-01-12T00:00:00+01:00'),
  })
})
