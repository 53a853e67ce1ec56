import { MAX_BOOKING_RANGE_MS, bookings, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { call } from '../../data/api.ts'

/** So many are named; one needs no more to choose another time. */
const MOST = 3

/**
 * What stands where somebody wanted to book, the first of it; nothing when that cannot be learnt.
 *
 * wanted  one period or those of a series, ascending
 * own     the booking that is moved, which is no hindrance to itself
 */
export async function describeConflicts(
  ConferenceRoomID: string,
  wanted: readonly Period[],
  own: BookingWithDetails | undefined,
): Promise<BookingWithDetails[]> {
  const there: BookingWithDetails[] = []
  let rest = wanted
  while (rest.length > 0 && there.length < MOST) {
    const StartTimestamp = rest[0]?.StartTimestamp ?? 0
    const near = rest.filter((period) => period.EndTimestamp <= StartTimestamp + MAX_BOOKING_RANGE_MS)
    const EndTimestamp = near.at(-1)?.EndTimestamp ?? StartTimestamp
    const found = await call(bookings.getByStartTimestamp, {
      ConferenceRoomID,
      StartTimestamp,
      EndTimestamp,
    }).catch(() => [])
    there.push(
      ...found.filter(
        (one) =>
          one.RecordID !== own?.RecordID &&
          near.some(
            (period) => one.StartTimestamp < period.EndTimestamp && period.StartTimestamp < one.EndTimestamp,
          ),
      ),
    )
    rest = rest.slice(near.length)
  }
  return there.slice(0, MOST)
}
