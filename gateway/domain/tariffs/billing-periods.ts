import { firstDayOf, monthOfDay, parseDay } from '../../../contract/time/periods.ts'

/** When bills begin: the day of the month, how many months each has, and of two-monthly ones the first (1 or 2). */
export interface BillingTerms {
  BillingDay: number
  BillingMonths: 1 | 2
  FirstMonth: 1 | 2
}

/** The days of one bill as `dayOf` numbers days, the last exclusive. */
export interface BillingPeriod {
  FromDay: number
  EndDay: number
  /** How many months are charged: 1 or 2, and of a bill that a change of its terms cut short its share of them by days. */
  Months: number
}

/** Days on which bills begin by the same terms, the last exclusive. The first reaches back and the last on without limit. */
export interface BillingCycle extends BillingTerms {
  FromDay: number
  EndDay: number
}

/** Bills of a home that has no tariff. */
const MONTHLY: BillingTerms = { BillingDay: 1, BillingMonths: 1, FirstMonth: 1 }

/**
 * The cycles by which a home's bills have begun. Days before the first tariff or between two belong to the terms at hand, so
 * every day is on one bill.
 *
 * history  in order of its days
 */
export function billingCycles(
  history: readonly (BillingTerms & { ValidFrom: string })[],
): [BillingCycle, ...BillingCycle[]] {
  const [first = MONTHLY, ...others] = history
  const cycles: [BillingCycle, ...BillingCycle[]] = [cycleOf(first, -Infinity)]
  for (const terms of others) {
    const last = cycles.at(-1) as BillingCycle
    if (alike(last, terms)) continue
    last.EndDay = parseDay(terms.ValidFrom)
    cycles.push(cycleOf(terms, last.EndDay))
  }
  return cycles
}

const cycleOf = ({ BillingDay, BillingMonths, FirstMonth }: BillingTerms, FromDay: number): BillingCycle => ({
  BillingDay,
  BillingMonths,
  FirstMonth,
  FromDay,
  EndDay: Infinity,
})

const alike = (a: BillingTerms, b: BillingTerms): boolean =>
  a.BillingDay === b.BillingDay &&
  a.BillingMonths === b.BillingMonths &&
  (a.BillingMonths === 1 || a.FirstMonth === b.FirstMonth)

/** The period of the bill that a day lies in; where the terms of billing change, one bill ends and the next begins. */
export function billingPeriodOn(
  day: number,
  cycles: readonly [BillingCycle, ...BillingCycle[]],
): BillingPeriod {
  const cycle = cycles.find(({ EndDay }) => day < EndDay) ?? cycles[0]
  const { BillingDay, BillingMonths, FirstMonth } = cycle
  let month = monthOfDay(day - (BillingDay - 1))
  // Months are counted from January of year 0: an even number is an odd month of the calendar.
  if (BillingMonths === 2) month -= (((month - (FirstMonth - 1)) % 2) + 2) % 2
  const [begin, end] = [month, month + BillingMonths].map((of) => firstDayOf(of) + BillingDay - 1) as [
    number,
    number,
  ]
  const [FromDay, EndDay] = [Math.max(begin, cycle.FromDay), Math.min(end, cycle.EndDay)]
  return { FromDay, EndDay, Months: ((EndDay - FromDay) / (end - begin)) * BillingMonths }
}

/** What adding shares of months may leave. */
const ROUNDING = 1e-9

/** The last whole bills before a day that together have so many months, oldest first. */
export function billingPeriodsBefore(
  day: number,
  months: number,
  cycles: readonly [BillingCycle, ...BillingCycle[]],
): BillingPeriod[] {
  const periods: BillingPeriod[] = []
  let at = billingPeriodOn(day, cycles).FromDay
  for (let count = 0; count < months - ROUNDING;) {
    const period = billingPeriodOn(at - 1, cycles)
    periods.unshift(period)
    at = period.FromDay
    count += period.Months
  }
  return periods
}
