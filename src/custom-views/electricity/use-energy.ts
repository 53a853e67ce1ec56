import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { periodsBetween } from '../../../contract/rules/energy/energy-totals.ts'
import { meterData, type Grouping } from '../../../contract/procedures/meter-data.ts'
import { LEAST_WAIT } from '../../domain/energy/use-meters.ts'
import { callQuery } from '../../data/api.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import type { Bars } from './address.ts'

interface Asked {
  homeId: string
  zone: string
  period: Period
  compared: Period | undefined
  bars: Bars
  by: Grouping
  /** Each as itself; empty for the home as a whole. */
  chosen: readonly string[]
  now: number
}

/** After a period has closed its last readings still come in: ms. */
const SETTLE = 20_000

/**
 * How long figures of a period stay good, in ms: until its running bar closes, and no longer than a meter's update frequency.
 *
 * returns  false for a period that is over: nothing new comes in by itself
 */
export function waitFor(
  { from, to }: Pick<Period, 'from' | 'to'>,
  ends: readonly number[],
  frequencySeconds: number,
  now: number,
): number | false {
  if (now < from || now >= to + SETTLE) return false
  const close = ends.find((end) => end > now) ?? to
  return Math.max(LEAST_WAIT, Math.min(frequencySeconds * 1000, close + SETTLE - now))
}

/** Energy of a period, for which the last figures stay while another loads, and of the one it is compared with. */
export function useEnergy(asked: Asked, frequencySeconds: number) {
  const { homeId, zone, period, compared, bars, by, chosen, now } = asked
  const { starts, ends } = usePeriods(period, bars, zone)
  const other = usePeriods(compared ?? period, bars, zone)
  const wait = waitFor(period, ends, frequencySeconds, now)
  const ask = (of: Period, grouping: Grouping) => ({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: homeId,
      From: of.from,
      To: of.to,
      Resolution: bars,
      By: grouping,
      ...(chosen.length > 0 && { PeripheralUIDs: [...chosen] }),
    }),
    refetchInterval: of === period ? wait : (false as const),
  })
  const placeholderData = keepPreviousData
  const whole = useQuery({ ...ask(period, 'home'), placeholderData })
  const divided = useQuery({ ...ask(period, by), placeholderData, enabled: by !== 'home' })
  // Figures of another period than the one compared with would make a difference that never was.
  const before = useQuery({ ...ask(compared ?? period, 'home'), enabled: compared !== undefined })
  const series = compared && before.data?.Series
  return {
    starts,
    ends,
    whole,
    /** By what it is divided by. */
    parts: by === 'home' ? whole : divided,
    before: useMemo(() => series && { series, starts: other.starts }, [series, other.starts]),
    beforeFailed: compared !== undefined && before.error !== null && !before.data,
  }
}

function usePeriods({ from, to }: Period, bars: Bars, zone: string) {
  return useMemo(() => {
    const { starts, end } = periodsBetween(bars, from, to, zone)
    return { starts, ends: [...starts.slice(1), end] }
  }, [bars, from, to, zone])
}

/** Energy of each meter over a period, each as itself, in as few points as the period allows. */
export function useMeterTotals(
  homeId: string,
  period: Period,
  meters: readonly string[],
  wait: number | false,
) {
  return useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: homeId,
      From: period.from,
      To: period.to,
      Resolution: period.days.unit === 'month' || period.days.unit === 'year' ? 'month' : 'day',
      By: 'meter',
      PeripheralUIDs: [...meters],
    }),
    enabled: meters.length > 0,
    refetchInterval: wait,
    placeholderData: keepPreviousData,
  })
}
