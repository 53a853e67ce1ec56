import { useEffect, useRef } from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'

/**
 * The booking whose details are open. When it is no longer among those shown, because somebody cancelled or moved it, that is said
 * and they close: they would vanish without a word.
 *
 * bookings  those of the page; undefined while they are not known
 */
export function useOpened(
  bookings: readonly BookingWithDetails[] | undefined,
  id: string | undefined,
  close: () => void,
): BookingWithDetails | undefined {
  const found = bookings?.find(({ RecordID }) => RecordID === id)
  const seen = useRef<string>(undefined)
  useEffect(() => {
    if (found || id === undefined) seen.current = found?.RecordID
    else if (bookings && seen.current === id) {
      seen.current = undefined
      notices.info(() => t('bookings:gone'))
      close()
    }
  })
  return found
}
