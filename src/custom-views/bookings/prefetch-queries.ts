import { queryClient } from '../../data/api.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { spanOf, todayAt, bookingsQuery, conferenceRoomsQuery } from '../../domain/booking/use-bookings.ts'

/** Fetches the rooms, and today's bookings unless the address has parameters; the page then fetches what it shows. */
export async function prefetchQueries(): Promise<void> {
  const rooms = await queryClient.fetchQuery(conferenceRoomsQuery).catch(() => [])
  const zones = rooms.map(({ TimeZone }) => TimeZone)
  if (location.search !== '' || zones.length === 0) return
  await queryClient.prefetchQuery(bookingsQuery(spanOf(zones, todayAt(zones[0], gatewayNow()), 1)))
}
