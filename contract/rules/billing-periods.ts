import { firstDayOf, monthOfDay } from './periods.ts'

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
  Months: 1 | 2
}

/** The period of the bill that a day lies in. */
export function billingPeriodOn(day: number, terms: BillingTerms): BillingPeriod {
  const { BillingDay, BillingMonths, FirstMonth } = terms
  let month = monthOfDay(day - (BillingDay - 1))
  // Months are counted from January of year 0: an even number is an odd month of the calendar.
  if (BillingMonths === 2) month -= (((month - (FirstMonth - 1)) % 2) + 2) % 2
  const begin = (of: number): number => firstDayOf(of) + BillingDay - 1
  return { FromDay: begin(month), EndDay: begin(month + BillingMonths), Months: BillingMonths }
}

/** The last whole periods before a day that together have so many months, oldest first. */
export function billingPeriodsBefore(day: number, months: number, terms: BillingTerms): BillingPeriod[] {
  const periods: BillingPeriod[] = []
  let at = billingPeriodOn(day, terms).FromDay
  for (let count = 0; count < months; count += terms.BillingMonths) {
    const period = billingPeriodOn(at - 1, terms)
    periods.unshift(period)
    at = period.FromDay
  }
  return periods
}
