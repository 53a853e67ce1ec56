import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { bookings } from '../../../contract/procedures/bookings.ts'
import { conferenceRoom } from '../../../contract/resources/conference-room.ts'
import type { Period } from '../../../contract/rules/booking/booking.ts'
import { callQuery } from '../../data/api.ts'

/** The company's meeting rooms. */
export const useConferenceRooms = () => useQuery(callQuery(conferenceRoom.operations.list, {}))

/** Every booking that overlaps a period, of one room or of all; those of the former period until they are there. */
export const useBookings = (span: Period & { ConferenceRoomID?: string }) =>
  useQuery({ ...callQuery(bookings.getByStartTimestamp, span), placeholderData: keepPreviousData })
