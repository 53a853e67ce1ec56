import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useCurrentHome } from '../../data/homes.ts'

/** The clock that the company's lists go by: that of the current home, Taiwan's where the person sees none. */
export const useZone = (): string => useCurrentHome()?.TimeZone ?? DEFAULT_ZONE
