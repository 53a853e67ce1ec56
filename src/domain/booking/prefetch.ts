import { bookings } from '../../../contract/bookings/calls.ts'
import { conferenceRoom, type ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { prefetchFollowUps, type FollowUpCalls, type ScreenFetches } from '../../data/prefetch.ts'
import { queryClient } from '../../data/api.ts'
import { spanOf, todayAt } from './days.ts'
import { bookingsQuery, conferenceRoomsQuery } from './use-bookings.ts'

/** Prefetches today's bookings; with query parameters the page fetches its own data. */
export const bookingFollowUps: FollowUpCalls = async ({ answerTo }) => {
  if (location.search !== '') return []
  const rooms = await answerTo([conferenceRoom.operations.list.path, {}])
  const zones = ((rooms ?? []) as readonly ConferenceRoomWithClock[]).map(({ TimeZone }) => TimeZone)
  if (zones.length === 0) return []
  return [[bookings.getByStartTimestamp.path, spanOf(zones, todayAt(zones[0], Date.now()), 1)]]
}

export const fetches: ScreenFetches = {
  [conferenceRoom.operations.list.path]: () => queryClient.prefetchQuery(conferenceRoomsQuery),
  [bookings.getByStartTimestamp.path]: (span: Parameters<typeof bookingsQuery>[0]) =>
    queryClient.prefetchQuery(bookingsQuery(span)),
}

export const askNext = () => prefetchFollowUps(bookingFollowUps)
