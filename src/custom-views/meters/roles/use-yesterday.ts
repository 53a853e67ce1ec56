import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { startOfDay } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import type { Place } from '../common/place.ts'

export interface Yesterday {
  quarters: number
  /** kWh of a meter in a quarter hour; undefined if unknown. */
  kwhOf: (MeterID: string, quarter: number) => number | undefined
  /** kWh of a meter per hour; undefined if any hour is unknown. */
  hoursOf: (MeterID: string) => number[] | undefined
}

/** The day before `today` in quarter hours, per meter; undefined while it loads. */
export function useYesterday(place: Place, today: number): Yesterday | undefined {
  const ids = [...place.meters.keys()].toSorted()
  const query = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: place.homeId,
      From: startOfDay(today - 1, place.zone),
      To: startOfDay(today, place.zone),
      Resolution: 'quarter',
      By: 'meter',
      PeripheralUIDs: ids,
    }),
    enabled: ids.length > 0,
  })
  const series = query.data?.Series
  return useMemo(() => {
    if (!series) return undefined
    const points = new Map(series.map(({ Key, Points }) => [Key, Points.map(({ kWh }) => kWh ?? undefined)]))
    return {
      quarters: series[0]?.Points.length ?? 0,
      kwhOf: (id: string, quarter: number) => points.get(id)?.[quarter],
      hoursOf: (id: string) => {
        const of = points.get(id)
        if (!of || of.includes(undefined)) return undefined
        return Array.from({ length: Math.floor(of.length / 4) }, (_, hour) =>
          of.slice(hour * 4, hour * 4 + 4).reduce<number>((sum, kWh) => sum + (kWh ?? 0), 0),
        )
      },
    }
  }, [series])
}
