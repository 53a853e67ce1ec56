import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { bookings } from '../../../contract/procedures/bookings.ts'
import { conferenceRoom } from '../../../contract/resources/conference-room.ts'
import type { Period } from '../../../contract/rules/booking.ts'
import { callKey, callQuery, queryClient } from '../../data/api.ts'
import { onChange } from '../../live/refine-live.ts'

/** A series of 200 bookings is told one by one, and asked for once. */
const GATHER_MS = 150

const bookingCalls = [bookings.getByStartTimestamp, bookings.getByEmail, bookings.availableSlots]

/** Asks again for what shows bookings, after one was made, changed or cancelled here. */
export const refreshBookings = (): void => {
  for (const endpoint of bookingCalls) void queryClient.invalidateQueries({ queryKey: callKey(endpoint) })
}

/** The company's meeting rooms, kept current by what other screens change. */
export function useConferenceRooms() {
  useEffect(
    () =>
      onChange(({ name }) => {
        if (name.startsWith('conferenceRoom.') && !name.endsWith('Booking'))
          void queryClient.invalidateQueries({ queryKey: callKey(conferenceRoom.operations.list) })
      }),
    [],
  )
  return useQuery(callQuery(conferenceRoom.operations.list, {}))
}

/** Keeps shown bookings current; many changes at once are one question. */
export function useLiveBookings(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onChange(({ name }) => {
      if (!name.startsWith('conferenceRoom.')) return
      timer ??= setTimeout(() => {
        timer = undefined
        refreshBookings()
      }, GATHER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
}

/** Every booking that overlaps a period, of one room or of all; those of the former period until they are there. */
export function useBookings(span: Period & { ConferenceRoomID?: string }) {
  useLiveBookings()
  return useQuery({
    ...callQuery(bookings.getByStartTimestamp, span),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })
}
