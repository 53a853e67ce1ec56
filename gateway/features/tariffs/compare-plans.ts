import type { PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import type { Bill, BillPart, BillTerms } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import { wholeBill } from './bill-parts.ts'

/** Parts of each period under one plan. */
export interface PlanPeriods {
  PlanID: string
  parts: readonly BillPart[][]
}

type AdviceRefusal = PlanBills['Refused']

type Bills = readonly (Bill | null)[]
const totalOf = (bills: Bills): number => cents(bills.reduce((sum, bill) => sum + (bill?.Total ?? 0), 0))
const cents = (value: number): number => Math.round(value * 100) / 100

export const hasContracts = ({ parts }: Pick<PlanPeriods, 'parts'>): boolean =>
  parts.some((of) => of.some(({ season }) => season.CapacityRates.regular !== undefined))

/**
 * Bills of a plan under a contract, and the regular contract that would have cost least.
 *
 * current  bills of the home's own plan, for the difference
 * minKw    minimum capacity of a contract, kW
 * refusal  reason why the periods allow no advice: then neither a difference nor a best contract is given
 */
export function billsOfPlan(
  plan: PlanPeriods,
  periods: readonly BillingPeriod[],
  terms: BillTerms,
  current: Bills | null,
  minKw: number,
  refusal: AdviceRefusal,
): PlanBills {
  const billsFor = (Capacities: BillTerms['Capacities']): Bills =>
    periods.map((period, i) => wholeBill(period, plan.parts[i] ?? [], { ...terms, Capacities }))
  const { PlanID } = plan
  const hasContract = hasContracts(plan)
  const regular = terms.Capacities.regular ? Math.max(terms.Capacities.regular, minKw) : undefined
  if (refusal) {
    const isUnknown = hasContract && regular === undefined
    const Capacities =
      hasContract && regular !== undefined ? { ...terms.Capacities, regular } : terms.Capacities
    const bills = isUnknown ? periods.map(() => null) : billsFor(Capacities)
    return { PlanID, Capacities, ...summary(bills, null), Best: null, Refused: refusal }
  }
  const best = hasContract ? bestContract(plan, billsFor, terms.Capacities, minKw) : null
  // A contract below the plan's minimum cannot be signed.
  const agreed = regular ?? best?.Regular
  const Capacities =
    best && agreed !== undefined ? { ...terms.Capacities, regular: agreed } : terms.Capacities
  const bills = billsFor(Capacities)
  return { PlanID, Capacities, ...summary(bills, current), Best: best, Refused: null }
}

/** Bills of a home's own plan. */
export const billsOfHome = (
  PlanID: string,
  Capacities: BillTerms['Capacities'],
  bills: Bills,
  refusal: AdviceRefusal,
): PlanBills => ({
  PlanID,
  Capacities,
  ...summary(bills, null),
  Best: null,
  Refused: refusal,
})

function summary(bills: Bills, current: Bills | null) {
  const differences = bills.flatMap((bill, i) => {
    const other = current?.[i]
    return bill && other ? [{ i, by: bill.Total - other.Total }] : []
  })
  return {
    Bills: bills.map((bill) => ({ Total: bill?.Total ?? null, Energy: bill?.Energy ?? null })),
    Total: totalOf(bills),
    Priced: bills.filter((bill) => bill !== null).length,
    Difference: differences.length ? cents(differences.reduce((sum, { by }) => sum + by, 0)) : null,
    Drivers: differences
      .filter(({ by }) => Math.abs(by) >= 1)
      .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))
      .slice(0, 3)
      .map(({ i }) => i),
  }
}

/** Number of parts per step of the search for the best contract. */
const STEPS = 8

/**
 * Finds the cheapest contract. The cost is piecewise linear in the capacity, with corners at each reached demand and at 10/11 of it,
 * also less the other capacities; its minimum is at a corner, on a whole kW.
 */
export function bestContract(
  { parts }: PlanPeriods,
  billsFor: (capacities: BillTerms['Capacities']) => Bills,
  agreed: BillTerms['Capacities'],
  minKw: number,
): PlanBills['Best'] {
  const { regular: _regular, ...others } = agreed
  const othersKw = Object.values(others).reduce((sum, kw) => sum + kw, 0)
  const candidates = new Set<number>([minKw])
  for (const { peakKw } of parts.flat())
    for (const peak of Object.values(peakKw))
      for (const corner of [peak, peak / 1.1, peak - othersKw, peak / 1.1 - othersKw])
        for (const kw of [Math.floor(corner), Math.ceil(corner)]) if (kw > minKw) candidates.add(kw)
  const sorted = [...candidates].toSorted((a, b) => a - b)
  const known = new Map<number, number>()
  const costAt = (i: number): number => {
    const Regular = sorted[i] as number
    const cost = known.get(i) ?? totalOf(billsFor({ ...others, regular: Regular }))
    known.set(i, cost)
    return cost
  }
  const cheapest = (places: readonly number[]): number =>
    places.reduce((best, i) => (costAt(i) < costAt(best) ? i : best))
  if (billsFor({ ...others, regular: minKw }).every((bill) => bill === null)) return null
  // The cost falls and then rises, so the minimum is between the neighbours of the cheapest sample.
  let [from, through, found] = [0, sorted.length - 1, 0]
  for (let step = sorted.length; step > 1;) {
    step = Math.ceil((through - from + 1) / STEPS)
    const tried = Array.from({ length: Math.ceil((through - from) / step) + 1 }, (_, i) =>
      Math.min(from + i * step, through),
    )
    found = cheapest(tried)
    from = Math.max(from, found - step)
    through = Math.min(through, found + step)
  }
  return { Regular: sorted[found] as number, Total: costAt(found) }
}
