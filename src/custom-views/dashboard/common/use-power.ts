import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bills } from '../../../../contract/tariffs/bill-calls.ts'
import { meterData, type EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { contractShareOf } from '../../../../contract/energy/demand.ts'
import { dayOf, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import { useNow } from '../../../ui/page/use-now.ts'

const REFETCH_INTERVAL_MS = 300_000
const DEMAND_REFETCH_MS = 60_000
/** Factor from kWh per quarter hour to kW. */
const PER_HOUR = 3_600_000 / QUARTER_MS

export type Demand = ResultsOf<typeof bills.listDemand>[number]

/** Starts of yesterday and today in a home's time zone, epoch ms; `to` is the start of tomorrow. */
export function twoDaysOf(now: number, zone: string) {
  const day = dayOf(now, zone)
  return { from: startOfDay(day - 1, zone), today: startOfDay(day, zone), to: startOfDay(day + 1, zone) }
}

const refreshing = { refetchInterval: REFETCH_INTERVAL_MS, refetchOnWindowFocus: true } as const
const demandsQuery = { ...callQuery(bills.listDemand, {}), refetchInterval: DEMAND_REFETCH_MS }

/** Energy of a home per quarter hour, yesterday and today. */
export function usePowerOf({ HomeID, TimeZone }: HomeWithRooms, enabled = true) {
  const { from, to } = twoDaysOf(useNow(), TimeZone)
  const input = { HomeID, From: from, To: to, Resolution: 'quarter', By: 'home' } as const
  return useQuery({ ...callQuery(meterData.getEnergySeries, input), ...refreshing, enabled })
}

/** Energy of all homes together in one call, in the time zone of one. */
export function usePowerOfAll({ TimeZone }: HomeWithRooms, enabled: boolean) {
  const { from, to } = twoDaysOf(useNow(), TimeZone)
  return useQuery({
    ...callQuery(meterData.getCompanyEnergy, { From: from, To: to }),
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

/** Mean power of a quarter hour, kW; null if unknown. */
export const kwOf = ({ kWh }: Pick<EnergyPoint, 'kWh'>): number | null =>
  kWh === null ? null : kWh * PER_HOUR
