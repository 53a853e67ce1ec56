import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { bookings } from '../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { type Period, DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { callQuery } from '../../data/api.ts'
import { toWallTime } from '../../../contract/time/periods.ts'
import { startOfDay } from '../../../contract/time/periods.ts'

export const conferenceRoomsQuery = callQuery(conferenceRoom.operations.list, {})
export const bookingsQuery = (span: Span) => callQuery(bookings.getByStartTimestamp, span)

export const useConferenceRooms = () => useQuery(conferenceRoomsQuery)

/** A period, of one room or of all. */
type Span = Period & { ConferenceRoomID?: string }

/** Bookings that overlap a period; shows those of the previous period while loading. */
export const useBookings = (span: Span) =>
  useQuery({ ...bookingsQuery(span), placeholderData: keepPreviousData })

/** Current day in a room's time zone. */
export const todayAt = (zone: string | undefined, now: number): number =>
  toWallTime(now, zone ?? DEFAULT_ZONE).day

/** Period of days that covers all time zones: from the earliest midnight to the latest. */
export const spanOf = (zones: readonly string[], first: number, days: number): Period => ({
  StartTimestamp: Math.min(...zones.map((zone) => startOfDay(first, zone))),
  EndTimestamp: Math.max(...zones.map((zone) => startOfDay(first + days, zone))),
})
