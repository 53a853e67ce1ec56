import { TAIPOWER_PLANS } from './taipower-plans.ts'

/** What Taipower sells energy for: each has plans of its own, between which one may choose. */
export type Supply = 'residential' | 'nonBusiness' | 'commercial' | 'lv' | 'vehicles' | 'hv' | 'ehv'

/** What a plan is for; undefined for a tariff of the company, which is for what the company says. */
export function supplyOf(PlanID: string): Supply | undefined {
  if (!TAIPOWER_PLANS.some((one) => one.PlanID === PlanID)) return undefined
  // Prices of charging stations alone.
  if (PlanID === 'lv_ev') return 'vehicles'
  if (PlanID === 'non_business_standard') return 'nonBusiness'
  return PlanID.split('_')[0] as Supply
}
