import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { isPeakAtLeast } from '../../../contract/energy/coverage.ts'
import { monthOfDay, parseDay, startOfMonth } from '../../../contract/time/periods.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { totalOf, wholeOf } from './totals.ts'

const MINUTE = 60_000

/** Coverage of a month (`2026-10`) of a home; empty while loading. */
export function useMonthCoverage(homeId: string, month: string) {
  const homeZone = useTimeZone(homeId)
  const zone = homeZone ?? 'UTC'
  const number = monthOfDay(parseDay(`${month}-01`))
  const span = { from: startOfMonth(number, zone), to: startOfMonth(number + 1, zone) }
  const { data } = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: homeId,
      From: span.from,
      To: span.to,
      Resolution: 'month',
      By: 'home',
    }),
    enabled: homeZone !== undefined,
    refetchInterval: 5 * MINUTE,
  })
  return { span, coverage: totalOf(wholeOf(data?.Series)).Coverage }
}

/** Whether the peaks of a month are only lower bounds, because too little of it was measured. */
export const usePeaksAtLeast = (homeId: string, month: string): boolean =>
  isPeakAtLeast(useMonthCoverage(homeId, month).coverage)
