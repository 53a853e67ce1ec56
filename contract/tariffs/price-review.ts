import { z } from 'zod'
import { CARBON_FACTORS } from './carbon.ts'
import { formatDay, parseDay } from '../time/periods.ts'
import { taipowerPlan } from './taipower-plans.ts'
import { DateText } from '../time/date-text.ts'

/** Date on which the built-in prices were last compared with Taipower's published table. */
export const PRICES_CHECKED_ON = '2026-09-15'
/** Date on which the built-in carbon factors were last compared with the published ones. */
export const CARBON_CHECKED_ON = '2026-11-28'

/** Days of the year on which new prices decided by the council take effect. */
const COUNCIL_DAYS = ['04-01', '10-01'] as const
/** Day by which the factor of the previous year should be published: the end of April has passed. */
const FACTOR_DUE = '05-01'

/** Age of the prices of Taipower's plans. */
export const PriceReview = z.object({
  /** Date on which they were last compared with the published table. */
  CheckedOn: DateText,
  /** First later day on which the council may have changed prices. */
  ReviewOn: DateText,
  /** Whether the computed period reaches that day. */
  MayHaveChanged: z.boolean(),
})
export type PriceReview = z.infer<typeof PriceReview>

/** First later day on which prices decided by the council may take effect. */
export function councilDateAfter(date: string): string {
  const year = Number(date.slice(0, 4))
  const days = [year, year + 1].flatMap((each) => COUNCIL_DAYS.map((day) => `${each}-${day}`))
  return days.find((day) => day > date) as string
}

/**
 * Age of the prices of several plans.
 *
 * through  last computed day, as `dayOf` numbers days
 * returns  undefined if none of the plans is built in: companies maintain their own prices
 */
export function priceReviewOf(PlanIDs: Iterable<string>, through: number): PriceReview | undefined {
  if (![...PlanIDs].some((PlanID) => taipowerPlan(PlanID))) return undefined
  const ReviewOn = councilDateAfter(PRICES_CHECKED_ON)
  return { CheckedOn: PRICES_CHECKED_ON, ReviewOn, MayHaveChanged: through >= parseDay(ReviewOn) }
}

/**
 * Last year whose factor should be published by a day, but is neither built in nor a company's own; null if there is none.
 *
 * today  as `dayOf` numbers days
 * own    years with a factor entered by the company
 */
export function missingFactorYear(today: number, own: Iterable<number>): number | null {
  const date = formatDay(today)
  const year = Number(date.slice(0, 4)) - (date.slice(5) >= FACTOR_DUE ? 1 : 2)
  return CARBON_FACTORS[year] === undefined && ![...own].includes(year) ? year : null
}
