import type { PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import { supplyOf } from '../../../contract/tariffs/supply.ts'

/**
 * The plans that a home could change to as it is connected, and those for which its supply would have to change.
 *
 * current  what it has; where that says nothing of its supply, every plan is among the first
 */
export function divideBySupply(
  plans: readonly PlanBills[],
  current: string | undefined,
): { same: PlanBills[]; other: PlanBills[] } {
  const supply = current === undefined ? undefined : supplyOf(current)
  const isSame = ({ PlanID }: PlanBills) =>
    supply === undefined || supplyOf(PlanID) === undefined || supplyOf(PlanID) === supply
  return { same: plans.filter(isSame), other: plans.filter((plan) => !isSame(plan)) }
}

/** What a plan's difference is made of, NT$; more than zero is dearer. */
export interface Reasons {
  energy: number
  /** Contract capacity and what was beyond it, power factor, being connected. */
  standing: number
}

/** Of the periods that both have a price for; undefined where there is none. */
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

/** What is less than a cent is nothing: sums of fractions come to a little more or less. */
const cents = (value: number): number => Math.round(value * 100) / 100 || 0

/** A smaller difference in NT$ is none. */
const WORTH = 1

/**
 * The plan that would cost least and how much less that is than another, NT$; undefined where none costs less.
 *
 * than  plans without a price where it has one are passed over: half a year is not half as dear; so are those of which too
 *       little is known
 */
export function cheapestOf(
  plans: readonly PlanBills[],
  than: PlanBills,
): { plan: PlanBills; by: number } | undefined {
  const found = plans.flatMap((plan) => {
    const reasons = !plan.Refused && plan.Priced >= than.Priced ? reasonsOf(plan, than) : undefined
    const by = reasons ? -(reasons.energy + reasons.standing) : 0
    return by >= WORTH ? [{ plan, by }] : []
  })
  return found.toSorted((a, b) => b.by - a.by)[0]
}
