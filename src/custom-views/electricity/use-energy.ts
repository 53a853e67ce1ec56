import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { periodsBetween } from '../../../contract/tariffs/energy-totals.ts'
import type { EnergySeries, Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { MIN_REFETCH_MS } from '../../domain/energy/use-meters.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import type { Bars } from './address.ts'
import { energyQuery } from './energy-query.ts'
import { type EndedRoom, meterFacts } from '../../../contract/meters/fact-calls.ts'
import { callQuery } from '../../data/api.ts'

interface EnergyOptions {
  homeId: string
  zone: string
  period: Period
  compared: Period | undefined
  /** Compared period if `compared` has no data. */
  fallback: Period | undefined
  bars: Bars
  by: Grouping
  /** Counted individually; empty for the whole home. */
  selectedKeys: readonly string[]
  now: number
}

/** Delay after the end of a period in which its last readings arrive (ms). */
const SETTLE_MS = 20_000

/**
 * Refetch delay for figures of a period, in ms: until its current bar ends, at most a meter's update frequency.
 *
 * returns  false for a period that is over, because its figures do not change by themselves
 */
export function refetchDelay(
  { from, to }: Pick<Period, 'from' | 'to'>,
  ends: readonly number[],
  frequencySeconds: number,
  now: number,
): number | false {
  if (now < from || now >= to + SETTLE_MS) return false
  const close = ends.find((end) => end > now) ?? to
  return Math.max(MIN_REFETCH_MS, Math.min(frequencySeconds * 1000, close + SETTLE_MS - now))
}

/** Energy of a period and of the compared one; keeps the previous figures while another period loads. */
export function useEnergy(options: EnergyOptions, frequencySeconds: number) {
  const { homeId, zone, period, compared, fallback, bars, by, selectedKeys, now } = options
  const meters = selectedKeys.length > 0 ? selectedKeys : undefined
  const { starts, ends } = usePeriods(period, bars, zone)
  const refetchMs = refetchDelay(period, ends, frequencySeconds, now)
  const queryOf = (of: Period, grouping: Grouping) => ({
    ...energyQuery({ homeId, bars, meters }, of, grouping),
    refetchInterval: of === period ? refetchMs : (false as const),
  })
  const placeholderData = keepPreviousData
  const wholeQuery = useQuery({ ...queryOf(period, 'home'), placeholderData })
  const divided = useQuery({ ...queryOf(period, by), placeholderData, enabled: by !== 'home' })
  // Keeps no previous data: figures of another period would give a wrong difference.
  // Before the first bar is over, there is nothing to compare.
  const isCompared = compared !== undefined && ends[0] !== undefined && ends[0] <= now
  const first = useQuery({ ...queryOf(compared ?? period, 'home'), enabled: isCompared })
  const isUnknown = isCompared && hasNoValues(first.data?.Series)
  const second = useQuery({
    ...queryOf(fallback ?? period, 'home'),
    enabled: isUnknown && fallback !== undefined,
  })
  const isFallback = isUnknown && fallback !== undefined
  const before = isFallback ? second : first
  const usedPeriod = isFallback ? fallback : compared
  const comparedPeriods = usePeriods(usedPeriod ?? period, bars, zone)
  const series = isCompared && usedPeriod ? before.data?.Series : undefined
  // A new home has data for neither period; the default comparison is then omitted.
  const hasNothing = isFallback && hasNoValues(series)
  return {
    starts,
    ends,
    whole: wholeQuery,
    /** Grouped by `by`. */
    parts: by === 'home' ? wholeQuery : divided,
    before: useMemo(
      () => (series && !hasNothing ? { series, starts: comparedPeriods.starts, isFallback } : undefined),
      [series, hasNothing, isFallback, comparedPeriods.starts],
    ),
    /** Compared period in effect; undefined while it loads, and if there is none. */
    used: series && !hasNothing ? usedPeriod : undefined,
    isNone: hasNothing,
    isCompared,
    beforeFailed: isCompared && before.error !== null && !before.data,
  }
}

/** Whether the answer has arrived without data for its period. */
const hasNoValues = (series: readonly EnergySeries[] | undefined): boolean =>
  series?.every(({ Points }) => Points.every(({ kWh }) => kWh === null)) ?? false

function usePeriods({ from, to }: Period, bars: Bars, zone: string) {
  return useMemo(() => {
    const { starts, end } = periodsBetween(bars, from, to, zone)
    return { starts, ends: [...starts.slice(1), end] }
  }, [bars, from, to, zone])
}

/** Deleted rooms of a home, if energy is grouped by room; undefined while they load. */
export const useEndedRooms = (HomeID: string, by: Grouping): EndedRoom[] | undefined =>
  useQuery({ ...callQuery(meterFacts.listEndedRoom, { HomeID }), enabled: by === 'room' }).data
