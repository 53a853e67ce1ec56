import { bookings } from '../../../contract/procedures/bookings.ts'
import { conferenceRoom, type ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { sendNext, type AsksNext } from '../../data/answers-ahead.ts'
import { spanOf, todayAt } from './days.ts'

/** The bookings of today; for what else an address may be about the page asks itself. */
export const asksNext: AsksNext = async ({ answerTo }) => {
  if (location.search !== '') return []
  const rooms = await answerTo([conferenceRoom.operations.list.path, {}])
  const zones = ((rooms ?? []) as readonly ConferenceRoomWithClock[]).map(({ TimeZone }) => TimeZone)
  if (zones.length === 0) return []
  return [[bookings.getByStartTimestamp.path, spanOf(zones, todayAt(zones[0], Date.now()), 1)]]
}

export const askNext = () => sendNext(asksNext)
