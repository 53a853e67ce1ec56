import { beforeEach, expect, it, vi } from 'vitest'
import { bookings } from '../../../../contract/procedures/bookings.ts'
import { conferenceRoom } from '../../../../contract/resources/conference-room.ts'
import { spanOf } from '../../../../src/domain/booking/days.ts'
import { prefetch } from '../../../../src/domain/booking/prefetch.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { answers, server, subUser } from '../../../support/msw.ts'
import { arrive, sentTo } from '../../support/page.tsx'

const room = (ConferenceRoomID: string, TimeZone: string) => ({
  ConferenceRoomID,
  ConferenceRoomName: ConferenceRoomID,
  Capacity: 8,
  Equipment: '',
  Active: true,
  ReleaseAfter: 0,
  Version: 1,
  HomeID: null,
  RoomID: null,
  TimeZone,
})
const asked = () => [...sentTo(conferenceRoom.operations.list), ...sentTo(bookings.getByStartTimestamp)]
const hasAsked = () => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), 10_000)

beforeEach(() => {
  arrive()
  history.replaceState(null, '', '/ConferenceRoomBooking')
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-05T09:00:00+08:00'))
  server.use(
    answers(conferenceRoom.operations.list, [room('a', 'Asia/Taipei'), room('b', 'Asia/Tokyo')]),
    answers(bookings.getByStartTimestamp, []),
  )
  return () => vi.restoreAllMocks()
})

it('asks for the rooms, and for the bookings of their day', async () => {
  prefetch()
  await hasAsked()
  expect(sentTo(bookings.getByStartTimestamp)).toEqual([
    {
      StartTimestamp: Date.parse('2026-01-05T00:00:00+09:00'),
      EndTimestamp: Date.parse('2026-01-06T00:00:00+08:00'),
    },
  ])
})

it('asks for nothing where the address is about something else, or without the right to read them', async () => {
  history.replaceState(null, '', '/ConferenceRoomBooking?view=week')
  prefetch()
  arrive(subUser([]))
  history.replaceState(null, '', '/ConferenceRoomBooking')
  prefetch()
  await hasAsked()
  expect(asked()).toEqual([])
})

it('asks for no bookings without a room', async () => {
  server.use(answers(conferenceRoom.operations.list, []))
  prefetch()
  await hasAsked()
  expect(sentTo(bookings.getByStartTimestamp)).toEqual([])
})

it('takes days from the first midnight of any wall to the last', () => {
  const day = Date.UTC(2026, 0, 5) / 86_400_000
  expect(spanOf(['Asia/Taipei', 'Europe/Berlin'], day, 7)).toEqual({
    StartTimestamp: Date.parse('2026-01-05T00:00:00+08:00'),
    EndTimestamp: Date.parse('2026-01-12T00:00:00+01:00'),
  })
})
