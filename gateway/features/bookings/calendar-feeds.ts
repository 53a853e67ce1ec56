import { Booking } from '../../../contract/bookings/calls.ts'
import { redactBooking } from './booking-privacy.ts'
import type { Clock } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'
import { feedOf } from './calendar.ts'
import { linkOf } from './links.ts'

/** How far back a feed goes, in ms: calendars keep what they have. */
const FEED_HISTORY_MS = 31 * 86_400_000
const MOST = 2_000

export interface Feeds {
  /** The calendar of a secret address, or undefined when there is none (any more). */
  calendar(token: string): Promise<string | undefined>
}

/** Calendar feeds. Whoever knows the address reads it, so a person's stops with their account or their right. */
export function createCalendarFeeds({ db, clock }: { db: Db; clock: Clock }): Feeds {
  const read = (tenant: string, where: Sql) =>
    db.query<Booking & { Room: string }>(sql`
      select ${columnsOf(Booking, 'b')}, r.conference_room_name as "Room"
      from reservations b join conference_rooms r using (tenant, conference_room_id)
      where b.tenant = ${tenant} and b.end_timestamp > ${clock.now() - FEED_HISTORY_MS} and ${where}
      order by b.start_timestamp limit ${MOST}`)

  return {
    async calendar(token) {
      const link = await linkOf(db, token)
      if (!link || link.kind === 'door') return undefined
      const now = clock.now()
      if (link.kind === 'person') {
        const own = JSON.stringify([link.email])
        const bookings = await read(
          link.tenant,
          sql`(b.booked_by_email = ${link.email} or b.attendees @> ${own}::jsonb)`,
        )
        return feedOf(bookings, { name: link.email ?? '', now })
      }
      const bookings = await read(link.tenant, sql`b.conference_room_id = ${link.roomId}`)
      const shown = bookings.map(({ Room, ...booking }) => ({
        ...(booking.Private ? { ...redactBooking(booking), Subject: Room } : booking),
        Room,
      }))
      return feedOf(shown, { name: link.roomName ?? '', now })
    },
  }
}
