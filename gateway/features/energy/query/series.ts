import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import type { Db } from '../../../kernel/db.ts'
import { UNTRACKED, type MeterGroups } from '../meters/meter-groups.ts'
import { monthOf, type Resolution } from '../../../../contract/time/periods.ts'
import type { Periods } from '../../../../contract/tariffs/energy-totals.ts'
import type { HomeFlows } from '../meters/home-flows.ts'
import { coverageOf, type DueIntervals, readDueIntervals } from './coverage.ts'
import { distributeBalance, mergePeriods, readSums } from './read-sums.ts'
import type { Slot, DayClock, DayPlan } from './day-plans.ts'
import { planQuery, type QueryPlan, type SeriesQuery, type BalanceGroups } from './plan.ts'
import { ratesOf, UNPRICED, monthlyPrice, NO_TARIFF, type Rates } from './rates.ts'
import { foldSums, knownIn, type SumCache, type EnergySums } from './sums.ts'
import { epochOfMonth, readStoredMonths, sumHome } from './sum-lines.ts'
import type { HomeContext, QueryDeps } from './context.ts'

/** Prices the energy of some slots; returns the kWh and NT$ of each period, null if a price is unknown. */
function priceSums(
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
async function readPrices(
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

/** Points of one group, or of one tariff band, one per period. */
export interface Series {
  Key: string
  Points: EnergyPoint[]
}

/**
 * Computes energy, cost, carbon and coverage of each group in each period: plan, read sums, distribute the balance, price, coverage, fold.
 * Nothing that depends on prices is stored: intervals are summed by band, and priced here.
 *
 * tx  a transaction with a consistent snapshot
 */
async function computeSeries(tx: Db, cache: SumCache, query: SeriesQuery): Promise<Series[]> {
  const { groups, balance, byBand } = query
  const rates = query.isUnpaid && !byBand ? UNPRICED : ratesOf(query.pricing)
  const plan = planQuery(query, rates)
  const read = await readSums(tx, cache, query, plan)
  const energy = balance ? await distributeBalance(tx, cache, { ...query, balance }, plan, read) : read
  const byPeriod = mergePeriods(energy, plan)
  const prices = await readPrices(tx, cache, query, rates, plan, byPeriod)
  const due = await readDueIntervals(tx, groups, plan)
  // The untracked rest of a balance has the coverage of the balance.
  if (balance?.isDivided)
    due[groups.keys.indexOf(UNTRACKED)] = (await readDueIntervals(tx, balance.used, plan))[0] as DueIntervals
  const energyOf = (line: number): LineEnergy => ({
    bySlot: energy.bySlot[line],
    byPeriod: byPeriod?.[line],
    purchased: energy.purchased?.[line],
    prices,
    due: due[line] as DueIntervals,
  })
  const { slots } = plan
  if (!byBand)
    return groups.keys.map((Key, line) => ({ Key, Points: pointsOf(query, plan, energyOf(line), slots) }))
  const bands = [...new Set(slots.map(({ rate }) => rate.band))]
  return bands.map((Key) => ({
    Key,
    Points: pointsOf(
      query,
      plan,
      energyOf(0),
      slots.filter(({ rate }) => rate.band === Key),
    ),
  }))
}

/** Energy of one group, as far as it is needed for its points. */
interface LineEnergy {
  bySlot: EnergySums | undefined
  /** Undefined if the slots suffice. */
  byPeriod: EnergySums | undefined
  /** Purchased kWh by slot; only for a home with a balance. */
  purchased: Float64Array | undefined
  /** NT$ per kWh by slot. */
  prices: readonly (number | null)[]
  due: DueIntervals
}

/** Folds the energy of some slots into one point per period. */
function pointsOf(
  { periods, pricing, isUnpaid }: SeriesQuery,
  plan: QueryPlan,
  { bySlot, byPeriod, purchased, prices, due }: LineEnergy,
  slots: readonly Slot[],
): EnergyPoint[] {
  const count = periods.starts.length
  const folded = bySlot && foldSums(bySlot, slots, count)
  const sum = byPeriod ?? (folded as EnergySums)
  const kwhBySlot =
    purchased ??
    (plan.isPricedBySlot
      ? (bySlot as EnergySums).kwh
      : Float64Array.from(plan.slots, ({ period }) => sum.kwh[period] as number))
  const { kwh: paid, cost } = priceSums(kwhBySlot, prices, slots, count)
  const coverage = coverageOf(sum, due, slots)
  return periods.starts.map((Timestamp, period): EnergyPoint => {
    const isStored = !plan.isPricedBySlot && plan.isWholeMonth[period]
    // Expired days cannot be priced.
    const isExpired = folded !== undefined && !isStored && knownIn(folded, period) !== knownIn(sum, period)
    const money = isExpired ? null : (cost[period] as number | null)
    const kWh = kwhAt(sum, period)
    const factor = pricing.carbonFactor(plan.clock.yearOf(Timestamp)).Factor
    return {
      Timestamp,
      kWh,
      Cost: kWh === null || money === null || isUnpaid ? null : trim(money),
      CarbonKg: kWh === null || isUnpaid ? null : trim((purchased ? (paid[period] as number) : kWh) * factor),
      Coverage: coverage[period] as EnergyPoint['Coverage'],
      Resets: sum.resets[period] as number,
    }
  })
}

/** Computes only the kWh of one group in each period; null if a period is unknown. */
export async function computeKwh(
  tx: Db,
  cache: SumCache,
  query: Pick<SeriesQuery, 'groups' | 'resolution' | 'periods' | 'key' | 'zone' | 'now'>,
): Promise<(number | null)[]> {
  const plan = planQuery({ ...query, byBand: false }, UNPRICED)
  const read = await readSums(tx, cache, query, plan)
  const sum =
    mergePeriods(read, plan)?.[0] ??
    foldSums(read.bySlot[0] as EnergySums, plan.slots, query.periods.starts.length)
  return query.periods.starts.map((_, period) => kwhAt(sum, period))
}

/** kWh of a period. If all its readings are quarantined, the sum still contains the energy between the readings around them. */
function kwhAt(sum: EnergySums, period: number): number | null {
  const counted = sum.kwh[period] as number
  return knownIn(sum, period) || Math.abs(counted) > 1e-9 ? trim(counted) : null
}

/** Rounds off floating-point residue. */
const trim = (value: number): number => Math.round(value * 1e9) / 1e9

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
