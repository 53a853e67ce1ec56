import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  history,
  type HistoryDevice,
  type HistoryPick,
  type HistorySeries,
} from '../../../contract/devices/history-calls.ts'
import { call, callKey } from '../../data/api.ts'

/** Refetch interval in ms; samples are at least a minute apart. */
const REFETCH_INTERVAL_MS = 60_000

/** Stored quantities of every device of a home, or of one; fetches all pages. */
export const quantitiesQuery = (HomeID: string, PeripheralUID?: string) =>
  queryOptions({
    queryKey: callKey(history.listHistoryQuantity, { HomeID, PeripheralUID }),
    queryFn: async ({ signal }): Promise<HistoryDevice[]> => {
      const devices: HistoryDevice[] = []
      let Cursor: string | undefined
      do {
        const page = await call(
          history.listHistoryQuantity,
          {
            HomeID,
            ...(PeripheralUID !== undefined && { PeripheralUID }),
            ...(Cursor !== undefined && { Cursor }),
          },
          { signal },
        )
        devices.push(...page.Devices)
        Cursor = page.NextCursor ?? undefined
      } while (Cursor !== undefined)
      return devices
    },
  })

interface HistoryQuery {
  HomeID: string
  picks: readonly HistoryPick[]
  from: number
  to: number
  points: number
  /** Whether the range includes now; it is then refetched every minute. */
  running: boolean
}

/** Stored values of the picks. Shows the previous ones while loading. */
export function useHistory({ HomeID, picks, from, to, points, running }: HistoryQuery) {
  const input = { HomeID, Quantities: [...picks], From: from, To: to, Points: points }
  return useQuery({
    queryKey: callKey(history.getHistorySeries, input),
    queryFn: ({ signal }): Promise<HistorySeries[]> => call(history.getHistorySeries, input, { signal }),
    enabled: picks.length > 0,
    refetchInterval: running ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  })
}
