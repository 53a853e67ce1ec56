import type { Reservation } from '../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../contract/resources/conference-room.ts'
import { overlap, type Period } from '../../contract/rules/booking.ts'
import { dateOf, onWall } from '../../contract/rules/booking-clock.ts'
import type { SignedIn } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { bookingsOf, seenBy } from '../resources/reservation-store.ts'
import { join, sql } from '../store/db.ts'

/**
 * Which of these periods somebody else has booked.
 *
 * periods   ascending
 * except    bookings that do not count, because they are being moved
 * returns   each taken period with the first booking that is there
 */
export async function takenOf<P extends Period>(
  { db, actor }: SignedIn,
  room: ConferenceRoomWithClock,
  periods: readonly P[],
  except: readonly string[] = [],
): Promise<{ period: P; by: Reservation }[]> {
  const from = Math.min(...periods.map(({ StartTimestamp }) => StartTimestamp))
  const until = Math.max(...periods.map(({ EndTimestamp }) => EndTimestamp))
  const others = await bookingsOf(
    db,
    sql`tenant = ${actor.tenant} and conference_room_id = ${room.ConferenceRoomID}
      and end_timestamp > ${from} and start_timestamp < ${until}
      and record_id not in (${join(except.length ? except : [''])})`,
  )
  return periods.flatMap((period) => {
    const by = others.find((other) => overlap(other, period))
    return by ? [{ period, by }] : []
  })
}

/** Refuses a booking where another one is, and names it as far as the person may know it. */
export function conflict(
  { actor }: SignedIn,
  room: ConferenceRoomWithClock,
  taken: readonly { by: Reservation }[],
): GatewayError {
  const names = taken.slice(0, 5).map(({ by }) => {
    const { Subject, BookedByEmail } = seenBy(by, actor)
    const when = `${clockOf(by.StartTimestamp, room)} – ${clockOf(by.EndTimestamp, room)}`
    return Subject === '' ? when : `${when} "${Subject}" (${BookedByEmail})`
  })
  const more = taken.length > names.length ? ` and ${taken.length - names.length} more` : ''
  return new GatewayError(
    'CONFLICT',
    `${room.ConferenceRoomName} is booked already: ${names.join('; ')}${more}`,
    { StartTimestamp: 'booked' },
  )
}

function clockOf(timestamp: number, { TimeZone }: ConferenceRoomWithClock): string {
  const { day, minute } = onWall(timestamp, TimeZone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dateOf(day)} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
