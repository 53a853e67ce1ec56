import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { freshness, type Freshness } from '../devices/freshness.ts'
import { MIN_REFETCH_MS } from './use-meters.ts'

type Status = Pick<HistoryStatus, 'LastUpdateTimestamp' | 'PowerMeterUpdateFrequency' | 'IsCurrent'>

/**
 * Freshness of a meter's last reading on pages that poll: newer readings are unknown until the next response.
 *
 * status   as the gateway returned it; a meter that was current stays so until the next response is due
 * special  a reading younger than the minimum refetch interval is never out of date
 */
export function meterFreshness(status: Status, hubOnline: boolean | undefined, now: number): Freshness {
  const { LastUpdateTimestamp, PowerMeterUpdateFrequency: frequency, IsCurrent } = status
  const timeoutSeconds = Math.max(MIN_REFETCH_MS / 1000, frequency)
  return freshness({
    hubOnline,
    timestamp: LastUpdateTimestamp ?? undefined,
    frequencySeconds: IsCurrent ? frequency + timeoutSeconds : timeoutSeconds,
    reports: true,
    now,
  })
}
