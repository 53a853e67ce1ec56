import { TAIPOWER_PLANS } from './taipower-plans.ts'

/** Kinds of supply that Taipower sells energy to; a customer can choose among the plans of one kind. */
export type Supply = 'residential' | 'nonBusiness' | 'commercial' | 'lv' | 'vehicles' | 'hv' | 'ehv'

/** Supply that a plan is for; undefined for a company's own tariff. */
export function supplyOf(PlanID: string): Supply | undefined {
  if (!TAIPOWER_PLANS.some((one) => one.PlanID === PlanID)) return undefined
  // Prices for charging stations only.
  if (PlanID === 'lv_ev') return 'vehicles'
  if (PlanID === 'non_business_standard') return 'nonBusiness'
  return PlanID.split('_')[0] as Supply
}
