import { firstDayOf, monthOfDay, parseDay } from '../../../contract/time/periods.ts'

/** Schedule of bills: day of the month, months per bill, and for two-monthly bills the first month (1 or 2). */
export interface BillingTerms {
  BillingDay: number
  BillingMonths: 1 | 2
  FirstMonth: 1 | 2
}

/** Days of one bill as `dayOf` numbers days, end exclusive. */
export interface BillingPeriod {
  FromDay: number
  EndDay: number
  /** Number of months charged: 1 or 2, prorated by days for a bill that a change of terms cut short. */
  Months: number
}

/** Days on which bills begin by the same terms, end exclusive. The first cycle has no beginning and the last no end. */
export interface BillingCycle extends BillingTerms {
  FromDay: number
  EndDay: number
}

/** Default for a home without a tariff. */
const MONTHLY: BillingTerms = { BillingDay: 1, BillingMonths: 1, FirstMonth: 1 }

/**
 * Billing cycles of a home. Days before the first tariff or between two use the adjacent terms, so that every day belongs to one bill.
 *
 * history  in chronological order
 */
export function billingCycles(
  history: readonly (BillingTerms & { ValidFrom: string })[],
): [BillingCycle, ...BillingCycle[]] {
  const [first = MONTHLY, ...others] = history
  const cycles: [BillingCycle, ...BillingCycle[]] = [cycleOf(first, -Infinity)]
  for (const terms of others) {
    const last = cycles.at(-1) as BillingCycle
    if (isSameCycle(last, terms)) continue
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

const isSameCycle = (a: BillingTerms, b: BillingTerms): boolean =>
  a.BillingDay === b.BillingDay &&
  a.BillingMonths === b.BillingMonths &&
  (a.BillingMonths === 1 || a.FirstMonth === b.FirstMonth)

/** Billing period that contains a day; a change of billing terms ends one bill and begins the next. */
export function billingPeriodOn(
  day: number,
  cycles: readonly [BillingCycle, ...BillingCycle[]],
): BillingPeriod {
  const cycle = cycles.find(({ EndDay }) => day < EndDay) ?? cycles[0]
  const { BillingDay, BillingMonths, FirstMonth } = cycle
  let month = monthOfDay(day - (BillingDay - 1))
  // Months are counted from January of year 0: an even number is an odd calendar month.
  if (BillingMonths === 2) month -= (((month - (FirstMonth - 1)) % 2) + 2) % 2
  const [begin, end] = [month, month + BillingMonths].map((of) => firstDayOf(of) + BillingDay - 1) as [
    number,
    number,
  ]
  const [FromDay, EndDay] = [Math.max(begin, cycle.FromDay), Math.min(end, cycle.EndDay)]
  return { FromDay, EndDay, Months: ((EndDay - FromDay) / (end - begin)) * BillingMonths }
}

/** Tolerance for rounding errors when month shares are added. */
const ROUNDING = 1e-9

/** Last whole billing periods before a day that together cover a number of months, oldest first. */
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
