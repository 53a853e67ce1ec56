import { useQuery } from '@tanstack/react-query'
import { useState, type FC } from 'react'
import { MAX_BOOKING_RANGE_MS, bookings, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** How many of a series are to come, as far as one call looks. */
export const SeriesCount: FC<{ booking: BookingWithDetails }> = ({ booking }) => {
  const t = useT()
  const [from] = useState(gatewayNow)
  const { data } = useQuery(
    callQuery(bookings.getByStartTimestamp, {
      ConferenceRoomID: booking.ConferenceRoomID,
      StartTimestamp: from,
      EndTimestamp: from + MAX_BOOKING_RANGE_MS,
    }),
  )
  const count = data?.filter(({ SeriesID }) => SeriesID === booking.SeriesID).length
  if (count === undefined) return null
  return <p>{t('bookings:cancel.inSeries', { count, days: MAX_BOOKING_RANGE_MS / 86_400_000 })}</p>
}
