import { z } from 'zod'
import { CARBON_FACTORS } from './carbon.ts'
import { formatDay, parseDay } from '../time/periods.ts'
import { taipowerPlan } from './taipower-plans.ts'
import { DateText } from './tariff-terms.ts'

/** The day on which the prices built in were last compared with Taipower's published table. */
export const PRICES_CHECKED_ON = '2026-09-15'
/** The day on which the carbon factors built in were last compared with what is published. */
export const CARBON_CHECKED_ON = '2026-11-28'

/** Days of the year on which prices that the council has decided begin. */
const COUNCIL_DAYS = ['04-01', '10-01'] as const
/** The factor of a year is published by the end of April of the next. */
const FACTOR_DUE = '05-01'

/** Age of the prices of Taipower's plans. */
export const PriceReview = z.object({
  /** The day on which they were last compared with the published table. */
  CheckedOn: DateText,
  /** The first day after it on which other prices may hold, since the council decides for it. */
  ReviewOn: DateText,
  /** Whether the computed period reaches that day. */
  MayHaveChanged: z.boolean(),
})
export type PriceReview = z.infer<typeof PriceReview>

/** The first day after another on which prices that the council has decided may begin. */
export function councilDateAfter(date: string): string {
  const year = Number(date.slice(0, 4))
  const days = [year, year + 1].flatMap((each) => COUNCIL_DAYS.map((day) => `${each}-${day}`))
  return days.find((day) => day > date) as string
}

/**
 * Age of the prices of some plans.
 *
 * through  the last day that is computed, as `dayOf` numbers days
 * returns  undefined if none of the plans is built in: a company knows its own prices
 */
export function priceReviewOf(PlanIDs: Iterable<string>, through: number): PriceReview | undefined {
  if (![...PlanIDs].some((PlanID) => taipowerPlan(PlanID))) return undefined
  const ReviewOn = councilDateAfter(PRICES_CHECKED_ON)
  return { CheckedOn: PRICES_CHECKED_ON, ReviewOn, MayHaveChanged: through >= parseDay(ReviewOn) }
}

/**
 * The last year whose factor should be published by a day and is neither built in nor a company's own; null where there is none.
 *
 * today  as `dayOf` numbers days
 * own    years of which the company has entered a factor
 */
export function missingFactorYear(today: number, own: Iterable<number>): number | null {
  const date = formatDay(today)
  const year = Number(date.slice(0, 4)) - (date.slice(5) >= FACTOR_DUE ? 1 : 2)
  return CARBON_FACTORS[year] === undefined && ![...own].includes(year) ? year : null
}
