import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../contract/devices/peripheral.ts'
import { callQuery } from '../../data/api.ts'

/** Pages ask for what is new no more often than this, ms. */
export const MIN_REFETCH_MS = 60_000

export const metersQuery = (HomeID: string) => callQuery(meterData.getAllMeterData, { HomeID })

/** The last reading of every meter of a home, read again as often as the quickest of them reports. */
export function useMeters(homeId: string) {
  return useQuery({
    ...metersQuery(homeId),
    refetchInterval: ({ state }) => {
      const quickest = Math.min(...(state.data ?? []).map((one) => one.PowerMeterUpdateFrequency))
      return Math.max(
        MIN_REFETCH_MS,
        Number.isFinite(quickest) ? quickest * 1000 : DEFAULT_UPDATE_FREQUENCY * 1000,
      )
    },
  })
}
