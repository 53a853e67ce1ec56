import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { homeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import type { EnergyPoint } from '../../../contract/energy/meter-data-calls.ts'
import { calendarAdjusted } from '../../../contract/energy/calendar-adjusted.ts'
import { nextStart, dayOf, formatDay, parseDay, startOfDay } from '../../../contract/time/periods.ts'
import { dayTypeOf } from '../../../contract/tariffs/tariff-terms.ts'
import { totalOf } from '../../domain/energy/totals.ts'
import { callQuery } from '../../data/api.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'

/** A month by day, and the compared month adjusted to its calendar. */
export interface AdjustedMonth {
  points: readonly EnergyPoint[]
  base: readonly EnergyPoint[]
  ends: readonly number[]
}

/** Off-peak days of the years of some days, including the company's changes; undefined while they load. */
function useOffPeakDays(days: readonly number[], enabled: boolean): ReadonlySet<number> | undefined {
  const years = [...new Set(days.map((day) => Number(formatDay(day).slice(0, 4))))]
  const entries = useQueries({
    queries: years.map((Year) => ({ ...callQuery(homeTariff.listOffPeakDay, { Year }), enabled })),
    combine: (answers) =>
      answers.every(({ data }) => data) ? answers.flatMap(({ data }) => data ?? []) : undefined,
  })
  return useMemo(
    () => entries && new Set(entries.flatMap(({ Date, IsOffPeak }) => (IsOffPeak ? [parseDay(Date)] : []))),
    [entries],
  )
}

function byDay(points: readonly EnergyPoint[], zone: string): EnergyPoint[] {
  const days = new Map<number, EnergyPoint[]>()
  for (const point of points) {
    const day = dayOf(point.Timestamp, zone)
    const bars = days.get(day)
    if (bars) bars.push(point)
    else days.set(day, [point])
  }
  return [...days].map(([day, bars]) => {
    const { kWh, Cost, CarbonKg, Coverage, Resets } = totalOf(bars)
    return { Timestamp: startOfDay(day, zone), kWh, Cost, CarbonKg, Coverage, Resets }
  })
}

/** A month and its calendar-adjusted comparison; undefined for other periods, and while it loads. */
export function useAdjusted(
  period: Period,
  usedPeriod: Period | undefined,
  zone: string,
  points: readonly EnergyPoint[],
  before: readonly EnergyPoint[] | undefined,
): AdjustedMonth | undefined {
  const enabled = period.days.unit === 'month' && usedPeriod !== undefined
  const { first } = period.days
  const offPeakDays = useOffPeakDays(usedPeriod ? [first, usedPeriod.days.first] : [first], enabled)
  return useMemo(() => {
    if (!enabled || !offPeakDays || !before) return undefined
    const days = byDay(points, zone)
    const typeOf = (timestamp: number) => dayTypeOf(dayOf(timestamp, zone), offPeakDays)
    return {
      points: days,
      base: calendarAdjusted(days, byDay(before, zone), typeOf),
      ends: days.map(({ Timestamp }) => nextStart('day', Timestamp, zone)),
    }
  }, [enabled, offPeakDays, points, before, zone])
}
