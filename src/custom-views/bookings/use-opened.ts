import { useEffect, useRef } from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'

/**
 * The booking whose details are open. If it is no longer in the list, because another user canceled or moved it, a notice says so
 * and the details close.
 *
 * bookings  those of the page; undefined while they load
 */
export function useOpened(
  bookings: readonly BookingWithDetails[] | undefined,
  id: string | undefined,
  close: () => void,
): BookingWithDetails | undefined {
  const booking = bookings?.find(({ RecordID }) => RecordID === id)
  const openedId = useRef<string>(undefined)
  useEffect(() => {
    if (booking || id === undefined) openedId.current = booking?.RecordID
    else if (bookings && openedId.current === id) {
      openedId.current = undefined
      notices.info(() => t('bookings:gone'))
      close()
    }
  })
  return booking
}
