import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { meterData, type Grouping } from '../../../../contract/energy/meter-data-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import type { ChartView } from '../../../ui/chart/model.ts'
import { useNow } from '../../../ui/page/use-now.ts'

const REFRESH_MS = 300_000

/** Polls while the tab is visible, and when it becomes visible again. */
const refreshing = {
  refetchInterval: REFRESH_MS,
  refetchOnWindowFocus: true,
} as const

/** Number of days that always include yesterday and the whole month. */
const DAYS = 31

/** Daily sums of every home; also refetched when a day begins in one of them. */
export function useDailySums(homes: readonly HomeWithRooms[]) {
  const now = useNow()
  const query = useQuery({ ...callQuery(meterData.getDailySummationData, { Days: DAYS }), ...refreshing })
  const { refetch, dataUpdatedAt } = query
  const dated = homes.some(
    ({ TimeZone }) => dataUpdatedAt > 0 && dayOf(dataUpdatedAt, TimeZone) !== dayOf(now, TimeZone),
  )
  useEffect(() => {
    if (dated) void refetch()
  }, [dated, refetch])
  return query
}

/** Starts of yesterday, today and tomorrow in a home's time zone, epoch ms. */
export function twoDaysOf(now: number, zone: string) {
  const day = dayOf(now, zone)
  return { from: startOfDay(day - 1, zone), today: startOfDay(day, zone), to: startOfDay(day + 1, zone) }
}

/** Hourly energy of a home yesterday and today. */
export function useTwoDays({ HomeID, TimeZone }: HomeWithRooms, enabled: boolean) {
  const { from, to } = twoDaysOf(useNow(), TimeZone)
  return useQuery({
    ...seriesQuery({ HomeID, From: from, To: to, Resolution: 'hour', By: 'home' }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

const seriesQuery = (input: Parameters<typeof callQuery<typeof meterData.getEnergySeries>>[1]) => ({
  ...callQuery(meterData.getEnergySeries, input),
  ...refreshing,
})

/** Energy of a home this month. */
export interface HomeMonth {
  home: HomeWithRooms
  /** The month in the home's time zone. */
  span: ChartView
  data: ResultsOf<typeof meterData.getEnergySeries>
}

/** Energy of homes this month by `grouping`, as one query; `data` contains the homes that loaded, once none is pending. */
export function useMonths(homes: readonly HomeWithRooms[], grouping: Grouping) {
  const now = useNow()
  const spans = homes.map(({ TimeZone }) => {
    const month = monthOf(now, TimeZone)
    return { from: startOfMonth(month, TimeZone), to: startOfMonth(month + 1, TimeZone) }
  })
  return useQueries({
    queries: homes.map(({ HomeID }, i) => ({
      ...seriesQuery({
        ...{ HomeID, From: spans[i]?.from ?? 0, To: spans[i]?.to ?? 0 },
        ...({ Resolution: 'month', By: grouping } as const),
      }),
      placeholderData: keepPreviousData<ResultsOf<typeof meterData.getEnergySeries>>,
    })),
    // `data` keeps its identity while it is equal.
    combine: (queries) => {
      const months = homes.flatMap((home, i): HomeMonth[] => {
        const [data, span] = [queries[i]?.data, spans[i]]
        return data && span ? [{ home, span, data }] : []
      })
      const isPending = queries.some((query) => query.isPending && !query.error)
      return {
        isPending,
        data: isPending || months.length === 0 ? undefined : months,
        error: queries.find(({ error }) => error)?.error ?? null,
        fetchStatus: queries.find((query) => query.isPending)?.fetchStatus ?? 'idle',
        isPlaceholderData: queries.some((query) => query.isPlaceholderData),
        refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
      }
    },
  })
}
