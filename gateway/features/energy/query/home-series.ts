import type { Periods } from '../../../../contract/tariffs/energy-totals.ts'
import type { Resolution } from '../../../../contract/time/periods.ts'
import type { Db } from '../../../kernel/db.ts'
import type { HomeFlows } from '../meters/home-flows.ts'
import { type MeterGroups, UNTRACKED } from '../meters/meter-groups.ts'
import type { HomeContext, QueryDeps } from './context.ts'
import type { BalanceGroups, SeriesQuery } from './plan.ts'
import { computeSeries, type Series } from './series.ts'

/** Series of a home that a call asks for. */
export interface HomeSeriesQuery {
  groups: MeterGroups
  resolution: Resolution
  periods: Periods
  /** Whether to divide the first line by tariff band. */
  byBand?: boolean
  /** Whether to leave out cost and carbon; by default, of the flows that are not purchased. */
  isUnpaid?: boolean
}

/** Computes series of a home within a snapshot, priced by what the home buys. */
export function computeHomeSeries(
  { clock, sumCache }: Pick<QueryDeps, 'clock' | 'sumCache'>,
  tx: Db,
  { tenant, home, flows, pricing }: HomeContext,
  { groups, resolution, periods, byBand = false, isUnpaid = isNotPurchased(flows, groups) }: HomeSeriesQuery,
): Promise<Series[]> {
  const query: SeriesQuery = {
    ...{ groups, resolution, periods, byBand, isUnpaid },
    home: flows.of.import,
    balance: isUnpaid ? undefined : balanceGroupsOf(flows, groups),
    key: { tenant, HomeID: home.HomeID },
    zone: home.zone,
    pricing,
    now: clock.now(),
  }
  return computeSeries(tx, sumCache, query)
}

/** Whether the groups are a flow of the home as a whole that it neither consumes nor buys. */
const isNotPurchased = ({ of }: HomeFlows, groups: MeterGroups): boolean =>
  groups.part !== undefined && groups !== of.consumption && groups !== of.import

/** Balance for pricing: the groups of the consumption of a home with a balance cost what the home buys. */
const balanceGroupsOf = ({ hasBalance, of }: HomeFlows, groups: MeterGroups): BalanceGroups | undefined =>
  hasBalance && (groups.part === undefined || groups === of.consumption)
    ? {
        used: of.consumption,
        bought: of.import,
        isDivided: groups.part === undefined && groups.keys.includes(UNTRACKED),
      }
    : undefined
