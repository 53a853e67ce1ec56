import { type Bill, type BillPart, type BillTerms, billOf } from './bill.ts'
import { type Band, BANDS } from './tariff-terms.ts'

/**
 * What is replaced in turn by what the power company's bill says.
 *
 * days         the period of our bill by its days, with our energy
 * kWh          energy by band
 * peaks        highest demand by band
 * powerFactor  mean power factor
 * agreement    contracts
 * rest         what is left: prices, rounding, and lines that a bill has beside them
 */
export const BILL_STEPS = ['days', 'kWh', 'peaks', 'powerFactor', 'agreement', 'rest'] as const
export type BillStep = (typeof BILL_STEPS)[number]

/**
 * Why a bill is not compared.
 *
 * notOver          its days are not over
 * noTariff         one of its days, or of our bill, has no price here
 * unknown          nothing is known of its days
 * severalSupplies  the home has bills of another supply on these days, and ours is of them together
 */
export const COMPARISON_REFUSALS = ['notOver', 'noTariff', 'unknown', 'severalSupplies'] as const
export type ComparisonRefusal = (typeof COMPARISON_REFUSALS)[number]

/** What of the power company's bill takes the place of ours. */
export interface BilledElsewhere {
  kWh: Partial<Record<Band, number>>
  peakKw: Partial<Record<Band, number>>
  /** Per cent; null where it is not billed. */
  powerFactor: number | null
  /** kW; null where the bill does not say. */
  capacities: BillTerms['Capacities'] | null
  /** NT$ */
  total: number
}

/** Parts of a period, its days, and months that are charged. */
export interface PricedPeriod {
  parts: readonly BillPart[]
  days: number
  months: number
}

/** Where every part says what was agreed. */
const NO_TERMS: BillTerms = { Capacities: {}, Phases: 'three', PowerFactor: null }

const billFor = ({ parts, days, months }: PricedPeriod): Bill => billOf(parts, days, months, NO_TERMS)
const centsOf = (period: PricedPeriod): number => Math.round(billFor(period).Total * 100)

/**
 * Goes from our bill to the power company's: each step replaces one more figure of ours, so that the steps add up by construction.
 *
 * ours    of our own period
 * theirs  our energy on the days of their bill
 * returns NT$ of each step in order, to the cent; with our total they make theirs
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
  terms: { ...(part.terms ?? NO_TERMS), ...terms },
})

/**
 * Parts with other figures of a whole bill. Energy of a band is shared as ours is, or by days where ours has none of it; the highest
 * demand is that of the part where ours was highest, and lower in the others as ours was.
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

/** Bills in a row of which the ratio must be the same. */
export const RATIO_BILLS = 3
/** How far ratios may lie apart, and how far from 1 they must lie, as parts. */
const STEADY = 0.01
const APART = 0.015

/**
 * By which factor our meters lie apart from the power company's, where that has been steady.
 *
 * bills  kWh of the newest bills of a supply and ours of the same days, the newest first, of days that are known
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
