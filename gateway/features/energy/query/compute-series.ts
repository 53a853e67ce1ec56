import type { EnergyPoint } from '../../../../contract/procedures/meter-data.ts'
import type { Periods } from '../../../../contract/rules/energy/energy-totals.ts'
import { monthOf, monthOfDay, type Resolution } from '../../../../contract/rules/energy/periods.ts'
import type { Db } from '../../../store/db.ts'
import { createDayClock, type DayClock, type DayPlan, planDays, type Slot } from './day-plans.ts'
import { createExpectation, firstDays } from './expected-intervals.ts'
import type { Lines } from './lines.ts'
import { monthlyPrice, NO_TARIFF, type Pricing, type Rates, ratesOf } from './prices.ts'
import {
  epochOfMonth,
  sumEpochs,
  sumHome,
  sumHomeMonths,
  sumKeptMonths,
  sumMonths,
  type WholeHome,
} from './sum-lines.ts'
import { createSums, type SumCache, type Sums } from './sums.ts'
import { quarantinedIntervals } from './quarantined-intervals.ts'

/** Whose energy is asked for, in which periods and at what prices. */
export interface Question extends WholeHome {
  /** What is asked for; the energy of the home decides what tiers and surcharges make of a kWh. */
  lines: Lines
  zone: string
  resolution: Resolution
  periods: Periods
  pricing: Pricing
  /** Divides the first line by bands of the tariff. */
  byBand: boolean
  /** Epoch ms. */
  now: number
}

/** One line's points, one for each period. */
export interface Series {
  Key: string
  Points: EnergyPoint[]
}

/**
 * Energy, cost, carbon and coverage of each line in each period. Nothing is stored that a price decides: intervals are
 * added up by band, and multiplied here.
 *
 * db  a transaction that sees one moment
 */
export async function computeSeries(db: Db, cache: SumCache, question: Question): Promise<Series[]> {
  const { lines, periods, zone, resolution, pricing, byBand, now } = question
  const rates = ratesOf(pricing)
  const clock = createDayClock(zone, now)
  const { plans, slots } = planDays(periods, rates, clock)
  const days = await firstDays(db, lines.meters, monthOf(periods.starts[0] as number, zone), zone)
  const exact = byBand || resolution === 'quarter' || resolution === 'hour'
  // Months are sums already; their days are read only for what different prices make of them, and where meters move within.
  const months = resolution === 'month' && !byBand
  const single = months && slots.length === new Set(slots.map(({ period }) => period)).size
  const ofHome = lines === question.home
  const numbers = periods.starts.map((start) => monthOf(start, zone))
  const isWhole = numbers.map((month) => months && epochOfMonth(lines.epochs, month, clock) !== undefined)
  const byDays = single ? plans.filter(({ day }) => !isWhole[numbers.indexOf(monthOfDay(day))]) : plans
  const sums =
    single && byDays.length === 0
      ? []
      : ofHome
        ? [await sumHome(db, cache, question, byDays, slots.length, clock)]
        : await sumEpochs(db, cache, lines, byDays, { slots: slots.length, exact, clock })
  const totals = !months
    ? undefined
    : ofHome
      ? [await sumHomeMonths(db, question, numbers, clock)]
      : await sumMonths(db, lines, numbers, clock)
  for (const [line, total] of totals?.entries() ?? [])
    if (sums[line]) replacePeriods(total, fold(sums[line], slots, numbers.length), isWhole)
  const prices = await pricesOf(db, cache, question, rates, slots, clock, totals)
  const expected = createExpectation(lines, plans, clock, slots.length, days)

  const quarantined = await quarantinedIntervals(db, lines, plans, slots.length, clock)

  const pointsOf = (line: number, keep: (slot: Slot) => boolean): EnergyPoint[] => {
    const kept = slots.flatMap((slot, index) => (keep(slot) ? [{ ...slot, index }] : []))
    const parts = sums[line]
    const byPart = parts && fold(parts, kept, periods.starts.length)
    const of = totals?.[line] ?? (byPart as Sums)
    const due = new Int32Array(periods.starts.length)
    const held = new Int32Array(periods.starts.length)
    const cost: (number | null)[] = periods.starts.map(() => 0)
    for (const { period, rate, index } of kept) {
      ;(due[period] as number) += expected(line)[index] as number
      ;(held[period] as number) += quarantined[line]?.[index] as number
      const kwh = (parts && !single ? parts.kwh[index] : of.kwh[period]) as number
      const price = prices[index] as number | null
      const nothing = rate.band !== NO_TARIFF && Math.abs(kwh) < 1e-9
      if (!nothing) cost[period] = price === null ? null : plus(cost[period], kwh * price)
    }
    return periods.starts.map((Timestamp, period) => {
      const known = knownOf(of, period)
      // Days that are kept no more cannot be priced.
      if (byPart && !(single && isWhole[period]) && knownOf(byPart, period) !== known) cost[period] = null
      const all = (due[period] as number) + (of.past[period] as number) + (of.ahead[period] as number)
      const missing = Math.max(0, all - known)
      // Where all is quarantined, what the readings around it say is in every sum, so it is here too.
      const sum = of.kwh[period] as number
      const kwh = known || Math.abs(sum) > 1e-9 ? trim(sum) : null
      const money = cost[period] as number | null
      return {
        Timestamp,
        kWh: kwh,
        Cost: kwh === null || money === null ? null : trim(money),
        CarbonKg: kwh === null ? null : trim(kwh * pricing.carbonFactor(clock.yearOf(Timestamp)).Factor),
        Coverage: {
          Measured: of.measured[period] as number,
          Between: of.between[period] as number,
          Estimated: of.estimated[period] as number,
          Corrected: of.corrected[period] as number,
          Missing: missing,
          Withheld: Math.min(missing, held[period] as number),
        },
        Resets: of.resets[period] as number,
      }
    })
  }

  if (!byBand) return lines.keys.map((Key, line) => ({ Key, Points: pointsOf(line, () => true) }))
  const bands = [...new Set(slots.map(({ rate }) => rate.band))]
  return bands.map((Key) => ({ Key, Points: pointsOf(0, ({ rate }) => rate.band === Key) }))
}

const knownOf = ({ measured, between, estimated, corrected }: Sums, at: number): number =>
  (measured[at] as number) + (between[at] as number) + (estimated[at] as number) + (corrected[at] as number)

/** Sums of slots as sums of their periods; a slot without an index stands where its number is. */
function fold(sums: Sums, slots: readonly (Slot & { index?: number })[], periods: number): Sums {
  const folded = createSums(periods)
  for (const name of Object.keys(folded) as (keyof Sums)[])
    for (const [i, { period, index = i }] of slots.entries())
      (folded[name][period] as number) += sums[name][index] as number
  return folded
}

/** Puts other sums in the place of those periods that are not to be kept. */
function replacePeriods(sums: Sums, by: Sums, keep: readonly boolean[]): void {
  for (const name of Object.keys(sums) as (keyof Sums)[])
    for (const [period, kept] of keep.entries()) if (!kept) sums[name][period] = by[name][period] as number
}

const plus = (sum: number | null | undefined, more: number): number | null =>
  sum === null || sum === undefined ? null : sum + more

/** Without the last bits that adding leaves. */
const trim = (value: number): number => Math.round(value * 1e9) / 1e9

/** NT$ per kWh in each slot; null where no price is known. */
async function pricesOf(
  db: Db,
  cache: SumCache,
  { home, key, lines, periods }: Question,
  rates: Rates,
  slots: readonly Slot[],
  clock: DayClock,
  totals: Sums[] | undefined,
): Promise<(number | null)[]> {
  const spans = rates.spansOf(slots.map(({ rate }) => rate))
  const monthly = new Map<string, number>()
  if (spans.length) {
    const wholes = spans.every(({ months }) => months !== undefined)
    const months = [...new Set(spans.flatMap((span) => span.months ?? []))]
    const asked = periods.starts.map((start) => monthOf(start, clock.zone))
    // Periods of months that are the home's have been summed already.
    const summed = totals !== undefined && lines === home && months.every((month) => asked.includes(month))
    const ofMonths = (known: readonly number[], sums: Sums | undefined) =>
      spans.map((span) =>
        (span.months ?? []).reduce((sum, month) => sum + (sums?.kwh[known.indexOf(month)] ?? 0), 0),
      )
    const kwh: ArrayLike<number> | undefined =
      wholes && summed
        ? ofMonths(asked, totals[0])
        : wholes && months.every((month) => epochOfMonth(home.epochs, month, clock))
          ? ofMonths(months, await sumKeptMonths(db, key, months))
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
