import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useCurrentHome } from '../../data/homes.ts'

/** Time zone of the company's lists: that of the current home, Taiwan's if the user sees no home. */
export const useZone = (): string => useCurrentHome()?.TimeZone ?? DEFAULT_ZONE
