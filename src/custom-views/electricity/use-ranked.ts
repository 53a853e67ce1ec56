import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import { periodsBetween } from '../../../contract/tariffs/energy-totals.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import { energyQuery } from './energy-query.ts'

/** Whose energy is ranked, and when. */
export interface RankingQuery {
  homeId: string
  zone: string
  period: Period
  /** What each line is compared with; undefined where nothing is. */
  used: Period | undefined
  now: number
  wait: number | false
}

/** A part of the home's energy in both periods, bar by bar. */
export interface RankedSeries {
  series: readonly EnergySeries[] | undefined
  before: readonly EnergySeries[] | undefined
  /** When each bar of the period ends. */
  ends: readonly number[]
}

/**
 * In what bars lines are asked for: as few as the period allows, and where they are compared while it runs so many that what
 * has ended of it can be.
 */
export function barsOf(
  { days: { unit }, to }: Period,
  isCompared: boolean,
  now: number,
): 'hour' | 'day' | 'month' {
  const running = isCompared && now < to
  if (unit === 'year') return 'month'
  if (unit === 'month') return isCompared ? 'day' : 'month'
  return unit === 'day' && running ? 'hour' : 'day'
}

/**
 * Energy of each line of a division, and of the same lines in the period that it is compared with.
 *
 * by      rooms and categories are those of meters with none below them
 * meters  of which each counts as itself; undefined for all of the home
 */
export function useRanked(
  { homeId, zone, period, used, now, wait }: RankingQuery,
  by: 'meter' | 'room' | 'category',
  meters: readonly string[] | undefined,
  enabled: boolean,
) {
  const bars = barsOf(period, used !== undefined, now)
  const ask = (of: Period) => energyQuery({ homeId, bars, meters }, of, by)
  const isAsked = enabled && meters?.length !== 0
  const query = useQuery({
    ...ask(period),
    enabled: isAsked,
    refetchInterval: wait,
    placeholderData: keepPreviousData,
  })
  // Figures of another period than the one compared with would make a difference that never was.
  const other = useQuery({ ...ask(used ?? period), enabled: isAsked && used !== undefined })
  const { from, to } = period
  const ends = useMemo(() => {
    const { starts, end } = periodsBetween(bars, from, to, zone)
    return [...starts.slice(1), end]
  }, [bars, from, to, zone])
  const series = query.data?.Series
  const before = used && !query.isPlaceholderData ? other.data?.Series : undefined
  const ranked = useMemo((): RankedSeries => ({ series, before, ends }), [series, before, ends])
  return { query, ranked }
}
