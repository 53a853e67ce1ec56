import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { meterData, type Grouping } from '../../../../contract/energy/meter-data-calls.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import { useNow } from '../../../ui/page/use-now.ts'

/** How often the figures of the cards are asked for, ms. */
const REFRESH_MS = 300_000

/** Asked again while the tab is seen, and when it is seen again. */
const refreshing = {
  refetchInterval: REFRESH_MS,
  refetchOnWindowFocus: true,
} as const

/** Days that hold yesterday and all of any month. */
const DAYS = 31

/** The last days of every home; asked again, too, when a day begins in one of them. */
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

/** Yesterday and today of a home by the hour; `today` is where the second begins. */
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

/** A home's energy of this month, divided, and the month. */
export function useMonth(home: HomeWithRooms, by: Grouping) {
  const month = monthOf(useNow(), home.TimeZone)
  const span = useMemo(
    () => ({ from: startOfMonth(month, home.TimeZone), to: startOfMonth(month + 1, home.TimeZone) }),
    [month, home.TimeZone],
  )
  return { span, query: useSeries(home.HomeID, span.from, span.to, 'month', by) }
}

/** While the next span loads, the last one's figures stay: a card of another home is another card. */
function useSeries(HomeID: string, From: number, To: number, Resolution: 'hour' | 'month', By: Grouping) {
  return useQuery({
    ...callQuery(meterData.getEnergySeries, { HomeID, From, To, Resolution, By }),
    ...refreshing,
    placeholderData: keepPreviousData,
  })
}

/** The ids of a home's meters, from which their colours come. */
export const useMeterIds = (HomeID: string) => useQuery(callQuery(meterData.getAllMeterData, { HomeID })).data
