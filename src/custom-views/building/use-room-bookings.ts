import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bookings, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import { conferenceRoom, type ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

/** So far ahead bookings are looked for, ms. */
const LOOKAHEAD_MS = 86_400_000
/** The period that is asked for moves on this often, ms. */
const REFETCH_INTERVAL_MS = 15 * 60_000

/** What is booked in a room of a site. */
export interface RoomBookings {
  /** Meeting rooms that are this room. */
  places: readonly ConferenceRoomWithClock[]
  /** Of the next 24 hours and not over, by start; null while they are not known. */
  bookings: readonly BookingWithDetails[] | null
}

/**
 * What is booked in the rooms of a site, by RoomID; rooms that nobody can book have no entry. Empty without the right to see
 * meeting rooms.
 */
export function useRoomBookings(HomeID: string, now: number): ReadonlyMap<number, RoomBookings> {
  const enabled = useMay('conference_room', 'Read')
  const rooms = useQuery({ ...callQuery(conferenceRoom.operations.list, {}), enabled }).data
  const from = Math.floor(now / REFETCH_INTERVAL_MS) * REFETCH_INTERVAL_MS
  const booked = useQuery({
    ...callQuery(bookings.getByStartTimestamp, { StartTimestamp: from, EndTimestamp: from + LOOKAHEAD_MS }),
    enabled,
  }).data
  return useMemo(() => {
    const found = new Map<
      number,
      { places: ConferenceRoomWithClock[]; bookings: BookingWithDetails[] | null }
    >()
    for (const place of rooms ?? []) {
      if (place.HomeID !== HomeID || place.RoomID === null) continue
      const room = found.get(place.RoomID) ?? { places: [], bookings: booked ? [] : null }
      room.places.push(place)
      room.bookings?.push(
        ...(booked ?? []).filter(
          (one) => one.ConferenceRoomID === place.ConferenceRoomID && one.EndTimestamp > now,
        ),
      )
      room.bookings?.sort((a, b) => a.StartTimestamp - b.StartTimestamp)
      found.set(place.RoomID, room)
    }
    return found
  }, [rooms, booked, HomeID, now])
}
