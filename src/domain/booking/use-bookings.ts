import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { bookings } from '../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { callQuery } from '../../data/api.ts'

export const conferenceRoomsQuery = callQuery(conferenceRoom.operations.list, {})
export const bookingsQuery = (span: Span) => callQuery(bookings.getByStartTimestamp, span)

export const useConferenceRooms = () => useQuery(conferenceRoomsQuery)

/** A period, of one room or of all. */
type Span = Period & { ConferenceRoomID?: string }

/** Bookings that overlap a period; shows those of the previous period while loading. */
export const useBookings = (span: Span) =>
  useQuery({ ...bookingsQuery(span), placeholderData: keepPreviousData })
