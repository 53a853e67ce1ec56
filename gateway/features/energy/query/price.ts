import { monthOf } from '../../../../contract/time/periods.ts'
import type { Db } from '../../../kernel/db.ts'
import type { DayClock, DayPlan, Slot } from './day-plans.ts'
import type { QueryPlan, SeriesQuery } from './plan.ts'
import { monthlyPrice, NO_TARIFF, type Rates } from './rates.ts'
import { epochOfMonth, readStoredMonths, sumHome } from './sum-lines.ts'
import type { EnergySums, SumCache } from './sums.ts'

/** Prices the energy of some slots; returns the kWh and NT$ of each period, null if a price is unknown. */
export function priceSums(
  kwhBySlot: Float64Array,
  prices: readonly (number | null)[],
  slots: readonly Slot[],
  periods: number,
): { kwh: Float64Array; cost: (number | null)[] } {
  const sums = new Float64Array(periods)
  const cost = Array.from({ length: periods }, (): number | null => 0)
  for (const { period, rate, index } of slots) {
    const kwh = kwhBySlot[index] as number
    ;(sums[period] as number) += kwh
    const isNothing = rate.band !== NO_TARIFF && Math.abs(kwh) < 1e-9
    if (isNothing) continue
    const [price, sum] = [prices[index] as number | null, cost[period] as number | null]
    cost[period] = price === null || sum === null ? null : sum + kwh * price
  }
  return { kwh: sums, cost }
}

/**
 * Reads the price of each slot, NT$ per kWh; null if none is known. Tiers and surcharges depend on the energy that the home bought in the
 * whole part of the bill.
 *
 * byPeriod  sums of the query's periods, which are reused if they are the months of the bill
 */
export async function readPrices(
  tx: Db,
  cache: SumCache,
  { home, key, groups, periods }: Pick<SeriesQuery, 'home' | 'key' | 'groups' | 'periods'>,
  rates: Rates,
  { slots, clock }: QueryPlan,
  byPeriod: readonly EnergySums[] | undefined,
): Promise<(number | null)[]> {
  const spans = rates.spansOf(slots.map(({ rate }) => rate))
  const monthly = new Map<string, number>()
  if (spans.length) {
    const areMonths = spans.every(({ months }) => months !== undefined)
    const months = [...new Set(spans.flatMap((span) => span.months ?? []))]
    const queried = periods.starts.map((start) => monthOf(start, clock.zone))
    const isRead =
      byPeriod !== undefined && groups.part === home.part && months.every((month) => queried.includes(month))
    const sumMonthsOf = (known: readonly number[], sums: EnergySums | undefined) =>
      spans.map((span) =>
        (span.months ?? []).reduce((sum, month) => sum + (sums?.kwh[known.indexOf(month)] ?? 0), 0),
      )
    const kwh: ArrayLike<number> | undefined =
      areMonths && isRead
        ? sumMonthsOf(queried, byPeriod[0])
        : areMonths && months.every((month) => epochOfMonth(home.epochs, month, clock))
          ? sumMonthsOf(months, await readStoredMonths(tx, key, months, home.part))
          : (await sumHome(tx, cache, { key, home }, planSpans(spans, clock), spans.length, clock)).kwh
    for (const [i, span] of spans.entries()) monthly.set(span.id, monthlyPrice(span, kwh?.[i] ?? 0))
  }
  return slots.map(({ rate }) =>
    rate.price === null ? null : rate.price + (rate.span === undefined ? 0 : (monthly.get(rate.span) ?? 0)),
  )
}

/** Plans the days up to now of parts of bills, one slot each. */
const planSpans = (spans: ReturnType<Rates['spansOf']>, clock: DayClock): DayPlan[] =>
  spans
    .flatMap(({ days }, slot) =>
      days
        .filter((day) => day <= clock.today)
        .map((day): DayPlan => {
          const quarters = clock.quartersOf(day)
          const windows = [{ slot, from: 0, to: quarters }]
          return { day, quarters, ended: clock.endedOf(day, quarters), windows }
        }),
    )
    .toSorted((a, b) => a.day - b.day)
