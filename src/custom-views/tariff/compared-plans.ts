import type { PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import { supplyOf } from '../../../contract/tariffs/supply.ts'

/**
 * Plans that the home's present supply allows, and those that need another supply.
 *
 * current  present plan; if its supply is unknown, all plans are in the first list
 */
export function divideBySupply(
  plans: readonly PlanBills[],
  current: string | undefined,
): { sameSupply: PlanBills[]; otherSupply: PlanBills[] } {
  const supply = current === undefined ? undefined : supplyOf(current)
  const hasSameSupply = ({ PlanID }: PlanBills) =>
    supply === undefined || supplyOf(PlanID) === undefined || supplyOf(PlanID) === supply
  return {
    sameSupply: plans.filter(hasSameSupply),
    otherSupply: plans.filter((plan) => !hasSameSupply(plan)),
  }
}

/** Parts of a plan's cost difference, NT$; positive is more expensive. */
export interface Reasons {
  energy: number
  /** Fixed charges: contract capacity, excess demand, power factor, connection. */
  standing: number
}

/** Over the periods in which both plans have a price; undefined if there is none. */
export function reasonsOf(plan: PlanBills, current: PlanBills | null): Reasons | undefined {
  let reasons: Reasons | undefined
  for (const [i, { Total, Energy }] of plan.Bills.entries()) {
    const now = current?.Bills[i]
    if (Total === null || Energy === null || !now || now.Total === null || now.Energy === null) continue
    reasons ??= { energy: 0, standing: 0 }
    reasons.energy += Energy - now.Energy
    reasons.standing += Total - Energy - (now.Total - now.Energy)
  }
  return reasons && { energy: cents(reasons.energy), standing: cents(reasons.standing) }
}

/** Rounds to cents, and -0 to 0. */
const cents = (value: number): number => Math.round(value * 100) / 100 || 0

/** Minimum difference in NT$ that counts. */
const MIN_SAVING = 1

/**
 * Cheapest plan and its difference to another, NT$; undefined if none is cheaper.
 *
 * reference  plans with fewer priced periods are skipped, because their totals are not comparable; so are those with too little
 *       known data
 */
export function cheapestOf(
  plans: readonly PlanBills[],
  reference: PlanBills,
): { plan: PlanBills; saving: number } | undefined {
  const cheaperPlans = plans.flatMap((plan) => {
    const reasons = !plan.Refused && plan.Priced >= reference.Priced ? reasonsOf(plan, reference) : undefined
    const saving = reasons ? -(reasons.energy + reasons.standing) : 0
    return saving >= MIN_SAVING ? [{ plan, saving }] : []
  })
  return cheaperPlans.toSorted((a, b) => b.saving - a.saving)[0]
}

/**
 * Saving of another contract under the present plan, NT$; below 0 if it costs more. Undefined if there is no difference, or if the
 * home was billed by another plan within the year.
 *
 * isTrial  whether the bills of the plan assume a trial contract; else its best contract is compared
 */
export function contractChange(
  current: PlanBills | null,
  plan: PlanBills | undefined,
  isTrial: boolean,
): { kw: number; saving: number } | undefined {
  if (!plan) return undefined
  if (!isTrial) {
    const saving = plan.Best ? plan.Total - plan.Best.Total : 0
    return plan.Best && saving >= MIN_SAVING ? { kw: plan.Best.Regular, saving } : undefined
  }
  const kw = plan.Capacities.regular
  const reasons = reasonsOf(plan, current)
  if (kw === undefined || kw === current?.Capacities.regular || !reasons) return undefined
  if (Math.abs(reasons.energy) >= MIN_SAVING || Math.abs(reasons.standing) < MIN_SAVING) return undefined
  return { kw, saving: -reasons.standing }
}
