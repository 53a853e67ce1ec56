import { DEFAULT_ZONE, type Period } from '../../../contract/rules/booking/booking.ts'
import { onWall } from '../../../contract/rules/booking/booking-clock.ts'
import { startOfDay } from '../../../contract/rules/energy/periods.ts'
import { queryClient } from '../../data/api.ts'
import { mayNow } from '../../data/session.ts'
import { bookingsQuery, conferenceRoomsQuery } from './use-bookings.ts'

/** The day that it is by a room's clock. */
export const todayAt = (zone: string | undefined, now: number): number =>
  onWall(now, zone ?? DEFAULT_ZONE).day

/** Days by these clocks: from the midnight that any of them strikes first to the last. */
export const spanOf = (zones: readonly string[], first: number, days: number): Period => ({
  StartTimestamp: Math.min(...zones.map((zone) => startOfDay(first, zone))),
  EndTimestamp: Math.max(...zones.map((zone) => startOfDay(first + days, zone))),
})

/** Asks for the bookings of today before there is a page; for what else an address may be about the page asks itself. */
export function askFirst(): void {
  if (location.search !== '' || !mayNow('conference_room', 'Read')) return
  queryClient.fetchQuery(conferenceRoomsQuery).then(
    (rooms) => {
      const zones = rooms.map(({ TimeZone }) => TimeZone)
      if (zones.length > 0)
        void queryClient.prefetchQuery(bookingsQuery(spanOf(zones, todayAt(zones[0], Date.now()), 1)))
    },
    // Told where the page is.
    () => {},
  )
}
