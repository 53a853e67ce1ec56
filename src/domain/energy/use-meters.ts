import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../contract/devices/peripheral.ts'
import { callQuery } from '../../data/api.ts'

/** Minimum refetch interval of pages, ms. */
export const MIN_REFETCH_MS = 60_000

export const metersQuery = (HomeID: string) => callQuery(meterData.getAllMeterData, { HomeID })

/** Last reading of every meter of a home, refetched at the shortest update frequency among them. */
export function useMeters(homeId: string) {
  return useQuery({
    ...metersQuery(homeId),
    refetchInterval: ({ state }) => {
      const minIntervalSeconds = Math.min(
        ...(state.data ?? []).map((meter) => meter.PowerMeterUpdateFrequency),
      )
      return Math.max(
        MIN_REFETCH_MS,
        Number.isFinite(minIntervalSeconds) ? minIntervalSeconds * 1000 : DEFAULT_UPDATE_FREQUENCY * 1000,
      )
    },
  })
}
