import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DEMAND_WARNING_SHARE } from '../../../../contract/alarms/alarm-states.ts'
import { bills } from '../../../../contract/tariffs/bill-calls.ts'
import { meterData, type EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { contractShareOf } from '../../../../contract/energy/demand.ts'
import { DAY_MS, dayOf, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import { useNow } from '../../../ui/page/use-now.ts'

const REFETCH_INTERVAL_MS = 300_000
const DEMAND_REFETCH_MS = 60_000
/** Factor from kWh per quarter hour to kW. */
const PER_HOUR = 3_600_000 / QUARTER_MS

export type Demand = ResultsOf<typeof bills.listDemand>[number]

/** The last 24 hours to the end of the running quarter hour, epoch ms. */
export function lastDayOf(now: number): { from: number; to: number } {
  const to = (Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS
  return { from: to - DAY_MS, to }
}

/** Local days that contain the last 48 hours, whole, so that their query stays the same all day; epoch ms. */
export function fetchedDaysOf(now: number, zone: string): { From: number; To: number } {
  const day = dayOf(now, zone)
  return { From: startOfDay(day - 2, zone), To: startOfDay(day + 1, zone) }
}

const refreshing = { refetchInterval: REFETCH_INTERVAL_MS, refetchOnWindowFocus: true } as const
const demandsQuery = { ...callQuery(bills.listDemand, {}), refetchInterval: DEMAND_REFETCH_MS }

/** Energy of a home per quarter hour, today and the two days before. */
export function usePowerOf({ HomeID, TimeZone }: HomeWithRooms, enabled = true) {
  const input = {
    ...{ HomeID, ...fetchedDaysOf(useNow(), TimeZone) },
    ...({ Resolution: 'quarter', By: 'home' } as const),
  }
  return useQuery({ ...callQuery(meterData.getEnergySeries, input), ...refreshing, enabled })
}

/** Energy of all homes together per quarter hour in one call, today and the two days before in the time zone of one. */
export function usePowerOfAll({ TimeZone }: HomeWithRooms, enabled = true) {
  return useQuery({
    ...callQuery(meterData.getCompanyEnergy, fetchedDaysOf(useNow(), TimeZone)),
    ...refreshing,
    enabled,
  })
}

/** Present demand and contract of every home by its id, in one call. */
export function useDemands(): {
  demands: ReadonlyMap<string, Demand>
  pending: boolean
  /** Whether nothing could be loaded. */
  failed: boolean
} {
  const { data, isPending, error } = useQuery(demandsQuery)
  const demands = useMemo(() => new Map(data?.map((demand) => [demand.HomeID, demand])), [data])
  return { demands, pending: isPending, failed: !data && error !== null }
}

/** Share of its contract that a home draws, 0..1 and above; undefined without a contract or if not every meter reports. */
export const shareOf = contractShareOf

/** Level of a share of the contract; undefined if it is not near it. */
export const demandLevelOf = (share: number): 'critical' | 'warning' | undefined =>
  share >= 1 ? 'critical' : share >= DEMAND_WARNING_SHARE ? 'warning' : undefined

/** Mean power of a quarter hour, kW; null if unknown. */
export const kwOf = ({ kWh }: Pick<EnergyPoint, 'kWh'>): number | null =>
  kWh === null ? null : kWh * PER_HOUR
