import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { bookings } from '../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { callQuery } from '../../data/api.ts'

export const conferenceRoomsQuery = callQuery(conferenceRoom.operations.list, {})
export const bookingsQuery = (span: Span) => callQuery(bookings.getByStartTimestamp, span)

/** The company's meeting rooms. */
export const useConferenceRooms = () => useQuery(conferenceRoomsQuery)

/** A period, of one room or of all. */
type Span = Period & { ConferenceRoomID?: string }

/** Every booking that overlaps a period; those of the former period until they are there. */
export const useBookings = (span: Span) =>
  useQuery({ ...bookingsQuery(span), placeholderData: keepPreviousData })
