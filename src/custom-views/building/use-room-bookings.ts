import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bookings, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import { conferenceRoom, type ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

/** Time to look ahead for bookings. */
const LOOKAHEAD_MS = 86_400_000
/** Step of the queried period. */
const REFETCH_INTERVAL_MS = 15 * 60_000

export interface RoomBookings {
  /** Conference rooms that are this room. */
  places: readonly ConferenceRoomWithClock[]
  /** Bookings of the next 24 hours that are not over, by start; null while they load. */
  bookings: readonly BookingWithDetails[] | null
}

/** Bookings of a site's rooms by RoomID; rooms that cannot be booked have no entry. Empty without the right to see conference rooms. */
export function useRoomBookings(HomeID: string, now: number): ReadonlyMap<number, RoomBookings> {
  const enabled = useMay('conference_room', 'Read')
  const rooms = useQuery({ ...callQuery(conferenceRoom.operations.list, {}), enabled }).data
  const from = Math.floor(now / REFETCH_INTERVAL_MS) * REFETCH_INTERVAL_MS
  const booked = useQuery({
    ...callQuery(bookings.getByStartTimestamp, { StartTimestamp: from, EndTimestamp: from + LOOKAHEAD_MS }),
    enabled,
  }).data
  return useMemo(() => {
    const bookingsByRoom = new Map<
      number,
      { places: ConferenceRoomWithClock[]; bookings: BookingWithDetails[] | null }
    >()
    for (const place of rooms ?? []) {
      if (place.HomeID !== HomeID || place.RoomID === null) continue
      const room = bookingsByRoom.get(place.RoomID) ?? { places: [], bookings: booked ? [] : null }
      room.places.push(place)
      room.bookings?.push(
        ...(booked ?? []).filter(
          (booking) => booking.ConferenceRoomID === place.ConferenceRoomID && booking.EndTimestamp > now,
        ),
      )
      room.bookings?.sort((a, b) => a.StartTimestamp - b.StartTimestamp)
      bookingsByRoom.set(place.RoomID, room)
    }
    return bookingsByRoom
  }, [rooms, booked, HomeID, now])
}
