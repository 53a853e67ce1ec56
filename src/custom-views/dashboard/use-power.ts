import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bills } from '../../../contract/tariffs/bill-calls.ts'
import { meterData, type EnergyPoint } from '../../../contract/energy/meter-data-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { contractShareOf } from '../../../contract/energy/demand.ts'
import { dayOf, QUARTER_MS, startOfDay } from '../../../contract/time/periods.ts'
import { callQuery } from '../../data/api.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** How often they are asked for, ms. */
const REFETCH_INTERVAL_MS = 300_000
const DEMAND_EVERY = 60_000
/** kW of a kWh in a quarter of an hour. */
const PER_HOUR = 3_600_000 / QUARTER_MS

export type Demand = ResultsOf<typeof bills.listDemand>[number]

/** When yesterday and today are on a home's clock, epoch ms; `to` is tomorrow's first. */
export function twoDaysOf(now: number, zone: string) {
  const day = dayOf(now, zone)
  return { from: startOfDay(day - 1, zone), today: startOfDay(day, zone), to: startOfDay(day + 1, zone) }
}

const refreshing = { refetchInterval: REFETCH_INTERVAL_MS, refetchOnWindowFocus: true } as const
const demandsQuery = { ...callQuery(bills.listDemand, {}), refetchInterval: DEMAND_EVERY }

/** Yesterday and today of a home by the quarter of an hour. */
export function usePowerOf({ HomeID, TimeZone }: HomeWithRooms, enabled = true) {
  const { from, to } = twoDaysOf(useNow(), TimeZone)
  const asked = { HomeID, From: from, To: to, Resolution: 'quarter', By: 'home' } as const
  return useQuery({ ...callQuery(meterData.getEnergySeries, asked), ...refreshing, enabled })
}

/** The same of all homes together, on the clock of one: one answer, however many there are. */
export function usePowerOfAll({ TimeZone }: HomeWithRooms, enabled: boolean) {
  const { from, to } = twoDaysOf(useNow(), TimeZone)
  return useQuery({
    ...callQuery(meterData.getCompanyEnergy, { From: from, To: to }),
    ...refreshing,
    enabled,
  })
}

/** The demand of every home now and what its contract allows, by the home's id: one answer, however many there are. */
export function useDemands(): { demands: ReadonlyMap<string, Demand>; pending: boolean } {
  const { data, isPending } = useQuery(demandsQuery)
  const demands = useMemo(() => new Map(data?.map((demand) => [demand.HomeID, demand])), [data])
  return { demands, pending: isPending }
}

/** Share of its contract that a home draws, 0..1 and above; undefined without a contract, and while not every meter reports. */
export const shareOf = contractShareOf

/** The mean power of each quarter of an hour, kW; null where nothing of it is known. */
export const kwOf = ({ kWh }: Pick<EnergyPoint, 'kWh'>): number | null =>
  kWh === null ? null : kWh * PER_HOUR
