import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import type { Periods } from '../../../../contract/tariffs/energy-totals.ts'
import { monthOf, monthOfDay, type Resolution } from '../../../../contract/time/periods.ts'
import type { Db } from '../../../kernel/db.ts'
import { createDayClock, type DayClock, type DayPlan, planDays, type Slot } from './day-plans.ts'
import { createExpectation } from './expected-intervals.ts'
import { firstDays } from '../rollup/first-days.ts'
import {
  type BalanceLines,
  createPaidEnergy,
  distributeBalance,
  type PaidEnergy,
  readBalance,
} from './balance-sums.ts'
import { type MeterGroups, UNTRACKED } from '../meters/meter-groups.ts'
import { monthlyPrice, NO_TARIFF, type Pricing, type Rates, ratesOf, UNPRICED } from './prices.ts'
import {
  epochOfMonth,
  sumEpochs,
  sumHome,
  sumHomeMonths,
  readStoredMonths,
  sumMonths,
  type HomeScope,
} from './sum-lines.ts'
import { createSums, type SumCache, type EnergySums } from './sums.ts'
import { quarantinedIntervals } from './quarantined-intervals.ts'

/** Parameters of a series: meters, periods and prices. */
export interface SeriesQuery extends HomeScope {
  /** Requested lines; tiers and surcharges depend on the purchase of the whole home. */
  lines: MeterGroups
  /** For a home with a balance: the lines to pay for and to divide. */
  balance?: BalanceLines | undefined
  /** Whether the energy is not purchased and therefore has no cost and no carbon. */
  isUnpaid?: boolean
  zone: string
  resolution: Resolution
  periods: Periods
  pricing: Pricing
  /** Whether to divide the first line by tariff band. */
  byBand: boolean
  /** Epoch ms. */
  now: number
}

/** Points of one line, one per period. */
export interface Series {
  Key: string
  Points: EnergyPoint[]
}

/**
 * Computes energy, cost, carbon and coverage of each line in each period. Nothing that depends on prices is stored: intervals are summed by
 * band, and priced here.
 *
 * db  a transaction with a consistent snapshot
 */
export async function computeSeries(db: Db, cache: SumCache, question: SeriesQuery): Promise<Series[]> {
  const { lines, periods, zone, pricing, byBand, now, balance } = question
  const rates = question.isUnpaid && !byBand ? UNPRICED : ratesOf(pricing)
  const clock = createDayClock(zone, now)
  const { plans, slots } = planDays(periods, rates, clock)
  const numbers = periods.starts.map((start) => monthOf(start, zone))
  const { sums, totals, payment, isPriced, isWhole } = await readSums(db, cache, question, {
    plans,
    slots,
    clock,
    numbers,
  })
  const prices = await pricesOf(db, cache, question, rates, slots, clock, totals)
  const tell = (of: MeterGroups) => dueOf(db, of, plans, slots.length, clock, numbers[0] as number)
  const own = await tell(lines)
  // The untracked rest of a balance has the coverage of the balance.
  const rest = balance?.isDivided ? lines.keys.indexOf(UNTRACKED) : NONE
  const ofRest = rest === NONE ? undefined : await tell((balance as BalanceLines).used)
  const told = (line: number) => (line === rest && ofRest ? { of: ofRest, at: 0 } : { of: own, at: line })

  const numbered = slots.map((slot, index) => ({ ...slot, index }))
  const pointsOf = (line: number, kept: readonly (Slot & { index: number })[]): EnergyPoint[] => {
    const parts = sums[line]
    const byPart = parts && fold(parts, kept, periods.starts.length)
    const sum = totals?.[line] ?? (byPart as EnergySums)
    const { of, at } = told(line)
    const due = new Int32Array(periods.starts.length)
    const held = new Int32Array(periods.starts.length)
    const paid = new Float64Array(periods.starts.length)
    const cost: (number | null)[] = periods.starts.map(() => 0)
    for (const { period, rate, index } of kept) {
      ;(due[period] as number) += of.expected(at)[index] as number
      ;(held[period] as number) += of.quarantined[at]?.[index] as number
      const kwh = payment
        ? payment.kwhOf(line, index)
        : ((parts && isPriced ? parts.kwh[index] : sum.kwh[period]) as number)
      ;(paid[period] as number) += kwh
      const price = prices[index] as number | null
      const nothing = rate.band !== NO_TARIFF && Math.abs(kwh) < 1e-9
      if (!nothing) cost[period] = price === null ? null : plus(cost[period], kwh * price)
    }
    return periods.starts.map((Timestamp, period) => {
      const known = knownOf(sum, period)
      // Expired days cannot be priced.
      if (byPart && (isPriced || !isWhole[period]) && knownOf(byPart, period) !== known) cost[period] = null
      const expectedOf =
        (due[period] as number) + (sum.past[period] as number) + (sum.ahead[period] as number)
      const missing = Math.max(0, expectedOf - known)
      const kwh = kwhAt(sum, period)
      const money = cost[period] as number | null
      return {
        Timestamp,
        kWh: kwh,
        Cost: kwh === null || money === null || question.isUnpaid ? null : trim(money),
        CarbonKg:
          kwh === null || question.isUnpaid
            ? null
            : trim(
                (payment ? (paid[period] as number) : kwh) *
                  pricing.carbonFactor(clock.yearOf(Timestamp)).Factor,
              ),
        Coverage: {
          Measured: sum.measured[period] as number,
          Between: sum.between[period] as number,
          Estimated: sum.estimated[period] as number,
          Corrected: sum.corrected[period] as number,
          Missing: missing,
          Withheld: Math.min(missing, held[period] as number),
        },
        Resets: sum.resets[period] as number,
      }
    })
  }

  if (!byBand) return lines.keys.map((Key, line) => ({ Key, Points: pointsOf(line, numbered) }))
  const bands = [...new Set(slots.map(({ rate }) => rate.band))]
  return bands.map((Key) => ({
    Key,
    Points: pointsOf(
      0,
      numbered.filter(({ rate }) => rate.band === Key),
    ),
  }))
}

const NONE = -1

/** Computes only the kWh of one line in each period; null if a period is unknown. */
export async function computeKwh(
  db: Db,
  cache: SumCache,
  question: Pick<SeriesQuery, 'lines' | 'resolution' | 'periods' | 'key' | 'zone' | 'now'>,
): Promise<(number | null)[]> {
  const { periods, zone, now } = question
  const clock = createDayClock(zone, now)
  const { plans, slots } = planDays(periods, UNPRICED, clock)
  const numbers = periods.starts.map((start) => monthOf(start, zone))
  const asked = { plans, slots, clock, numbers }
  const { sums, totals } = await readSums(db, cache, { ...question, byBand: false }, asked)
  const sum = totals?.[0] ?? fold(sums[0] as EnergySums, slots, periods.starts.length)
  return periods.starts.map((_, period) => kwhAt(sum, period))
}

/** kWh of a period. If all its readings are quarantined, the sum still contains the energy between the readings around them. */
function kwhAt(sum: EnergySums, period: number): number | null {
  const counted = sum.kwh[period] as number
  return knownOf(sum, period) || Math.abs(counted) > 1e-9 ? trim(counted) : null
}

/** Data for the points of a series. */
interface Read {
  /** Per line, by slot; empty if the totals suffice. */
  sums: EnergySums[]
  /** Per line, by period; undefined if the slots suffice. */
  totals: EnergySums[] | undefined
  /** Only for a home with a balance. */
  payment: PaidEnergy | undefined
  /** Whether costs are computed per slot; a period with a single price is priced as a whole. */
  isPriced: boolean
  /** Whether each period is a month with a stored sum. */
  isWhole: boolean[]
}

/** Reads the energy of each line and, for a home with a balance, its purchased share. */
async function readSums(
  db: Db,
  cache: SumCache,
  {
    lines,
    resolution,
    byBand,
    key,
    balance,
  }: Pick<SeriesQuery, 'lines' | 'resolution' | 'byBand' | 'key' | 'balance'>,
  asked: { plans: readonly DayPlan[]; slots: readonly Slot[]; clock: DayClock; numbers: readonly number[] },
): Promise<Read> {
  const { plans, slots, clock, numbers } = asked
  const exact = byBand || resolution === 'quarter' || resolution === 'hour'
  // Months are stored sums; their days are read only to apply different prices and if meters move within the month.
  const months = resolution === 'month' && !byBand
  const single = months && !balance && slots.length === new Set(slots.map(({ period }) => period)).size
  const ofHome = lines.part !== undefined
  const kept = { key, home: lines }
  const lineSets = balance?.isDivided ? [lines, balance.used] : [lines]
  const isWhole = numbers.map(
    (month) => months && lineSets.every(({ epochs }) => epochOfMonth(epochs, month, clock) !== undefined),
  )
  const byDays = single ? plans.filter(({ day }) => !isWhole[numbers.indexOf(monthOfDay(day))]) : plans
  let sums =
    single && byDays.length === 0
      ? []
      : ofHome
        ? [await sumHome(db, cache, kept, byDays, slots.length, clock)]
        : await sumEpochs(db, cache, lines, byDays, { slots: slots.length, exact, clock })
  let totals = !months
    ? undefined
    : ofHome
      ? [await sumHomeMonths(db, kept, numbers, clock)]
      : await sumMonths(db, lines, numbers, clock)
  let payment: PaidEnergy | undefined
  if (balance) {
    const read = await readBalance(db, cache, key, balance, plans, slots.length, clock)
    if (balance.isDivided) {
      sums = distributeBalance(lines.keys, sums, read.used)
      totals &&= distributeBalance(
        lines.keys,
        totals,
        await sumHomeMonths(db, { key, home: balance.used }, numbers, clock),
      )
    }
    payment = createPaidEnergy(lines, sums, read)
  }
  for (const [line, total] of totals?.entries() ?? [])
    if (sums[line]) replacePeriods(total, fold(sums[line], slots, numbers.length), isWhole)
  return { sums, totals, payment, isPriced: !single, isWhole }
}

/** Number of intervals of each line that should be known by now, and number of quarantined ones without a decision. */
async function dueOf(
  db: Db,
  lines: MeterGroups,
  plans: readonly DayPlan[],
  slots: number,
  clock: DayClock,
  since: number,
) {
  const days = await firstDays(db, lines.meters, since, clock.zone)
  return {
    expected: createExpectation(lines, plans, clock, slots, days),
    quarantined: await quarantinedIntervals(db, lines, plans, slots, clock),
  }
}

const knownOf = ({ measured, between, estimated, corrected }: EnergySums, at: number): number =>
  (measured[at] as number) + (between[at] as number) + (estimated[at] as number) + (corrected[at] as number)

/** Adds up the sums of slots by period; a slot without an explicit index uses its position. */
function fold(sums: EnergySums, slots: readonly (Slot & { index?: number })[], periods: number): EnergySums {
  const folded = createSums(periods)
  for (const name of Object.keys(folded) as (keyof EnergySums)[])
    for (const [i, { period, index = i }] of slots.entries())
      (folded[name][period] as number) += sums[name][index] as number
  return folded
}

/** Replaces the sums of those periods that are not to be kept. */
function replacePeriods(sums: EnergySums, by: EnergySums, keep: readonly boolean[]): void {
  for (const name of Object.keys(sums) as (keyof EnergySums)[])
    for (const [period, kept] of keep.entries()) if (!kept) sums[name][period] = by[name][period] as number
}

const plus = (sum: number | null | undefined, more: number): number | null =>
  sum === null || sum === undefined ? null : sum + more

/** Rounds off floating-point residue. */
const trim = (value: number): number => Math.round(value * 1e9) / 1e9

/** NT$ per kWh in each slot; null if no price is known. */
async function pricesOf(
  db: Db,
  cache: SumCache,
  { home, key, lines, periods }: SeriesQuery,
  rates: Rates,
  slots: readonly Slot[],
  clock: DayClock,
  totals: EnergySums[] | undefined,
): Promise<(number | null)[]> {
  const spans = rates.spansOf(slots.map(({ rate }) => rate))
  const monthly = new Map<string, number>()
  if (spans.length) {
    const wholes = spans.every(({ months }) => months !== undefined)
    const months = [...new Set(spans.flatMap((span) => span.months ?? []))]
    const asked = periods.starts.map((start) => monthOf(start, clock.zone))
    // If the lines are those of the home, the months have been summed already.
    const summed =
      totals !== undefined && lines.part === home.part && months.every((month) => asked.includes(month))
    const ofMonths = (known: readonly number[], sums: EnergySums | undefined) =>
      spans.map((span) =>
        (span.months ?? []).reduce((sum, month) => sum + (sums?.kwh[known.indexOf(month)] ?? 0), 0),
      )
    const kwh: ArrayLike<number> | undefined =
      wholes && summed
        ? ofMonths(asked, totals[0])
        : wholes && months.every((month) => epochOfMonth(home.epochs, month, clock))
          ? ofMonths(months, await readStoredMonths(db, key, months, home.part))
          : (await sumHome(db, cache, { key, home }, spanPlans(spans, clock), spans.length, clock)).kwh
    for (const [i, span] of spans.entries()) monthly.set(span.id, monthlyPrice(span, kwh?.[i] ?? 0))
  }
  return slots.map(({ rate }) =>
    rate.price === null ? null : rate.price + (rate.span === undefined ? 0 : (monthly.get(rate.span) ?? 0)),
  )
}

const spanPlans = (spans: ReturnType<Rates['spansOf']>, clock: DayClock): DayPlan[] =>
  spans
    .flatMap(({ days }, slot) =>
      days
        .filter((day) => day <= clock.today)
        .map((day): DayPlan => {
          const quarters = clock.quartersOf(day)
          return {
            day,
            quarters,
            ended: clock.endedOf(day, quarters),
            windows: [{ slot, from: 0, to: quarters }],
          }
        }),
    )
    .toSorted((a, b) => a.day - b.day)
