import { bookings } from '../../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../../contract/bookings/conference-room.ts'
import { dayOf } from '../../../../contract/time/periods.ts'
import { notices } from '../../../data/notices.ts'
import { useAction } from '../../../data/use-action.ts'
import { spanOf } from '../../../domain/booking/use-bookings.ts'
import { t } from '../../../lib/i18n/i18n.ts'

/** Days that are searched in each direction: the gateway returns bookings of 62 days, which differ by time zone. */
const SEARCHED_DAYS = 60

/**
 * Goes to the nearest day before or after the shown ones on which one of the rooms is booked; a notice says if there is none.
 *
 * first, last  the shown days
 */
export function useBookedDays(
  rooms: readonly ConferenceRoomWithClock[],
  [first, last]: readonly [number, number],
  goTo: (day: number) => void,
) {
  return useAction(async (direction: 'previous' | 'next', send) => {
    const zones = [...new Set(rooms.map(({ TimeZone }) => TimeZone))]
    const isNext = direction === 'next'
    const [only] = rooms.length === 1 ? rooms : []
    const found = await send(bookings.getByStartTimestamp, {
      ...spanOf(zones, isNext ? last + 1 : first - SEARCHED_DAYS, SEARCHED_DAYS),
      ...(only && { ConferenceRoomID: only.ConferenceRoomID }),
    })
    const days = found.flatMap(({ ConferenceRoomID, StartTimestamp }) => {
      const zone = rooms.find((room) => room.ConferenceRoomID === ConferenceRoomID)?.TimeZone
      const day = zone === undefined ? last : dayOf(StartTimestamp, zone)
      return (isNext ? day > last : day < first) ? [day] : []
    })
    if (days.length > 0) goTo(isNext ? Math.min(...days) : Math.max(...days))
    else notices.info(() => t('bookings:noBookedDay', { count: SEARCHED_DAYS }))
  })
}
