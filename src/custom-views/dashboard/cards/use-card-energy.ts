import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { meterData, type Grouping } from '../../../../contract/energy/meter-data-calls.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
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

/** Hourly energy of a home yesterday and today; `today` is the start of the second day. */
export function useTwoDays(home: HomeWithRooms) {
  const now = useNow()
  const day = dayOf(now, home.TimeZone)
  const span = useMemo(
    () => ({
      from: startOfDay(day - 1, home.TimeZone),
      today: startOfDay(day, home.TimeZone),
      to: startOfDay(day + 1, home.TimeZone),
    }),
    [day, home.TimeZone],
  )
  return { span, now, query: useSeries(home.HomeID, span.from, span.to, 'hour', 'home') }
}

/** A home's energy of this month by `grouping`, and the span of the month. */
export function useMonth(home: HomeWithRooms, grouping: Grouping) {
  const month = monthOf(useNow(), home.TimeZone)
  const span = useMemo(
    () => ({ from: startOfMonth(month, home.TimeZone), to: startOfMonth(month + 1, home.TimeZone) }),
    [month, home.TimeZone],
  )
  return { span, query: useSeries(home.HomeID, span.from, span.to, 'month', grouping) }
}

/** Keeps the previous figures while the next span loads; a card of another home is another component. */
function useSeries(HomeID: string, From: number, To: number, Resolution: 'hour' | 'month', By: Grouping) {
  return useQuery({
    ...callQuery(meterData.getEnergySeries, { HomeID, From, To, Resolution, By }),
    ...refreshing,
    placeholderData: keepPreviousData,
  })
}

/** Ids of a home's meters, which determine their colors. */
export const useMeterIds = (HomeID: string) => useQuery(callQuery(meterData.getAllMeterData, { HomeID })).data
