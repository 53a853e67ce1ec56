import type { Periods } from '../../../../contract/tariffs/energy-totals.ts'
import { monthOf, type Resolution } from '../../../../contract/time/periods.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import { createDayClock, type DayClock, type DayPlan, planDays, type Slot } from './day-plans.ts'
import type { Pricing, Rates } from './rates.ts'
import { epochOfMonth, type HomeScope } from './sum-lines.ts'

/** Parameters of a series: meters, periods and prices. */
export interface SeriesQuery extends HomeScope {
  /** Requested groups; tiers and surcharges depend on the purchase of the whole home. */
  groups: MeterGroups
  /** For a home with a balance: the groups to pay for and to divide. */
  balance?: BalanceGroups | undefined
  /** Whether the energy is not purchased and therefore has no cost and no carbon. */
  isUnpaid?: boolean
  zone: string
  resolution: Resolution
  periods: Periods
  pricing: Pricing
  /** Whether to divide the first group by tariff band. */
  byBand: boolean
  /** Epoch ms. */
  now: number
}

/** Consumption and purchase of a home with a balance, one line each. */
export interface BalanceGroups {
  used: MeterGroups
  bought: MeterGroups
  /** Whether the requested groups divide the consumption. */
  isDivided: boolean
}

/** Division of the time of a query into days and slots, and the stored sums that answer it. */
export interface QueryPlan {
  clock: DayClock
  days: readonly DayPlan[]
  slots: readonly Slot[]
  /** Month of each period. */
  months: readonly number[]
  /** Whether the periods are months, whose stored sums are read. */
  readsMonths: boolean
  /** Whether a period is a month with a stored sum; meters that move within a month leave none. */
  isWholeMonth: readonly boolean[]
  /** Whether costs are computed per slot; a period with a single price is priced as a whole. */
  isPricedBySlot: boolean
  /** Whether the quality of each part of a day is needed. */
  isExact: boolean
}

/** Plans a query, once for everything that it reads. */
export function planQuery(
  query: Pick<SeriesQuery, 'groups' | 'balance' | 'resolution' | 'periods' | 'zone' | 'byBand' | 'now'>,
  rates: Rates,
): QueryPlan {
  const { groups, balance, resolution, periods, zone, byBand } = query
  const clock = createDayClock(zone, query.now)
  const { plans: days, slots } = planDays(periods, rates, clock)
  const months = periods.starts.map((start) => monthOf(start, zone))
  const readsMonths = resolution === 'month' && !byBand
  const hasSinglePrices = slots.length === new Set(slots.map(({ period }) => period)).size
  const divided = balance?.isDivided ? [groups, balance.used] : [groups]
  return {
    ...{ clock, days, slots, months, readsMonths },
    isWholeMonth: months.map(
      (month) =>
        readsMonths && divided.every(({ epochs }) => epochOfMonth(epochs, month, clock) !== undefined),
    ),
    isPricedBySlot: !(readsMonths && !balance && hasSinglePrices),
    isExact: byBand || resolution === 'quarter' || resolution === 'hour',
  }
}
