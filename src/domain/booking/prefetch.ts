import { queryClient } from '../../data/api.ts'
import { mayNow } from '../../data/session.ts'
import { spanOf, todayAt } from './days.ts'
import { bookingsQuery, conferenceRoomsQuery } from './use-bookings.ts'

/** Asks for the bookings of today before there is a page; for what else an address may be about the page asks itself. */
export function prefetch(): void {
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
