import type { PlanBills } from '../../contract/procedures/bills.ts'
import type { Bill, BillPart, BillTerms } from '../../contract/rules/bill.ts'
import type { BillingPeriod } from '../../contract/rules/billing-periods.ts'
import { wholeBill } from './bill-parts.ts'

/** One plan's parts of each period. */
export interface PlanParts {
  PlanID: string
  parts: readonly BillPart[][]
}

type Bills = readonly (Bill | null)[]
const totalOf = (bills: Bills): number => cents(bills.reduce((sum, bill) => sum + (bill?.Total ?? 0), 0))
const cents = (value: number): number => Math.round(value * 100) / 100

const hasContracts = ({ parts }: PlanParts): boolean =>
  parts.some((of) => of.some(({ season }) => season.CapacityRates.regular !== undefined))

/**
 * The bills of a plan under a contract, with the regular contract that would have cost least.
 *
 * current  the bills of what the home has, to compare with
 * least    kW that a contract has at least
 */
export function billsOfPlan(
  plan: PlanParts,
  periods: readonly BillingPeriod[],
  terms: BillTerms,
  current: Bills | null,
  least: number,
): PlanBills {
  const under = (Capacities: BillTerms['Capacities']): Bills =>
    periods.map((period, i) => wholeBill(period, plan.parts[i] ?? [], { ...terms, Capacities }))
  const best = hasContracts(plan) ? bestContract(plan, under, terms.Capacities, least) : null
  const Capacities =
    best && !terms.Capacities.regular ? { ...terms.Capacities, regular: best.Regular } : terms.Capacities
  const bills = under(Capacities)
  return { PlanID: plan.PlanID, Capacities, ...summary(bills, current), Best: best }
}

/** The bills of what a home has had. */
export const billsOfHome = (
  PlanID: string,
  Capacities: BillTerms['Capacities'],
  bills: Bills,
): PlanBills => ({
  PlanID,
  Capacities,
  ...summary(bills, null),
  Best: null,
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

/**
 * The cost of a contract is a broken line with its corners where a demand that was reached is agreed, or eleven tenths of
 * it are: the least is at one of them, on a whole kW.
 */
function bestContract(
  { parts }: PlanParts,
  under: (capacities: BillTerms['Capacities']) => Bills,
  agreed: BillTerms['Capacities'],
  least: number,
): PlanBills['Best'] {
  const { regular: _regular, ...others } = agreed
  const beside = Object.values(others).reduce((sum, kw) => sum + kw, 0)
  const candidates = new Set<number>([least])
  for (const { peakKw } of parts.flat())
    for (const peak of Object.values(peakKw))
      for (const corner of [peak, peak / 1.1, peak - beside, peak / 1.1 - beside])
        for (const kw of [Math.floor(corner), Math.ceil(corner)]) if (kw > least) candidates.add(kw)
  let best: PlanBills['Best'] = null
  for (const Regular of candidates) {
    const bills = under({ ...others, regular: Regular })
    if (bills.every((bill) => bill === null)) return null
    const Total = totalOf(bills)
    if (!best || Total < best.Total || (Total === best.Total && Regular < best.Regular))
      best = { Regular, Total }
  }
  return best
}
