import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  history,
  type HistoryDevice,
  type HistoryPick,
  type HistorySeries,
} from '../../../contract/devices/history-calls.ts'
import { call, callKey } from '../../data/api.ts'

/** A minute: samples come no more often. */
const FRESH = 60_000

/** What is stored of every device of a home, or of one, page by page. */
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

interface Asked {
  HomeID: string
  picks: readonly HistoryPick[]
  from: number
  to: number
  points: number
  /** Whether the range is not over: it is asked for again every minute. */
  running: boolean
}

/** The stored values of what was picked. While others are fetched, those from before stay. */
export function useHistory({ HomeID, picks, from, to, points, running }: Asked) {
  const input = { HomeID, Quantities: [...picks], From: from, To: to, Points: points }
  return useQuery({
    queryKey: callKey(history.getHistorySeries, input),
    queryFn: ({ signal }): Promise<HistorySeries[]> => call(history.getHistorySeries, input, { signal }),
    enabled: picks.length > 0,
    refetchInterval: running ? FRESH : false,
    placeholderData: keepPreviousData,
  })
}
