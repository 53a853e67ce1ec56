import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { freshness, type Freshness } from '../devices/freshness.ts'
import { MIN_REFETCH_MS } from './use-meters.ts'

type Status = Pick<HistoryStatus, 'LastUpdateTimestamp' | 'PowerMeterUpdateFrequency' | 'IsCurrent'>

/**
 * How far a meter's last reading can be believed where pages ask for it now and then: what the meter has said since is not known
 * before the next answer.
 *
 * status   as the server answered: what was current then is so until the next answer must have come
 * special  nothing younger than the least time between two answers is called out of date
 */
export function meterFreshness(status: Status, hubOnline: boolean | undefined, now: number): Freshness {
  const { LastUpdateTimestamp, PowerMeterUpdateFrequency: frequency, IsCurrent } = status
  const wait = Math.max(MIN_REFETCH_MS / 1000, frequency)
  return freshness({
    hubOnline,
    timestamp: LastUpdateTimestamp ?? undefined,
    frequencySeconds: IsCurrent ? frequency + wait : wait,
    reports: true,
    now,
  })
}
