import { NO_BILL_TERMS, type Bill, type BillPart, type BillTerms, billOf } from './bill.ts'
import { type Band, BANDS } from './tariff-terms.ts'

/**
 * Steps of a comparison; each replaces one figure by that of the power company's bill.
 *
 * days         billing period, with our energy
 * kWh          energy by band
 * peaks        highest demand by band
 * powerFactor  mean power factor
 * agreement    contracts
 * rest         remaining difference: prices, rounding, and additional lines of the bill
 */
export const BILL_STEPS = ['days', 'kWh', 'peaks', 'powerFactor', 'agreement', 'rest'] as const
export type BillStep = (typeof BILL_STEPS)[number]

/**
 * Reasons for a missing comparison.
 *
 * notOver          its days are not over
 * noTariff         one of its days, or of our bill, has no price here
 * unknown          its days have no data
 * severalSupplies  the home has bills of another supply on these days, and our bill covers both
 */
export const COMPARISON_REFUSALS = ['notOver', 'noTariff', 'unknown', 'severalSupplies'] as const
export type ComparisonRefusal = (typeof COMPARISON_REFUSALS)[number]

/** Figures of the power company's bill that replace ours. */
export interface BilledElsewhere {
  kWh: Partial<Record<Band, number>>
  peakKw: Partial<Record<Band, number>>
  /** Percent; null if not billed. */
  powerFactor: number | null
  /** kW; null if the bill does not state them. */
  capacities: BillTerms['Capacities'] | null
  /** NT$. */
  total: number
}

/** Parts of a period, its days, and the months charged. */
export interface PricedPeriod {
  parts: readonly BillPart[]
  days: number
  months: number
}

const billFor = ({ parts, days, months }: PricedPeriod): Bill => billOf(parts, days, months, NO_BILL_TERMS)
const centsOf = (period: PricedPeriod): number => Math.round(billFor(period).Total * 100)

/**
 * Computes the steps from our bill to the power company's. Each step replaces one more figure of ours, so the steps add up by
 * construction.
 *
 * ours    our own billing period
 * theirs  our energy on the days of their bill
 * returns NT$ of each step in order, to the cent; our total plus these steps equals theirs
 */
export function compareBill(
  ours: PricedPeriod,
  theirs: PricedPeriod,
  bill: BilledElsewhere,
): { Step: BillStep; Amount: number }[] {
  const withKwh = spreadOver(theirs.parts, 'kWh', bill.kWh)
  const withPeaks = Object.keys(bill.peakKw).length > 0 ? spreadOver(withKwh, 'peakKw', bill.peakKw) : withKwh
  const withFactor = withPeaks.map((part) => agreed(part, { PowerFactor: bill.powerFactor }))
  const { capacities } = bill
  const withAgreement =
    capacities === null ? withFactor : withFactor.map((part) => agreed(part, { Capacities: capacities }))
  const reached = [
    centsOf(ours),
    ...[theirs.parts, withKwh, withPeaks, withFactor, withAgreement].map((parts) =>
      centsOf({ ...theirs, parts }),
    ),
    Math.round(bill.total * 100),
  ]
  return BILL_STEPS.map((Step, i) => ({
    Step,
    Amount: ((reached[i + 1] as number) - (reached[i] as number)) / 100 + 0,
  }))
}

const agreed = (part: BillPart, terms: Partial<BillTerms>): BillPart => ({
  ...part,
  terms: { ...(part.terms ?? NO_BILL_TERMS), ...terms },
})

/**
 * Distributes the figures of a whole bill over its parts. Energy of a band is shared in proportion to ours, or by days if ours is zero;
 * the peak demand is assigned to the part with our highest, and scaled in the others as ours was.
 */
function spreadOver(
  parts: readonly BillPart[],
  field: 'kWh' | 'peakKw',
  given: Partial<Record<Band, number>>,
): BillPart[] {
  const days = parts.reduce((sum, { Days }) => sum + Days, 0)
  const values = parts.map((): Partial<Record<Band, number>> => ({}))
  for (const band of BANDS) {
    const value = given[band]
    if (value === undefined) continue
    const own = parts.map((part) => part[field][band] ?? 0)
    const whole = field === 'kWh' ? own.reduce((sum, one) => sum + one, 0) : Math.max(0, ...own)
    for (const [i, part] of parts.entries()) {
      const share = whole > 0 ? (own[i] as number) / whole : field === 'kWh' ? part.Days / days : 1
      ;(values[i] as Partial<Record<Band, number>>)[band] = value * share
    }
  }
  return parts.map((part, i) => ({ ...part, [field]: values[i] }))
}

/** Number of consecutive bills with the same ratio. */
export const RATIO_BILLS = 3
/** Maximum spread of the ratios, and minimum distance of their mean from 1, as fractions. */
const STEADY = 0.01
const APART = 0.015

/**
 * Factor between the power company's meters and ours, if it has been steady.
 *
 * bills  kWh of a supply's latest bills and ours of the same days, newest first, of known days only
 */
export function meterFactorOf(
  bills: readonly { ours: number; theirs: number }[],
): { Ratio: number; Bills: number } | null {
  const last = bills.slice(0, RATIO_BILLS)
  if (last.length < RATIO_BILLS || last.some(({ ours }) => ours <= 0)) return null
  const ratios = last.map(({ ours, theirs }) => theirs / ours)
  const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length
  if (Math.max(...ratios) - Math.min(...ratios) > STEADY * mean || Math.abs(mean - 1) < APART) return null
  return { Ratio: mean, Bills: last.length }
}
