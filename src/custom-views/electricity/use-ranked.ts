import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import { periodsBetween } from '../../../contract/tariffs/energy-totals.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import { energyQuery } from './energy-query.ts'

export interface RankingQuery {
  homeId: string
  zone: string
  period: Period
  /** Compared period of each line; undefined without a comparison. */
  usedPeriod: Period | undefined
  now: number
  refetchMs: number | false
}

/** Energy per line in both periods, bar by bar. */
export interface RankedSeries {
  series: readonly EnergySeries[] | undefined
  before: readonly EnergySeries[] | undefined
  ends: readonly number[]
}

/**
 * Bar width for the lines: the coarsest that the period allows; for a comparison of a running period, fine enough to compare its finished
 * part.
 */
function barsOf({ days: { unit }, to }: Period, isCompared: boolean, now: number): 'hour' | 'day' | 'month' {
  const running = isCompared && now < to
  if (unit === 'year') return 'month'
  if (unit === 'month') return isCompared ? 'day' : 'month'
  return unit === 'day' && running ? 'hour' : 'day'
}

/**
 * Energy of each line of a grouping, in the period and in the compared one.
 *
 * by      rooms, uses and categories include only meters without submeters
 * meters  counted individually; undefined for the whole home
 */
export function useRanked(
  { homeId, zone, period, usedPeriod, now, refetchMs }: RankingQuery,
  by: 'meter' | 'room' | 'use' | 'category',
  meters: readonly string[] | undefined,
  enabled: boolean,
) {
  const bars = barsOf(period, usedPeriod !== undefined, now)
  const queryOf = (of: Period) => energyQuery({ homeId, bars, meters }, of, by)
  const isEnabled = enabled && meters?.length !== 0
  const query = useQuery({
    ...queryOf(period),
    enabled: isEnabled,
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })
  // Keeps no previous data: figures of another period would give a wrong difference.
  const comparedQuery = useQuery({
    ...queryOf(usedPeriod ?? period),
    enabled: isEnabled && usedPeriod !== undefined,
  })
  const { from, to } = period
  const ends = useMemo(() => {
    const { starts, end } = periodsBetween(bars, from, to, zone)
    return [...starts.slice(1), end]
  }, [bars, from, to, zone])
  const series = query.data?.Series
  const before = usedPeriod && !query.isPlaceholderData ? comparedQuery.data?.Series : undefined
  const ranked = useMemo((): RankedSeries => ({ series, before, ends }), [series, before, ends])
  return { query, ranked }
}
